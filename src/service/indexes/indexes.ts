/**
 * Indexes of a calendar, so that answers need not read all of its events: timelines in the order of lists, the events that link to a
 * record, counts by term and by window of time. Input: a store; every index follows its changes from its first use on. Output: ranges of
 * rows, and counts. Nothing here depends on requests or dialects.
 */

import { memoizeByObject } from '../../base/memoize.ts'
import { msWall } from '../../base/time/dates.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { Refusal } from '../refusal.ts'
import type { CategoryRow, EventRow, PostTable, TableName, TermRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { createTimeline, type Timeline, type View } from './timeline.ts'

export interface Indexes {
  /** How many published events have a category or tag. */
  countEvents(term: TermRow | CategoryRow): number
  timeline(view: View): Timeline
}

/** The indexes of a calendar, built on first use. */
export const indexesOf = memoizeByObject(createIndexes)

function createIndexes(store: Store): Indexes {
  const events = store.table('events')
  let counts: TermCounts | undefined
  const timelines = createCache<Timeline>(12)
  store.onChange(change => {
    if (change.table !== 'events') return
    for (const index of [counts, ...timelines.values()]) index?.follow(change.before, change.after)
  })
  return {
    countEvents(term) {
      counts ??= createTermCounts(events.values())
      return counts.get(term)
    },
    timeline: view => timelines.get(JSON.stringify(view), () => createTimeline(view, events.values())),
  }
}

/** How many published events have each category and tag. */
interface TermCounts {
  get(term: TermRow | CategoryRow): number
  follow(before: EventRow | undefined, after: EventRow | undefined): void
}

function createTermCounts(events: Iterable<EventRow>): TermCounts {
  const counts = { categories: new Map<number, number>(), tags: new Map<number, number>() }
  const add = (event: EventRow | undefined, step: 1 | -1) => {
    if (event?.status !== 'publish') return
    for (const id of event.categories) counts.categories.set(id, (counts.categories.get(id) ?? 0) + step)
    for (const id of event.tags) counts.tags.set(id, (counts.tags.get(id) ?? 0) + step)
  }
  for (const event of events) add(event, 1)
  return {
    get: term => counts['parent' in term ? 'categories' : 'tags'].get(term.id) ?? 0,
    follow(before, after) {
      add(before, -1)
      add(after, 1)
    },
  }
}

/** A least-recently-used cache. */
export interface Cache<T> {
  get(key: string, build: () => T): T
  values(): Iterable<T>
}

export function createCache<T>(capacity: number): Cache<T> {
  const entries = new Map<string, T>()
  return {
    get(key, build) {
      const value = entries.get(key) ?? build()
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      return value
    },
    values: () => entries.values(),
  }
}

/** A value for each calendar, made anew after a write. */
export function sinceWrite<T>(make: () => T): (store: Store) => T {
  const known = new WeakMap<Store, { readonly version: number; readonly value: T }>()
  return store => {
    const latest = known.get(store)
    if (latest?.version === store.version) return latest.value
    const value = make()
    known.set(store, { version: store.version, value })
    return value
  }
}

/** The tables whose rows have a language. */
const tables = ['events', 'venues', 'organizers', 'categories', 'tags'] as const satisfies readonly TableName[]

type Counts = Map<Language, number>

const countsByStore = new WeakMap<Store, () => Counts>()

/** The header that names the languages of a calendar, if it has several. */
export function languagesHeader(store: Store): Readonly<Record<string, string>> {
  const counts = countsOf(store)
  const used = languages.filter(language => (counts.get(language) ?? 0) > 0)
  return used.length > 1 ? { 'x-calendar-languages': used.join(', ') } : {}
}

/** Counted once, and then with every change. */
function countsOf(store: Store): Counts {
  const known = countsByStore.get(store)
  if (known) return known()
  let counts: Counts | undefined
  const add = (row: object | undefined, number: number) => {
    if (!counts || !row || !('lang_code' in row)) return
    const language = row.lang_code as Language
    counts.set(language, (counts.get(language) ?? 0) + number)
  }
  store.onChange(({ before, after }) => {
    add(before, -1)
    add(after, 1)
  })
  store.onReread(() => {
    counts = undefined
  })
  const count = () => {
    if (counts) return counts
    counts = new Map()
    for (const name of tables) for (const row of store.table(name).values()) add(row, 1)
    return counts
  }
  countsByStore.set(store, count)
  return count()
}

const postTables: readonly PostTable[] = ['events', 'venues', 'organizers']

/** Publishes scheduled posts when a request arrives after their date, as WordPress does. A read-only calendar leaves them. */
export async function publishScheduled(store: Store, now: Date): Promise<void> {
  const schedule = scheduleOf(store)
  if (schedule.size === 0) return
  const moment = msWall(now.getTime())
  const due = [...schedule].filter(([, date]) => date <= moment).map(([id]) => id)
  if (due.length === 0) return
  try {
    await store.write(writing => {
      for (const name of postTables)
        for (const row of due.flatMap(id => store.table(name).get(id) ?? []))
          writing.put(name, { ...row, status: 'publish' })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The publication dates of scheduled posts, in UTC, by ID. */
type Schedule = Map<number, string>

/** Built with the first request, and updated with every change. */
const scheduleOf = memoizeByObject((store: Store): Schedule => {
  const schedule: Schedule = new Map()
  for (const name of postTables)
    for (const { id, status, date_utc } of store.table(name).values())
      if (status === 'future') schedule.set(id, date_utc)
  store.onChange(({ table, id, after }) => {
    if (table === 'categories' || table === 'tags') return
    if (after && 'status' in after && after.status === 'future') schedule.set(id, after.date_utc)
    else schedule.delete(id)
  })
  return schedule
})
