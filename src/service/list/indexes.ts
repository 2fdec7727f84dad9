import type { EventRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { TermTable } from '../terms.ts'

/** What is kept in step with a calendar so that answers need not read all of it. */
export interface Indexes {
  /** How many published events have a category or tag. */
  count(of: TermTable, id: number): number
}

const kept = new WeakMap<Store, Indexes>()

/** The indexes of a calendar: each is made when first needed, and follows every change from then on. */
export function indexesOf(store: Store): Indexes {
  const known = kept.get(store)
  if (known) return known
  const indexes = createIndexes(store)
  kept.set(store, indexes)
  return indexes
}

function createIndexes(store: Store): Indexes {
  let counts: TermCounts | undefined
  store.onChange(change => {
    if (change.table === 'events') counts?.follow(change.before, change.after)
  })
  return {
    count(of, id) {
      counts ??= countTerms(store.table('events').values())
      return counts.count(of, id)
    },
  }
}

interface TermCounts {
  count(of: TermTable, id: number): number
  follow(before: EventRow | undefined, after: EventRow | undefined): void
}

function countTerms(events: Iterable<EventRow>): TermCounts {
  const counts = { categories: new Map<number, number>(), tags: new Map<number, number>() }
  const add = (event: EventRow | undefined, step: 1 | -1) => {
    if (event?.status !== 'publish') return
    for (const id of event.categories) counts.categories.set(id, (counts.categories.get(id) ?? 0) + step)
    for (const id of event.tags) counts.tags.set(id, (counts.tags.get(id) ?? 0) + step)
  }
  for (const event of events) add(event, 1)
  return {
    count: (of, id) => counts[of].get(id) ?? 0,
    follow(before, after) {
      add(before, -1)
      add(after, 1)
    },
  }
}
