import type { ResourceName } from '../../contract/field.ts'
import { type Status, statuses } from '../../contract/posts.ts'
import type { Resource } from '../../contract/resource.ts'
import { msWall } from '../../time/dates.ts'
import type { Context } from '../dialect.ts'
import type { EventRow } from '../store/rows.ts'
import { indexesOf } from './indexes.ts'
import type { Link } from './links.ts'
import { type Sorted, sorted } from './sorted.ts'
import type { Timeline } from './timeline.ts'

/** The field by which events name records of a resource. */
export const eventLinks: Partial<Record<ResourceName, Link>> = {
  venues: 'venue',
  organizers: 'organizer',
  categories: 'categories',
  tags: 'tags',
}

/** The statuses that a caller sees without asking for any. */
export const usualStatuses = (caller: Context['caller']) =>
  statuses.filter(status => (caller === 'editor' ? status !== 'trash' : status === 'publish'))

/** The events that a caller can see in lists, of these statuses. */
export const timelineOf = (context: Context, among: readonly Status[] = usualStatuses(context.caller)): Timeline =>
  indexesOf(context.store).timeline({
    language: context.language,
    statuses: among,
    hidden: context.dialect.showsHidden(context.caller),
    clock: context.dialect.clock(context.store.site),
  })

const none = sorted<EventRow>([], () => 0)

/** Gives the events that name a record by its id, as the caller sees them, in the order of their starts. */
export function eventsNaming(context: Context, { name }: Resource): (id: number) => Sorted<EventRow> {
  const link = eventLinks[name]
  if (!link) return () => none
  const timeline = timelineOf(context)
  return id => timeline.linked(link, id)
}

/** The ids that events still to start name; of these only so many, the next ones, where there is a limit. */
export function namedByUpcoming(context: Context, { name }: Resource, limit?: number): ReadonlySet<unknown> {
  const link = eventLinks[name]
  const now = context.now.getTime()
  const { rows } = timelineOf(context)
  const named = new Set<unknown>()
  const moment = msWall(now)
  let count = 0
  // Rows are ordered by what clocks show, which is less than a day from UTC.
  for (const row of rows.slice(rows.indexOf(({ start_date }) => start_date > msWall(now - day)))) {
    if (row.utc_start_date <= moment) continue
    if (limit !== undefined && ++count > limit) break
    for (const id of link ? [row[link]].flat() : []) named.add(id)
  }
  return named
}

const day = 86_400_000
