/**
 * What The Events Calendar does to other records when a post is written or moved to the trash: it publishes what a published event uses,
 * and takes a venue or organizer that is thrown away from the first events that have it. Input: a post before and after. Output: other rows.
 */
import type { Write } from '../dialect.ts'
import { slugFor } from '../lookup.ts'
import type { EventRow, PlaceTable, PostRow, PostTable, Rows } from '../store/rows.ts'
import { nameOf } from '../write/write-record.ts'

export function effects<T extends PostTable>(write: Write, of: T, before: Rows[T] | undefined, after: Rows[T]): void {
  if ('title' in after) publishPlaces(write, before as EventRow | undefined, after)
  else if (after.status === 'trash') unlinkFirst(write, of as PlaceTable, after.id)
}

/** An update of a published event publishes the venue and the organizers that it had before. */
function publishPlaces(write: Write, before: EventRow | undefined, { status }: EventRow): void {
  if (!before || status !== 'publish') return
  if (before.venue !== null) publish(write, 'venues', before.venue)
  for (const id of before.organizer) publish(write, 'organizers', id)
}

/** Neither its date nor the slug of its time in the trash changes. */
function publish<T extends PlaceTable>({ context, writing }: Write, of: T, id: number): void {
  const row = context.store.table(of).get(id)
  if (!row || row.status === 'publish') return
  const published = { ...row, status: 'publish', trashed_from: null } as const
  writing.put(of, { ...published, slug: row.slug || slugFor(context, of, published, nameOf(published)) })
}

/** The plugin reads one page of events, and deletes all their values of the key. */
const firstPage = 10

function unlinkFirst({ context, writing }: Write, of: PlaceTable, id: number): void {
  const hasIt = (event: EventRow) => (of === 'venues' ? event.venue === id : event.organizer.includes(id))
  const isShown = ({ status }: PostRow) => status === 'publish' || status === 'private'
  const having = [...context.store.table('events').values()].filter(event => isShown(event) && hasIt(event))
  const first = having.sort((one, other) => one.start_date.localeCompare(other.start_date) || one.id - other.id)
  for (const event of first.slice(0, firstPage))
    writing.put('events', { ...event, ...(of === 'venues' ? { venue: null, unlinked: false } : { organizer: [] }) })
}
