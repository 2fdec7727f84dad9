import type { Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Calendar } from './calendar.ts'
import type { Page, Values } from './client.ts'

/** A list that is to be read whole: how a page of it is asked for, and where its end would be told. */
export interface PagesOptions {
  readonly resource: Resource
  readonly filters: Values
  list(filters: Values): Promise<Page>
  readonly calendar: Calendar
  readonly wanted: number
  notice(text: string): Promise<void>
}

/** The IDs that came, and how many records came again. */
interface Progress {
  readonly seen: Set<number>
  doubles: number
}

/**
 * All pages of a list, each record once. Some services repeat records and leave out others, and records move while pages are
 * turned: what is missing at the end is asked for again in another way; if it still does not come, that is a failure.
 */
export async function* readPages(reading: PagesOptions): AsyncGenerator<Page> {
  const { resource, filters, list, wanted } = reading
  const progress: Progress = { seen: new Set(), doubles: 0 }
  const first = Number(filters.page ?? 1)
  let total = 0
  let largest = 0
  for await (const page of walk(number => list({ ...filters, page: number }), first, wanted, progress)) {
    total = page.total
    largest = Math.max(largest, total)
    yield page
  }
  const has = (expected: number) => progress.seen.size >= Math.min(expected, wanted)
  const { doubles } = progress
  if (first > 1 || has(largest)) return
  for (const other of otherWays(resource, filters)) {
    const again = (number: number) => list({ ...filters, ...other, page: number })
    for await (const page of permitted(walk(again, 1, wanted, progress)))
      if (page.records.length > 0) yield { ...page, total }
    if (has(largest)) return
  }
  if (!has(total)) await tellMissing(reading, progress.seen.size, total, doubles > 0)
}

/**
 * Pages from `first` on, by number. The next one is asked for while this one is used, but none beyond the `wanted` records.
 * The service's count of pages is believed anew each time, and an empty page is the end: records come and go meanwhile.
 */
async function* walk(
  page: (number: number) => Promise<Page>,
  first: number,
  wanted: number,
  progress: Progress,
): AsyncGenerator<Page> {
  let next: Promise<Page> | undefined = page(first)
  for (let number = first; next; number++) {
    const current: Page = await next
    if (current.records.length === 0) return
    const records = current.records.filter(({ id }) => isNew(id, progress))
    next = number < current.pages && progress.seen.size < wanted ? page(number + 1) : undefined
    // Whoever stops reading early never asks what became of it.
    next?.catch(() => {})
    yield { ...current, records }
  }
}

function isNew(id: number, progress: Progress): boolean {
  if (progress.seen.has(id)) {
    progress.doubles += 1
    return false
  }
  progress.seen.add(id)
  return true
}

/** Who may not ask for a status does not miss it. */
async function* permitted(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'refused') throw error
  }
}

/** The same list again; where several statuses in one list make its order uncertain, each by itself. */
function otherWays({ name }: Resource, { status }: Values): Values[] {
  if (status !== undefined || (name !== 'venues' && name !== 'organizers')) return [{}]
  return ['publish', 'draft', 'pending', 'private', 'future'].map(status => ({ status }))
}

/** Without doubles it is the total that is wrong: some services count what they do not show. */
async function tellMissing(
  { resource, calendar, notice }: PagesOptions,
  read: number,
  total: number,
  isUnsteady: boolean,
): Promise<void> {
  const shown = `${read} of ${total} ${resource.name} could be read`
  if (!isUnsteady) return notice(`${shown}: ${calendar.label} counts more than it shows`)
  throw new Failure('partial', `${shown}: ${calendar.label} pages them unsteadily`, {
    hint: 'ask for less at once, for example: --status publish',
  })
}
