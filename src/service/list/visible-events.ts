import type { ResourceName } from '../../contract/field.ts'
import { type Status, statuses } from '../../contract/post-status.ts'
import type { Resource } from '../../contract/resource.ts'
import { msWall } from '../../time/dates.ts'
import type { Context } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { type LinkField, noEvents } from '../indexes/linked-events.ts'
import type { SortedList } from '../indexes/sorted-list.ts'
import type { Timeline } from '../indexes/timeline.ts'
import type { EventRow } from '../store/rows.ts'

/** The field by which events link to records of a resource. */
export const linkFields: Partial<Record<ResourceName, LinkField>> = {
  venues: 'venue',
  organizers: 'organizer',
  categories: 'categories',
  tags: 'tags',
}

/** The statuses that a list contains without the filter `status`. */
export const defaultStatuses = (caller: Context['caller']) =>
  statuses.filter(status => (caller === 'public' ? status === 'publish' : status !== 'trash'))

/** The events that a caller can list, of these statuses. */
export const visibleEvents = (
  context: Context,
  ofStatuses: readonly Status[] = defaultStatuses(context.caller),
): Timeline =>
  indexesOf(context.store).timeline({
    language: context.language,
    statuses: ofStatuses,
    hidden: context.dialect.showsHidden(context.caller),
    clock: context.dialect.clock(context.store.site),
  })

/** The visible events that link to a record, by its ID. */
export function eventsLinkingTo(context: Context, { name }: Resource): (id: number) => SortedList<EventRow> {
  const field = linkFields[name]
  if (!field) return () => noEvents
  const timeline = visibleEvents(context)
  return id => timeline.linked(field, id)
}

const day = 86_400_000

/** The IDs that upcoming events link to; with a limit, only so many of the next events count. */
export function linkedByUpcoming(context: Context, { name }: Resource, limit?: number): ReadonlySet<unknown> {
  const field = linkFields[name]
  const ids = new Set<unknown>()
  if (!field) return ids
  const { rows } = visibleEvents(context)
  const now = msWall(context.now.getTime())
  // Rows are ordered by local time, which is less than a day from UTC.
  const dayAgo = msWall(context.now.getTime() - day)
  let count = 0
  for (const row of rows.slice(rows.indexOf(({ start_date }) => start_date > dayAgo))) {
    if (row.utc_start_date <= now) continue
    if (limit !== undefined && ++count > limit) break
    for (const id of [row[field]].flat()) ids.add(id)
  }
  return ids
}
