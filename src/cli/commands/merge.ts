import type { Command } from 'commander'
import { wrongValue } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Merge } from '../../care/doubles/merge-plan.ts'
import type { PlanOptions } from '../../changes/carry-out/front.ts'
import type { Client } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { App } from '../app.ts'
import type { DedupeOptions } from './find-doubles.ts'
import { type TranslationOptions, translationOptions } from './shared/language-options.ts'
import { resourceArgument, type Verb, verbCommand, wholeNumber } from './shared/options.ts'
import { declareOutput, planOutput, rowsOutput } from './shared/output-forms.ts'
import { pairShape } from './shared/output-shapes.ts'
import { planOptions } from './shared/plan-options.ts'
import { namedRefs } from './shared/refs.ts'

interface MergeOptions extends PlanOptions, TranslationOptions {
  readonly bySlug?: true
}

/** calctl <resource> merge <survivor> <other...>: merges several records into one, to which the links to the others are moved. */
export const merge: Verb = (parent, resource, app) => {
  const { name, singular, keys } = resource
  const command = verbCommand(parent, resource, 'merge', phrase('Merge duplicate {resource}', { resource: name }))
  const duplicates =
    name === 'events'
      ? phrase('Duplicates to remove')
      : phrase('Duplicates to remove; their events move to the survivor')
  command
    .argument(
      '<survivor>',
      phrase('The {record} to keep; its empty fields are filled from the others', { record: singular }),
    )
    .argument('<other...>', duplicates)
  if (keys.includes('slug')) command.optionsGroup('Selection:').option('--by-slug', phrase('Treat numbers as slugs'))
  planOptions(translationOptions(command))
  declareOutput(command, planOutput)
  command.action(async (first: string, texts: string[], options: MergeOptions) => {
    const { buildContext } = await import('./shared/build-context.ts')
    const { planMerges, readMerged } = await import('../../care/doubles/merge-plan.ts')
    const context = await buildContext(app)
    const refs = await namedRefs({ app, client: context.client, resource }, [first, ...texts], options.bySlug)
    const [survivor, ...others] = await readMerged(context.client, resource, refs)
    if (!survivor) return
    const translations = await readTranslated(context.client, resource, { survivor, others }, options)
    const merges = [{ survivor, others }, ...(options.allLanguages ? translations : [])]
    const plan = await planMerges(context, resource, merges)
    const notes = options.allLanguages ? [] : translations.map(one => unmergedNote(resource, one))
    const { applyPlan } = await import('./shared/apply-plan.ts')
    await applyPlan(app, { ...plan, notes: [...notes, ...(plan.notes ?? [])] }, options)
  })
}

async function readTranslated(client: Client, resource: Resource, merge: Merge, options: MergeOptions) {
  const { allLanguages, match } = options
  const { mayHaveTranslations } = await import('./shared/translations.ts')
  const { requireLanguages } = await import('../../client/languages/known-languages.ts')
  const { SetReader } = await import('../../care/translations/read-sets.ts')
  if (allLanguages) await requireLanguages(client, '--all-languages')
  else if (!mayHaveTranslations(client)) return []
  const { translatedMerges } = await import('../../care/doubles/merge-plan.ts')
  const sets = new SetReader({ client, match })
  return translatedMerges(client, { sets, resource, onlyQuick: allLanguages !== true }, merge)
}

/** `the translations in es are not merged: calctl venues merge 91 95 --lang es (or add --all-languages)` */
const unmergedNote = ({ name }: Resource, { language, survivor, others }: Merge): string => {
  const ids = [survivor, ...others].map(({ id }) => id).join(' ')
  return phrase('the translations in {language} are not merged: {command} (or add --all-languages)', {
    language: language ?? '',
    command: `calctl ${name} merge ${ids} --lang ${language}`,
  })
}

/** calctl dedupe [resource...]: lists possible duplicates in pairs, asks about them, or merges them. */
export function dedupe(command: Command, app: App): void {
  command
    .addArgument(resourceArgument('[resource...]', phrase('Resources to compare (default: all)')))
    .optionsGroup('Pairs:')
    .option('--review', phrase('Show the pairs of one resource side by side, and merge those that you confirm'))
    .option(
      '--threshold <score>',
      phrase('Minimum score of a pair, from 0 to 1 (default: 0.7; with --yes 0.98)'),
      readScore,
    )
    .option('--limit <number>', phrase('Maximum number of pairs'), wholeNumber('--limit', 1))
    .addHelpText('after', examples())
  planOptions(command)
  declareOutput(command, (args, options) =>
    options.review || options.dryRun || app.globals.yes ? planOutput(args, options) : rowsOutput(pairShape),
  ).action(async (names: ResourceName[], options: DedupeOptions) =>
    (await import('./find-doubles.ts')).findDoubles(app, names, options),
  )
}

function readScore(text: string): number {
  const score = Number(text)
  if (text.trim() === '' || !(score >= 0 && score <= 1))
    throw wrongValue('--threshold', phrase('a number from 0 to 1'), text, '0.9')
  return score
}

const examples = (): string => `
${phrase('Without --review, --yes or --dry-run, pairs are only listed. --yes merges the certain ones; --dry-run shows what --yes would do. These three take one resource.')}

${phrase('--review asks for one letter: l keeps the left record, r the right one, m fills in the left one from the right one, n says that they are not the same, s skips the pair, q stops.')}`
