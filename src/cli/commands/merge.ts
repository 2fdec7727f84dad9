import { Argument } from 'commander'
import type { Merge } from '../../care/doubles/merge-plan.ts'
import type { Client } from '../../client/client.ts'
import type { Resource } from '../../contract/resource.ts'
import { declareOutput, planOutput } from './shared/output-forms.ts'
import { type PlanOptions, planOptions } from './shared/plan-options.ts'
import { type TranslationOptions, translationOptions } from './shared/translation-options.ts'
import { readRef, type Verb, verbCommand } from './shared/verb-command.ts'

interface MergeOptions extends PlanOptions, TranslationOptions {
  readonly bySlug?: true
}

/** calctl <resource> merge <survivor> <other...>: makes one record of several, and moves to it what links to the others. */
export const merge: Verb = (parent, resource, app) => {
  const { name, singular, keys } = resource
  const command = verbCommand(parent, resource, 'merge', `Merge duplicate ${name}`)
  const duplicates =
    name === 'events' ? 'Duplicates to remove' : 'Duplicates to remove; their events move to the survivor'
  command
    .addArgument(new Argument('<survivor>', `The ${singular} to keep; it gets what it lacks from the others`))
    .addArgument(new Argument('<other...>', duplicates))
  if (keys.includes('slug')) command.optionsGroup('Selection:').option('--by-slug', 'Treat numbers as slugs')
  planOptions(translationOptions(command))
  declareOutput(command, planOutput)
  command.action(async (first: string, texts: string[], options: MergeOptions) => {
    const refs = [first, ...texts].map(text => readRef(resource, text, options.bySlug))
    const { buildContext } = await import('./shared/plan-from-files.ts')
    const { readMerged } = await import('../../care/doubles/merged-records.ts')
    const { planMerges } = await import('../../care/doubles/merge-plan.ts')
    const context = await buildContext(app)
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

async function readTranslated(
  client: Client,
  resource: Resource,
  merge: Merge,
  { allLanguages, match }: MergeOptions,
): Promise<Merge[]> {
  const { mayHaveTranslations } = await import('./shared/translations.ts')
  const { requireLanguages } = await import('../../client/languages/known-languages.ts')
  const { createSetReader } = await import('../../care/translations/read-sets.ts')
  if (allLanguages) await requireLanguages(client, '--all-languages')
  else if (!mayHaveTranslations(client)) return []
  const { translatedMerges } = await import('../../care/doubles/translated-merges.ts')
  return translatedMerges(client, createSetReader({ client, match }), resource, merge, allLanguages !== true)
}

/** `the translations in es are not merged: calctl venues merge 91 95 --lang es (or add --all-languages)` */
const unmergedNote = ({ name }: Resource, { language, survivor, others }: Merge): string => {
  const ids = [survivor, ...others].map(({ id }) => id).join(' ')
  return `the translations in ${language} are not merged: calctl ${name} merge ${ids} --lang ${language} (or add --all-languages)`
}
