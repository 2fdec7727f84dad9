import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { Grouping } from '../../care/statistics.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { App } from '../app.ts'
import { spokenName } from '../terminal/spoken-name.ts'
import type { CheckOptions } from './check-records.ts'
import type { StatsOptions } from './count-events.ts'
import type { CopyOptions, StatusOptions } from './missing-translations.ts'
import { filterOptions } from './shared/chosen-criteria.ts'
import { criteriaOptions } from './shared/criteria-options.ts'
import { matchOption } from './shared/language-options.ts'
import { choiceOption, commaSeparated, resourceArgument, wholeNumber } from './shared/options.ts'
import { declareOutput, planOutput, rowsOutput } from './shared/output-forms.ts'
import { countShape, findingShape, queueShape, ruleShape, statusShape } from './shared/output-shapes.ts'
import { planOptions } from './shared/plan-options.ts'
import type { QueueOptions } from './waiting-events.ts'

const severities = ['error', 'warning', 'info'] as const

/** calctl lint [resource...]: what is wrong with the records of a calendar. */
export function lint(command: Command, app: App): void {
  command
    .addArgument(
      resourceArgument('[resource...]', phrase('Resources to check (default: all to which the filters apply)')),
    )
    .optionsGroup('Rules:')
    .option('--rules', phrase('List the rules, with the reason for each and how to fix what it finds'))
    .option('--only <rules>', phrase('Only these rules, for example mojibake,html-open'), commaSeparated)
    .addOption(choiceOption('--severity <level>', phrase('Lowest severity to report (default: warning)'), severities))
    .addOption(
      choiceOption('--fail-on <level>', phrase('Lowest severity for exit status 1 (default: warning)'), severities),
    )
    .addHelpText('after', lintNotes())
  filterOptions(criteriaOptions(command, resources))
  planOptions(
    command
      .optionsGroup('Rules:')
      .option('--fix', phrase('Fix what can be fixed safely, as a plan that is shown first')),
  )
  declareOutput(command, (args, options) => {
    if (options.fix) return planOutput(args, options)
    return rowsOutput(options.rules ? ruleShape : findingShape)
  }).action(async (names: ResourceName[], options: CheckOptions & Values & { readonly rules?: true }) => {
    if (options.rules) return (await import('./check-records.ts')).listRules(app, options)
    await (await import('./check-records.ts')).checkRecords(app, names, options, command)
  })
}

const lintNotes = () => `
${phrase('Add --severity info to include suggestions.')}`

export const groupings: Grouping[] = ['month', 'place', 'category', 'tag', 'organizer', 'language', 'price', 'status']

/** calctl stats: how many events there are in each month, at each place and so on. */
export function stats(command: Command, app: App): void {
  command
    .optionsGroup('Report:')
    .addOption(choiceOption('--by <what>', phrase('What to count by (default: month)'), groupings, spokenName))
    .option('--year <year>', phrase('The year of the report (default: this year)'), wholeNumber('--year', 1))
    .option(
      '--compare <year>',
      phrase('Also count the events of this year, on the same days'),
      wholeNumber('--compare', 1),
    )
  filterOptions(criteriaOptions(command, [resourceNamed('events')])).addHelpText('after', statsNotes())
  const forms = rowsOutput(countShape)
  declareOutput(command, { ...forms, forms: [...forms.forms, 'xlsx'] }).action(
    async (options: StatsOptions & Values) => {
      const { countEvents } = await import('./count-events.ts')
      await countEvents(app, options)
    },
  )
}

const statsNotes = () => `
${phrase('An event counts in the month in which it begins, and in each of its categories, tags and organizers.')}`

/** calctl queue: the events that wait to be published. */
export function queue(command: Command, app: App): void {
  filterOptions(criteriaOptions(command, [resourceNamed('events')]))
  command.option('--complete', phrase('Only events that lack nothing'))
  matchOption(command).addHelpText('after', queueNotes())
  declareOutput(command, rowsOutput(queueShape)).action(async (options: QueueOptions & Values) => {
    const { showQueue } = await import('./waiting-events.ts')
    await showQueue(app, options)
  })
}

const queueNotes = () => `
${phrase('Drafts and pending events of all dates, those that were saved longest ago first, with what each lacks: image, venue, price, description or a translation.')}`

/** calctl languages: the translations of records. */
export function languageCommands(command: Command, app: App): void {
  status(command.command('status'), app)
  copy(command.command('copy'), app)
}

function status(command: Command, app: App): void {
  command.description(phrase('Show which translations exist (exit status 1 if any are missing)'))
  command.addArgument(resourceArgument('[resource]', phrase('Resource to look at')).default('events'))
  filterOptions(criteriaOptions(command, resources))
    .option('--all-dates', phrase('Include past events and those in the distant future'))
    .optionsGroup('Translations:')
    .option('--gaps', phrase('Show only incomplete sets: missing, draft, older, same text, other facts'))
  matchOption(command).addHelpText('after', statusNotes())
  const forms = rowsOutput(statusShape)
  const otherwise = { xlsx: 'calctl languages status --gaps -o xlsx' }
  declareOutput(command, (_, { gaps }) =>
    gaps ? { ...forms, forms: [...forms.forms, 'xlsx'] } : { ...forms, otherwise },
  ).action(async (name: ResourceName, options: StatusOptions & Values) => {
    const { showStatus } = await import('./missing-translations.ts')
    await showStatus(app, resourceNamed(name), options)
  })
}

function copy(command: Command, app: App): void {
  command
    .description(phrase('Create missing translations as drafts, with the dates, places and texts of another language'))
    .argument(
      '[record...]',
      phrase(
        'A resource (default: events), then IDs or slugs, or - to read them from stdin, one per line (default: all that is missing)',
      ),
    )
    .optionsGroup('Translations:')
    .option('--from <language>', phrase('Language of the records to copy (default: that of the calendar)'))
    .option('--to <languages>', phrase('Target languages, for example en,es (default: all others)'), commaSeparated)
    .option(
      '--create-missing',
      phrase('Also copy the venues, organizers, categories and tags that the records link to'),
    )
  matchOption(command).option('--by-slug', phrase('Treat numbers as slugs'))
  planOptions(command)
  filterOptions(criteriaOptions(command, resources, 'Selection:', ['from', 'to']))
    .option('--all-dates', phrase('Include past events and those in the distant future'))
    .addHelpText('after', copyNotes())
  declareOutput(command, planOutput).action(async (words: string[], options: CopyOptions & Values) => {
    const { copyMissing } = await import('./missing-translations.ts')
    await copyMissing(app, words, options)
  })
}

const copyNotes = () => `
${phrase('A copy is a draft with the texts of the original, still to be translated. It has the same facts, and links to the same venue, organizers, categories and tags in its own language. Categories and tags have no drafts: their copies are public at once.')}`

const statusNotes = () => `
${phrase('With --gaps, -o xlsx, csv and tsv write a sheet for translators: a row for each text that is missing, with the original and a cell for each language. Apply the sheet once it is filled in.')}`
