import type { Command } from 'commander'
import { excluding, Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/similarity.ts'
import { readDate } from '../../../base/time/dates.ts'
import type { Reads, Values } from '../../../client/client.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import { allDates, dateFilterNames } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { type DayOptions, dayFlag, dayOptions, daysGiven } from './day-options.ts'
import { flagName, repeatable } from './options.ts'
import type { TypedCriteria } from './read-criteria.ts'

/** The options that ask for records next to the API's filters, the same for every command that takes several records. */
export interface CriteriaOptions extends TypedCriteria {
  readonly allDates?: true
}

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
export function conditionOptions(command: Command, resources: readonly Resource[]): Command {
  command.option(
    '--where <condition>',
    "Only records that meet this condition, for example 'image=none', 'cost>20' or 'title~jazz'; repeatable",
    repeatable,
  )
  if (resources.some(({ trashable }) => trashable))
    command.option('--modified-after <date>', 'Only records changed after this time, or after the end of this day')
  return command
}

/** Adds `--all-dates` where a list has dates by itself. */
export function allDatesOption(command: Command, { filters }: Resource): Command {
  if (dateFilterNames(filters).length === 0) return command
  return command.option('--all-dates', 'Include past events and those in the distant future')
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
function isPlain(resources: readonly Resource[], filters: Values, options: CriteriaOptions): boolean {
  if (criteriaGiven(options).length > 0) return false
  return Object.entries(filters).every(([name, value]) => {
    const filter = resources.find(resource => name in resource.filters)?.filters[name]
    if (filter?.kind.shape === 'moment') return readDate(String(value)) !== undefined
    const isId = (link: unknown) => typeof link === 'number' || (filter?.kind.isTerms && isSlug(String(link)))
    return !filter?.of || [value].flat().every(isId)
  })
}

/** Reads criteria; throws `usage` for what cannot be understood, before anything but the site's time zone is asked. */
export async function readCriteria(
  app: App,
  client: Reads,
  resources: readonly Resource[],
  filters: Values,
  options: CriteriaOptions,
): Promise<Criteria> {
  if (isPlain(resources, filters, options)) return { filters }
  checkDays(resources, filters, options)
  const { readTypedCriteria } = await import('./read-criteria.ts')
  return readTypedCriteria(app, client, resources, filters, options)
}

/** Days are of events, and cannot be combined with the API's filters by date, which have other rules. */
function checkDays(resources: readonly Resource[], filters: Values, options: CriteriaOptions): void {
  const [day] = daysGiven(options)
  if (day !== undefined && !resources.some(({ name }) => name === 'events'))
    throw new Failure('usage', `${listOf(resources.map(({ name }) => name))} cannot be filtered by ${dayFlag[day]}`, {
      hint: 'leave it out, or name a resource that has this filter',
    })
  const names = resources.flatMap(resource => [...dateFilterNames(resource.filters), 'strict_dates'])
  const filter = names.find(name => filters[name] !== undefined)
  if (day !== undefined && filter !== undefined) throw excluding(dayFlag[day], flagName(filter))
}
