import type { Context } from '../context.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import { globalId, pageOf } from './addresses.ts'
import { image, postHead } from './post.ts'

/** A venue as the API answers it: fields without content are absent. */
export const venue = (context: Context, row: VenueRow): object => ({
  id: row.id,
  ...postHead(context, row),
  url: pageOf(context, 'venue', row),
  ...filled({
    venue: context.manner.title(row.venue),
    description: context.manner.prose(row.description),
    slug: row.slug,
    image: image(context, row.image),
    address: row.address,
    city: row.city,
    country: row.country,
    province: row.province,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    website: row.website,
    stateprovince: context.manner.stateprovince(row),
    geo_lat: row.geo_lat,
    geo_lng: row.geo_lng,
  }),
  show_map: row.show_map,
  show_map_link: row.show_map_link,
  ...globalId(context, row.id),
  lang_code: row.lang_code,
})

/** An organizer as the API answers it: fields without content are absent. */
export const organizer = (context: Context, row: OrganizerRow): object => ({
  id: row.id,
  ...postHead(context, row),
  url: pageOf(context, 'organizer', row),
  ...filled({
    organizer: context.manner.title(row.organizer),
    description: context.manner.prose(row.description),
    slug: row.slug,
    image: image(context, row.image),
    phone: row.phone,
    website: row.website,
    email: row.email,
  }),
  ...globalId(context, row.id),
  lang_code: row.lang_code,
})

const filled = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null && value !== false))
