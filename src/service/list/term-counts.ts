import type { EventRow, TermTable } from '../store/rows.ts'

/** How many published events have each category and tag. */
export interface TermCounts {
  of(table: TermTable, id: number): number
  follow(before: EventRow | undefined, after: EventRow | undefined): void
}

/** Counts the terms of these events. */
export function createTermCounts(events: Iterable<EventRow>): TermCounts {
  const counts = { categories: new Map<number, number>(), tags: new Map<number, number>() }
  const add = (event: EventRow | undefined, step: 1 | -1) => {
    if (event?.status !== 'publish') return
    for (const id of event.categories) counts.categories.set(id, (counts.categories.get(id) ?? 0) + step)
    for (const id of event.tags) counts.tags.set(id, (counts.tags.get(id) ?? 0) + step)
  }
  for (const event of events) add(event, 1)
  return {
    of: (table, id) => counts[table].get(id) ?? 0,
    follow(before, after) {
      add(before, -1)
      add(after, 1)
    },
  }
}
