import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { excluding, Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/similarity.ts'
import { readDate } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Reads, Values } from '../../../client/client.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { allDates, dateFilterNames } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordsNoun } from '../../../contract/resource-words.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { type NewsletterForm, newsletterForms } from '../../world.ts'
import { addFieldOption, type DayOptions, dayFlag, dayOptions, daysGiven, flagName, repeatable } from './options.ts'
import { declareOutput, readRecordsOutput } from './output-forms.ts'
import type { TypedCriteria, TypedSearch } from './read-criteria.ts'

/** The options that ask for records next to the API's filters, the same for every command that takes several records. */
export interface CriteriaOptions extends TypedCriteria {
  readonly allDates?: true
}

/** What a command line looks for. */
type Search = TypedSearch<CriteriaOptions>

/** Adds `--on` and the like where events are asked for, `--where` and `--modified-after`, in a group of the help. */
export function criteriaOptions(
  command: Command,
  resources: readonly Resource[],
  group = 'Filters:',
  withoutDays: readonly (keyof DayOptions)[] = [],
): Command {
  command.optionsGroup(group)
  if (resources.some(({ name }) => name === 'events')) dayOptions(command, withoutDays)
  return conditionOptions(command, resources)
}

/** Adds the options for what the API has no filter for. */
function conditionOptions(command: Command, resources: readonly Resource[]): Command {
  command.option(
    '--where <condition>',
    phrase("Only records that meet this condition, for example 'image=none', 'cost>20' or 'title~jazz'; repeatable"),
    repeatable,
  )
  if (resources.some(({ trashable }) => trashable))
    command.option(
      '--modified-after <date>',
      phrase('Only records changed after this time, or after the end of this day'),
    )
  return command
}

/** Adds `--all-dates` where a list has dates by itself. */
export function allDatesOption(command: Command, { filters }: Resource): Command {
  if (dateFilterNames(filters).length === 0) return command
  return command.option('--all-dates', phrase('Include past events and those in the distant future'))
}

/** Filters without the dates that a list has by itself, if `--all-dates` is given. */
export function withAllDates(resource: Resource, filters: Values, options: CriteriaOptions): Values {
  checkAllDates(resource, filters, options)
  return options.allDates ? { ...filters, ...allDates } : filters
}

/** Throws `usage` for `--all-dates` with others that choose dates. */
export function checkAllDates(resource: Resource, filters: Values, options: CriteriaOptions): void {
  if (!options.allDates) return
  const dateFilter = dateFilterNames(resource.filters).find(name => filters[name] !== undefined)
  const [day] = daysGiven(options)
  if (dateFilter) throw excluding('--all-dates', flagName(dateFilter))
  if (day) throw excluding('--all-dates', dayFlag[day])
}

/** The same options for all that has not ended, if they name no days: lists leave out what is on already. */
export function untilEnded<T extends CriteriaOptions>(resource: Resource, filters: Values, options: T): T {
  const dates = dateFilterNames(resource.filters)
  const isDated = options.allDates || daysGiven(options).length > 0 || filters.include !== undefined
  if (dates.length === 0 || isDated || dates.some(name => filters[name] !== undefined)) return options
  return { ...options, from: 'today' }
}

/** The criteria that are given, by their options. */
export const criteriaGiven = (options: CriteriaOptions): string[] => [
  ...daysGiven(options).map(name => dayFlag[name]),
  ...(options.where ? ['--where'] : []),
  ...(options.modifiedAfter === undefined ? [] : ['--modified-after']),
]

/**
 * Whether filters and options are what the API takes as it is: then a command sends them without loading anything else. Records are
 * IDs, or slugs of terms, and dates are in the API's form.
 */
function isPlain({ resources, filters, options }: Search): boolean {
  if (criteriaGiven(options).length > 0) return false
  return Object.entries(filters).every(([name, value]) => {
    const filter = resources.find(resource => name in resource.filters)?.filters[name]
    if (filter?.kind.shape === 'moment') return readDate(String(value)) !== undefined
    const isId = (link: unknown) => typeof link === 'number' || (filter?.kind.isTerms && isSlug(String(link)))
    return !filter?.of || [value].flat().every(isId)
  })
}

