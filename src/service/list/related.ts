import type { ResourceName } from '../../contract/field.ts'
import { type Status, statuses } from '../../contract/posts.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../context.ts'
import type { EventRow } from '../store/rows.ts'
import { indexesOf } from './indexes.ts'
import type { Link } from './links.ts'
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
    hidden: context.manner.showsHidden(context.caller),
    clock: context.manner.clock(context.store.site),
  })

/** Gives the events that name a record by its id, as the caller sees them, in the order of their starts. */
export function eventsNaming(context: Context, { name }: Resource): (id: number) => readonly EventRow[] {
  const link = eventLinks[name]
  if (!link) return () => []
  const timeline = timelineOf(context)
  return id => timeline.linked(link, id)
}

/** The ids that the next so many events after a moment in UTC name. */
export function namedByNext(context: Context, { name }: Resource, now: string, limit: number): ReadonlySet<unknown> {
  const link = eventLinks[name]
  const next = timelineOf(context).rows.filter(({ utc_start_date }) => utc_start_date > now)
  return new Set(link && next.slice(0, limit).flatMap(event => event[link]))
}
