import { Argument, type Command } from 'commander'
import type { Values } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { App } from '../app.ts'
import type { CopyOptions } from './languages/copy-missing.ts'
import type { StatusOptions } from './languages/show-status.ts'
import { criteriaOptions } from './shared/criteria-options.ts'
import { commaSeparated, fieldNames, filterOptions } from './shared/options.ts'
import { declareOutput, planOutput, rowsOutput, statusShape } from './shared/output-forms.ts'
import { planOptions } from './shared/plan-options.ts'
import { orOnStdin } from './shared/refs.ts'

export const languagesDescription = 'Find missing translations, and create them by copying'

/** calctl languages: the translations of records. */
export function languages(command: Command, app: App): void {
  status(
    command.command('status').description('Show which translations exist; exit status 1 if something is missing'),
    app,
  )
  copy(
    command
      .command('copy')
      .description('Create missing translations as drafts, with the dates, places and texts of another language'),
    app,
  )
}

function status(command: Command, app: App): void {
  command.addArgument(
    new Argument('[resource]', 'Resource to look at').choices(resources.map(({ name }) => name)).default('events'),
  )
  filterOptions(criteriaOptions(command, resources))
    .option('--all-dates', 'Include past events and those in the distant future')
    .optionsGroup('Translations:')
    .option('--gaps', 'Show only incomplete sets: missing, draft, older, same text, other facts')
    .option(matchOption, matchDescription, fieldNames)
    .addHelpText('after', examples)
  declareOutput(command, rowsOutput(statusShape)).action(
    async (name: ResourceName, options: StatusOptions & Values) => {
      const { showStatus } = await import('./languages/show-status.ts')
      await showStatus(app, resourceNamed(name), options)
    },
  )
}

function copy(command: Command, app: App): void {
  command
    .argument(
      '[record...]',
      `A resource (default: events), then IDs or slugs${orOnStdin} (default: all that is missing)`,
    )
    .optionsGroup('Translations:')
    .option('--from <language>', 'Language of the records to copy (default: that of the calendar)')
    .option('--to <languages>', 'Languages that get them, for example en,es (default: all others)', commaSeparated)
    .option('--create-missing', 'Also copy the venues, organizers, categories and tags that the records link to')
    .option(matchOption, matchDescription, fieldNames)
    .option('--by-slug', 'Treat numbers as slugs')
  planOptions(command)
  filterOptions(criteriaOptions(command, resources, 'Selection:', ['from', 'to']))
    .option('--all-dates', 'Include past events and those in the distant future')
    .addHelpText('after', copyNotes)
  declareOutput(command, planOutput).action(async (words: string[], options: CopyOptions & Values) => {
    const { copyMissing } = await import('./languages/copy-missing.ts')
    await copyMissing(app, words, options)
  })
}

const matchOption = '--match <fields>'
const matchDescription = 'Find translations with other slugs by these fields, for example start_date+venue'

const copyNotes = `
A copy is a draft with the texts of the original, still to be translated. It has the same facts, and links to the same venue,
organizers, categories and tags in its own language. Categories and tags have no drafts: their copies are public at once.

Examples:
  calctl languages copy 57 --to es
  calctl languages copy --from ca --to en,es --dry-run
  calctl languages copy events --on saturday --to es --create-missing
  calctl languages copy venues 12 --to en`

const examples = `
Examples:
  calctl languages status
  calctl languages status --gaps -o csv > to-translate.csv
  calctl languages status venues
  calctl languages status --month december --match start_date+venue`
