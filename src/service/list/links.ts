import type { EventRow } from '../store/rows.ts'
import { type Sorted, sorted } from './sorted.ts'

/** The fields by which an event names other records. */
export type Link = 'venue' | 'organizer' | 'categories' | 'tags'

/** Events by what they name. */
export interface Links {
  of(id: number): Sorted<EventRow>
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** The records that an event names, each once. */
function linkedIds(row: EventRow, link: Link): Iterable<number> {
  const ids = row[link]
  if (ids === null) return []
  if (typeof ids === 'number') return [ids]
  return ids.length > 1 ? new Set(ids) : ids
}

const none = sorted<EventRow>([], () => 0)

/** Groups rows, which are in order, by what they name. */
export function createLinks(
  link: Link,
  rows: Iterable<EventRow>,
  compare: (a: EventRow, b: EventRow) => number,
): Links {
  const grouped = new Map<number, EventRow[]>()
  for (const row of rows)
    for (const id of linkedIds(row, link)) {
      const group = grouped.get(id)
      if (group) group.push(row)
      else grouped.set(id, [row])
    }
  const lists = new Map([...grouped].map(([id, group]) => [id, sorted(group, compare)]))
  const listOf = (id: number): Sorted<EventRow> => {
    const list = lists.get(id) ?? sorted([], compare)
    lists.set(id, list)
    return list
  }
  return {
    of: id => lists.get(id) ?? none,
    add(row) {
      for (const id of linkedIds(row, link)) listOf(id).add(row)
    },
    remove(row) {
      for (const id of linkedIds(row, link)) listOf(id).remove(row)
    },
  }
}
