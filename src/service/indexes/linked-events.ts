import type { EventRow } from '../store/rows.ts'
import { createSortedList, type SortedList } from './sorted-list.ts'

/** The fields by which an event links to other records. */
export type LinkField = 'venue' | 'organizer' | 'categories' | 'tags'

/** Events by the record that one of their fields links to. */
export interface LinkedEvents {
  of(id: number): SortedList<EventRow>
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** The IDs in a field of an event, without duplicates. */
function linkedIds(row: EventRow, field: LinkField): Iterable<number> {
  const ids = row[field]
  if (ids === null) return []
  if (typeof ids === 'number') return [ids]
  return ids.length > 1 ? new Set(ids) : ids
}

/** An empty list of events, of any order. */
export const noEvents = createSortedList<EventRow>([], () => 0)

/** `rows` are in the order that `compare` defines. */
export function createLinkedEvents(
  field: LinkField,
  rows: Iterable<EventRow>,
  compare: (a: EventRow, b: EventRow) => number,
): LinkedEvents {
  const groups = new Map<number, EventRow[]>()
  for (const row of rows)
    for (const id of linkedIds(row, field)) {
      const group = groups.get(id)
      if (group) group.push(row)
      else groups.set(id, [row])
    }
  const lists = new Map([...groups].map(([id, group]) => [id, createSortedList(group, compare)]))
  const listOf = (id: number): SortedList<EventRow> => {
    const list = lists.get(id) ?? createSortedList([], compare)
    lists.set(id, list)
    return list
  }
  return {
    of: id => lists.get(id) ?? noEvents,
    add(row) {
      for (const id of linkedIds(row, field)) listOf(id).add(row)
    },
    remove(row) {
      for (const id of linkedIds(row, field)) listOf(id).remove(row)
    },
  }
}
