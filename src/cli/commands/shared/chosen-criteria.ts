import { excluding } from '../../../base/failure.ts'
import { readDate } from '../../../base/time/dates.ts'
import type { Reads, Values } from '../../../client/client.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import { allDates, dateFilterNames } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { type CriteriaOptions, criteriaGiven } from './criteria-options.ts'
import { notFilteredBy } from './filter-options.ts'
import { daysGiven, flagName } from './options.ts'
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
  if (dateFilter) throw excluding('--all-dates', flagName(dateFilter))
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
  if (day !== undefined && filter !== undefined) throw excluding(`--${day}`, flagName(filter))
}
