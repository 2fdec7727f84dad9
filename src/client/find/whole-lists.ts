import { Failure } from '../../base/failure.ts'
import { dayAfter } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { allDates, dateFilterNames, largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { emptyToo, type Resource } from '../../contract/resource.ts'
import { recordCount } from '../../contract/resource-words.ts'
import type { Calendar, Page, Values } from '../client.ts'

export interface ListScope {
  readonly resource: Resource
  readonly language?: Language | undefined
  /** The records in the trash. */
  readonly trashed?: boolean
  /** Only events that start between these days, both included; a few more may be read. */
  readonly days?: readonly [first: string, last: string] | undefined
}

/** The query for a list that leaves out only what the filters exclude: by default, services hide past events and unused terms. */
export function wholeListQuery({ resource, language, trashed, days }: ListScope, filters: Values = {}): Values {
  const dateFilters = dateFilterNames(resource.filters)
  const isDated = dateFilters.some(name => filters[name] !== undefined)
  return {
    per_page: largestPage,
    ...(dateFilters.length > 0 && !isDated && (days ? aroundDays(days) : allDates)),
    ...emptyToo(resource),
    ...(trashed && { status: 'trash' }),
    ...(language && { lang_code: language }),
    ...filters,
  }
}

/** A day more on each side: a day of the site can be the day before or after in the zone of an event. */
const aroundDays = ([first, last]: readonly [string, string]): Values => ({
  starts_after: dayAfter(first, -3),
  starts_before: dayAfter(last, 2),
})

/**
 * The totals of a list, which its rows must match: a cache, a firewall or a plugin may leave out records, and `apply` would create them
 * again. Each page is checked when it comes, and all of them together after the last one.
 */
type Totals = Pick<Page, 'total' | 'pages'>

/** Whether a page with this many rows fits the totals of its list. A site may give shorter pages than were asked for. */
export function hasItsRows(rows: number, { total, pages }: Totals, { page = 1, per_page: size }: Values): boolean {
  const number = Number(page)
  const largest = number < pages ? rows : Number(size ?? Number.POSITIVE_INFINITY)
  const before = number === 1 ? 0 : (number - 1) * largest
  const after = Math.max(0, pages - number) * rows
  return rows <= total && total <= before + rows + after
}

/** Whether a page of `wp/v2` is complete: that API always gives as many rows as were asked for. */
export const hasAllRows = (rows: number, total: number, { page = 1, per_page: size }: Values): boolean =>
  rows === Math.min(Number(size), Math.max(0, total - (Number(page) - 1) * Number(size)))

/** The failure for a page that has fewer rows than it counts. */
export const wrongTotals = (calendar: Calendar, listed: string, total: number) =>
  new Failure(
    'partial',
    phrase('{calendar} lists {listed} and counts {total}', { calendar: calendar.label, listed, total }),
    {
      hint: phrase(
        'a cache or a plugin of the site may leave records out: try again later, or look at the answer with: --debug',
      ),
    },
  )

/**
 * The query whose answer tells whether a search without rows found nothing: in that case, The Events Calendar counts all venues or
 * organizers. Undefined for any other list.
 */
export function withoutSearch({ name }: Resource, rows: number, filters: Values): Values | undefined {
  if (rows > 0 || filters.search === undefined || (name !== 'venues' && name !== 'organizers')) return undefined
  const { search, page, ...others } = filters
  return { ...others, per_page: largestPage }
}

/** Whether a search without rows found nothing: the list of all records has the same total, and no record of such a name. */
export function foundNothing({ title }: Resource, search: unknown, total: number, all: Page): boolean {
  const text = String(search).trim().toLowerCase()
  // A search has special characters, and sites store some characters in another form than they show.
  const isPlain = /^[\p{L}\p{N} ]+$/u.test(text)
  const isFound = isPlain && all.records.some(record => String(record[title]).toLowerCase().includes(text))
  return all.total === total && !isFound
}

/** A list to be read to its end. */
export interface PagesOptions {
  readonly resource: Resource
  readonly filters: Values
  list(filters: Values): Promise<Page>
  readonly calendar: Calendar
  readonly wanted: number
}

/** The IDs read so far, and how many records came more than once. */
interface Progress {
  readonly ids: Set<number>
  repeated: number
}

/**
 * All pages of a list, each record once. Some services repeat records and leave out others, and records move from page to page while others
 * are created or deleted. What is missing at the end is requested again in another order; if it is still missing, that is a failure.
 */
export async function* readPages(options: PagesOptions): AsyncGenerator<Page> {
  const { filters, wanted } = options
  const progress: Progress = { ids: new Set(), repeated: 0 }
  const first = Number(filters.page ?? 1)
  const skipped = first === 1 ? 0 : (first - 1) * Number(filters.per_page ?? Number.POSITIVE_INFINITY)
  const isComplete = (expected: number) => progress.ids.size >= Math.min(expected - skipped, wanted)
  let total = 0
  let largest = 0
  for await (const page of walk(options, progress)) {
    total = page.total
    largest = Math.max(largest, total)
    yield page
  }
  // Counted before the list is read again, which repeats all records.
  const { repeated } = progress
  if (isComplete(largest)) return
  for (const other of alternatives(options)) {
    const again = walk({ ...options, filters: { ...filters, ...other } }, progress)
    const counted = yield* found(skipRefused(other, again), total)
    if (isComplete(largest)) return
    // If records were deleted since, the whole list is shorter; the part of it with one status is at most as long.
    total = other.status === undefined ? counted : Math.max(total, counted)
  }
  if (!isComplete(total)) throw missingRecords(options, progress.ids.size, total, repeated > 0)
}

/** The pages with records that have not been read yet, with the total of the first reading; returns the largest total among them. */
async function* found(pages: AsyncIterable<Page>, total: number): AsyncGenerator<Page, number> {
  let counted = 0
  for await (const page of pages) {
    counted = Math.max(counted, page.total)
    if (page.records.length > 0) yield { ...page, total }
  }
  return counted
}

/** The pages of a list that counts what this user may not see, but leaves it out, so that any page can be short or empty. */
export const readShownPages = (options: PagesOptions): AsyncGenerator<Page> =>
  walk(options, { ids: new Set(), repeated: 0 })

/** The largest number of pages that are requested from a site at once, after the first one has told how many there are. */
const mostAtOnce = 4

/** A page that takes this many times as long as the fastest one is slow, and fewer are requested at once. */
const slowdown = 4

/** How many pages are requested at once: fewer when a site becomes slow or answers 429, more when it recovers. */
class Pace {
  #atOnce: number
  #fastest = Number.POSITIVE_INFINITY
  /** How many pages in a row were quick. */
  #quick = 0

  constructor(readonly most: number) {
    this.#atOnce = most
  }

  get atOnce(): number {
    return this.#atOnce
  }

  async timed<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await work()
    const time = performance.now() - start
    this.#fastest = Math.min(this.#fastest, time)
    const isSlow = time > slowdown * Math.max(this.#fastest, leastTime)
    this.#quick = isSlow ? 0 : this.#quick + 1
    if (isSlow) this.#atOnce = Math.max(1, Math.floor(this.#atOnce / 2))
    else if (this.#quick % recovery === 0) this.#atOnce = Math.min(this.most, this.#atOnce + 1)
    return result
  }
}

/** After this many quick pages in a row, one more is requested at once. */
const recovery = 8

/** In ms: shorter times tell nothing about a site. */
const leastTime = 25

/**
 * Pages from `first` on, in order. The next ones are requested while one is used, but none beyond the `wanted` records. The number of pages
 * is taken from each answer, and a page that only repeats records is the end: records are added and removed during the reading, and a site
 * may claim any number of pages.
 */
async function* walk({ filters, list, calendar, wanted }: PagesOptions, progress: Progress): AsyncGenerator<Page> {
  const pace = new Pace(calendar.baseUrl === undefined ? 1 : mostAtOnce)
  const request = (number: number) => pace.timed(() => list({ ...filters, page: number }))
  let asked = Number(filters.page ?? 1)
  const requested = [request(asked)]
  const walked = new Set<number>()
  for (let next = requested.shift(); next; next = requested.shift()) {
    const current: Page = await next
    const records = current.records.filter(({ id }) => isNew(id, progress))
    const before = walked.size
    for (const { id } of current.records) walked.add(id)
    if (walked.size === before && (current.records.length > 0 || current.total === 0)) return
    const isWanted = () => progress.ids.size + requested.length * current.records.length < wanted
    while (requested.length < pace.atOnce && asked < current.pages && isWanted()) {
      const another = request(++asked)
      // A caller that stops early never awaits this request.
      another.catch(() => {})
      requested.push(another)
    }
    yield { ...current, records }
  }
}

function isNew(id: number, progress: Progress): boolean {
  if (progress.ids.has(id)) {
    progress.repeated += 1
    return false
  }
  progress.ids.add(id)
  return true
}

/** The pages; ends if the service refuses a status that is not public: records that this user may not see are not missing. */
async function* skipRefused({ status = 'publish' }: Values, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages
  } catch (error) {
    const isRefused = error instanceof Failure && (error.kind === 'refused' || error.details.status === 403)
    if (!isRefused || status === 'publish') throw error
  }
}

/**
 * Filters with which to read the list again: production pages venues and organizers of several statuses in no fixed order, but those of a
 * single status in a fixed one.
 */
function alternatives({ resource: { name }, filters: { status, page = 1 } }: PagesOptions): Values[] {
  const isSteady = status !== undefined || (name !== 'venues' && name !== 'organizers')
  if (isSteady || Number(page) > 1) return [{}]
  return ['publish', 'draft', 'pending', 'private', 'future'].map(status => ({ status }))
}

function missingRecords({ resource, calendar }: PagesOptions, read: number, total: number, isInconsistent: boolean) {
  if (!isInconsistent) return wrongTotals(calendar, recordCount(read, resource.name), total)
  const message = phrase('{count} of {records} could be read: {calendar} returned inconsistent pages', {
    count: read,
    records: recordCount(total, resource.name),
    calendar: calendar.label,
  })
  return new Failure('partial', message, { hint: phrase('read fewer at a time, for example with: --status publish') })
}
