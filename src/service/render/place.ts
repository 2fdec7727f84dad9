import type { Context } from '../dialect.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import { globalId, pageOf } from './addresses.ts'
import { image, postHead } from './post.ts'

/** A venue as the API answers it: fields without content are absent. */
export const venue = (context: Context, row: VenueRow): object => ({
  ...head(context, 'venue', row, row.venue),
  ...filled({
    address: row.address,
    city: row.city,
    country: row.country,
    province: row.province,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    website: row.website,
    stateprovince: context.dialect.stateprovince(row),
    geo_lat: row.geo_lat,
    geo_lng: row.geo_lng,
  }),
  show_map: row.show_map,
  show_map_link: row.show_map_link,
  ...tail(context, row),
})

/** An organizer as the API answers it: fields without content are absent. */
export const organizer = (context: Context, row: OrganizerRow): object => ({
  ...head(context, 'organizer', row, row.organizer),
  ...filled({ phone: row.phone, website: row.website, email: row.email }),
  ...tail(context, row),
})

/** What both begin with; `kind` is also the key of the name. */
const head = (context: Context, kind: 'venue' | 'organizer', row: VenueRow | OrganizerRow, name: string): object => ({
  id: row.id,
  ...postHead(context, row),
  url: pageOf(context, kind, row),
  ...filled({
    [kind]: context.dialect.title(name),
    description: context.dialect.prose(row.description),
    slug: row.slug,
    image: image(context, row.image),
  }),
})

const tail = (context: Context, { id, lang_code }: VenueRow | OrganizerRow): object => ({
  ...globalId(context, id),
  lang_code,
})

const filled = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null && value !== false))
