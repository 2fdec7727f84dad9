import type { Context } from '../dialect.ts'
import type { EventRow, OrganizerRow, VenueRow } from '../store/rows.ts'

/** What events, venues and organizers answer first of all. */
export const postHead = ({ dialect }: Context, row: EventRow | VenueRow | OrganizerRow) => ({
  author: String(row.author),
  status: row.status,
  date: row.date,
  date_utc: dialect.publishedUtc(row),
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** An image as the API answers it; what only a look at the file could tell is null. */
export function image({ store }: Context, id: number | null): object | false {
  if (id === null) return false
  const url = store.table('images').get(id)?.url ?? null
  const extension = url === null ? null : (/\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null)
  return { url, id, extension, width: null, height: null, filesize: null, sizes: null }
}
