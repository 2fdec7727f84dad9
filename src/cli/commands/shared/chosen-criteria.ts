import type { Command } from 'commander'
import { excluding, type Failure, usage } from '../../../base/failure.ts'
import { asOption, listOf } from '../../../base/text/sentence-parts.ts'
import { readDate } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Reads, Values } from '../../../client/client.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import { resources } from '../../../contract/contract.ts'
import { allDates, dateFilterNames, type Filter } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordsNoun } from '../../../contract/resource-words.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { type CriteriaOptions, criteriaGiven } from './criteria-options.ts'
import { addFieldOption, daysGiven, typedValues } from './options.ts'
import type { TypedSearch } from './read-criteria.ts'

/** What a command line searches for. */
type Search = TypedSearch<CriteriaOptions>

/** The filters, without the default dates of a list if `--all-dates` is given. */
export function withAllDates(resource: Resource, filters: Values, options: CriteriaOptions): Values {
  checkAllDates(resource, filters, options)
  return options.allDates ? { ...filters, ...allDates } : filters
}

/** Throws `usage` for `--all-dates` together with options that choose dates. */
export function checkAllDates(resource: Resource, filters: Values, options: CriteriaOptions): void {
  if (!options.allDates) return
  const dateFilter = dateFilterNames(resource.filters).find(name => filters[name] !== undefined)
  const [day] = daysGiven(options)
  if (dateFilter) throw excluding('--all-dates', asOption(dateFilter))
  if (day) throw excluding('--all-dates', `--${day}`)
}

/**
 * Whether the API takes the filters and options as they are, with IDs or slugs of terms, and dates in the API's form: then a command sends
 * them without loading anything else.
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

/** Reads criteria. Throws `usage` for what cannot be read, before any request except one for the time zone of the site. */
export async function readCriteria(app: App, client: Reads, search: Search): Promise<Criteria> {
  if (isPlain(search)) return { filters: search.filters }
  checkDays(search)
  const { readTypedCriteria } = await import('./read-criteria.ts')
  return readTypedCriteria(app, client, search)
}

/** Refuses days for anything but events, and together with the API's filters by date, which follow other rules. */
function checkDays({ resources, filters, options }: Search): void {
  const [day] = daysGiven(options)
  if (day !== undefined && !resources.some(({ name }) => name === 'events')) throw notFilteredBy(resources, `--${day}`)
  const names = resources.flatMap(resource => [...dateFilterNames(resource.filters), 'strict_dates'])
  const filter = names.find(name => filters[name] !== undefined)
  if (day !== undefined && filter !== undefined) throw excluding(`--${day}`, asOption(filter))
}

/** The filters of all resources, each name once, without sort orders, because these select nothing. */
const filters: readonly [string, Filter][] = [
  ...new Map(resources.toReversed().flatMap(resource => Object.entries(resource.filters))),
].filter(([name]) => name !== 'order' && name !== 'orderby')

/** Adds the filters of all resources; each applies to the resources that have it. */
export function filterOptions(command: Command): Command {
  for (const [name, filter] of filters) addFieldOption(command, name, filter)
  return command
}

/** Reads the options for filters; throws `usage` for one that none of these resources has. */
export async function typedFilters(selected: readonly Resource[], options: Values): Promise<Values> {
  const typed = await typedValues(filters, options)
  const unusable = Object.keys(typed).find(name => !selected.some(resource => name in resource.filters))
  if (unusable) throw notFilteredBy(selected, asOption(unusable))
  return typed
}

const notFilteredBy = (selected: readonly Resource[], option: string): Failure =>
  usage(
    phrase('{list} cannot be filtered by {option}', { list: nounsOf(selected), option }),
    phrase('leave it out, or name a resource that has this filter'),
  )

/** `events and venues` */
export const nounsOf = (selected: readonly Resource[]): string => listOf(selected.map(({ name }) => recordsNoun(name)))