/** Reads criteria; throws `usage` for what cannot be understood, before anything but the site's time zone is asked. */
export async function readCriteria(app: App, client: Reads, search: Search): Promise<Criteria> {
  if (isPlain(search)) return { filters: search.filters }
  checkDays(search)
  const { readTypedCriteria } = await import('./read-criteria.ts')
  return readTypedCriteria(app, client, search)
}

/** Days are of events, and cannot be combined with the API's filters by date, which have other rules. */
function checkDays({ resources, filters, options }: Search): void {
  const [day] = daysGiven(options)
  if (day !== undefined && !resources.some(({ name }) => name === 'events'))
    throw new Failure(
      'usage',
      phrase('{list} cannot be filtered by {option}', {
        list: listOf(resources.map(({ name }) => recordsNoun(name))),
        option: dayFlag[day],
      }),
      {
        hint: phrase('leave it out, or name a resource that has this filter'),
      },
    )
  const names = resources.flatMap(resource => [...dateFilterNames(resource.filters), 'strict_dates'])
  const filter = names.find(name => filters[name] !== undefined)
  if (day !== undefined && filter !== undefined) throw excluding(dayFlag[day], flagName(filter))
}

const events = resourceNamed('events')

/** The days of a calendar are chosen as a whole: the filters of the API by dates would contradict them. */
const dateFilters = new Set([...dateFilterNames(events.filters), 'strict_dates'])

/** The filters of `agenda` and `month`; not those that make sense only together. */
export const calendarFilters = Object.entries(events.filters).filter(
  ([name, { requires }]) => !dateFilters.has(name) && !requires,
)

/** The records of a list. A feed is what `events list` is for: it has more options. */
const listed = readRecordsOutput(events)
const output = { ...listed, forms: [...listed.forms.filter(form => form !== 'ics'), ...newsletterForms] }

export interface CalendarOptions extends Values, Pick<CriteriaOptions, 'where' | 'modifiedAfter'> {
  readonly html?: string
  readonly with?: 'private'
}

/** The options of `agenda` and `month`: filters of events, and what is published: a sheet to print, a newsletter. */
export function calendarOptions(command: Command, addDays: (command: Command) => void = () => {}): Command {
  command.optionsGroup('Filters:')
  addDays(command)
  conditionOptions(command, [events])
  for (const [name, filter] of calendarFilters) addFieldOption(command, name, filter)
  command
    .optionsGroup('Output:')
    .option('--html <file>', phrase('Write a sheet to print, in the language of the content (- for stdout)'))
    .addOption(
      new Option(
        '--with <events>',
        phrase(
          'Add to a sheet or newsletter what the public does not see: drafts, private, hidden and protected events',
        ),
      ).choices(['private']),
    )
  return declareOutput(command, output)
}

/** Whether a calendar is drawn for people, not printed as records. */
export const isDrawn = ({ output, globals }: App): boolean => output === undefined && globals.fields === undefined

/** The form of a newsletter, if one is asked for. */
export const newsletterForm = ({ output }: App): NewsletterForm | undefined =>
  newsletterForms.find(form => form === output)

/** The file for a sheet, if one is asked for. Throws `usage` if it cannot be written, or if that would overwrite what is no sheet. */
export async function sheetFile(app: App, { html }: CalendarOptions): Promise<string | undefined> {
  if (html === undefined) return undefined
  if (!isDrawn(app)) throw excluding('--html', app.output === undefined ? '--fields' : `-o ${app.output}`)
  if (html === '-') return html
  const { checkOwn, checkWritable, startOf } = await import('./output-forms.ts')
  const { sheetMark } = await import('../../../files/print/sheet-page.ts')
  const path = resolve(app.world.cwd, html)
  await checkOwn(path, html, phrase('a sheet of calctl'), async name => startOf(name).includes(sheetMark))
  checkWritable(path, html)
  return html
}
