import { allDates, largestPage } from '../contract/filter.ts'
import { emptyToo, type Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import { msWall, wallMs } from '../time/dates.ts'
import type { Values } from './client.ts'

/** A list of a resource. */
export interface ListScope {
  readonly resource: Resource
  readonly language?: Language | undefined
  /** Whether the trash is meant. */
  readonly trashed?: boolean
  /** Only events that begin on one of these days, of all there are; both included, more may be read. */
  readonly days?: readonly [first: string, last: string] | undefined
}

const windows = ['start_date', 'end_date', 'starts_after', 'starts_before', 'ends_after', 'ends_before']

/** What to ask a list for so that it leaves out nothing but what the filters say. */
export function wholeListQuery({ resource, language, trashed, days }: ListScope, filters: Values = {}): Values {
  const isDated = windows.some(name => filters[name] !== undefined)
  return {
    per_page: largestPage,
    ...('starts_after' in resource.filters && !isDated && (days ? around(days) : allDates)),
    ...emptyToo(resource),
    ...(trashed && { status: 'trash' }),
    ...(language && { lang_code: language }),
    ...filters,
  }
}

/** Days of the site, which may be those before or after in the zones of its events. */
const around = ([first, last]: readonly [string, string]): Values => ({
  starts_after: dayFrom(first, -3),
  starts_before: dayFrom(last, 2),
})

const dayFrom = (day: string, days: number): string =>
  msWall(wallMs(`${day} 00:00:00`) + days * 86_400_000).slice(0, 10)
