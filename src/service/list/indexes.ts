import type { Dialect } from '../dialect.ts'
import type { EventRow, TermTable } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Row } from './comparisons.ts'
import type { Matches } from './matches.ts'
import { type Recent, recent } from './recent.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'
import { createTimeline, type Timeline, type View } from './timeline.ts'

/** What is kept in step with a calendar so that answers need not read all of it. */
export interface Indexes {
  /** How many published events have a category or tag. */
  count(of: TermTable, id: number): number
  /** Counts up when texts or counts change that events carry of what they are linked to. */
  readonly linkedVersion: number
  timeline(view: View): Timeline
  /** What was found under this key, in this dialect, since the last write; or else is looked for now. */
  found(dialect: Dialect, key: string, find: () => Matches<Row>): Matches<Row>
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
  const events = store.table('events')
  let counts: TermCounts | undefined
  const timelines = recent<Timeline>(12)
  const lists = new Map<Dialect, Recent<Matches<Row>>>()
  let version = store.version
  let linkedVersion = 0
  store.onChange(change => {
    if (change.table === 'images') return
    if (change.table !== 'events') linkedVersion++
    else {
      if (countedTerms(change.before) !== countedTerms(change.after)) linkedVersion++
      for (const index of [counts, ...timelines.all()]) index?.follow(change.before, change.after)
    }
  })
  return {
    get linkedVersion() {
      return linkedVersion
    },
    count(of, id) {
      counts ??= createTermCounts(events.values())
      return counts.of(of, id)
    },
    timeline: view => timelines.get(JSON.stringify(view), () => createTimeline(view, events.values())),
    found(dialect, key, find) {
      if (version !== store.version) lists.clear()
      version = store.version
      const own = lists.get(dialect) ?? recent(16)
      lists.set(dialect, own)
      return own.get(key, find)
    },
  }
}

const countedTerms = (event: EventRow | undefined): string =>
  event?.status === 'publish' ? `${event.categories} ${event.tags}` : ' '
