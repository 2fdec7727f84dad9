import { organizers } from '../../contract/organizers.ts'
import { venues } from '../../contract/venues.ts'
import type { Context } from '../dialect.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import { globalId, pageOf } from './addresses.ts'
import { shownImage } from './image.ts'
import { type PlainField, plainFields, plainValues, postHead } from './plain-fields.ts'

/** A venue or organizer as the API returns it. */
export const place = (context: Context, row: VenueRow | OrganizerRow): object =>
  'venue' in row ? venue(context, row) : organizer(context, row)

function venue(context: Context, row: VenueRow): object {
  const head = headOf(context, 'venue', row, row.venue)
  const computed = { stateprovince: context.dialect.stateprovince(row), geo_lat: row.geo_lat, geo_lng: row.geo_lng }
  venueFields ??= plainFields(venues.fields, { ...head.post, ...head.own, ...computed })
  return inOrder(context, row, head, { ...plainValues(context, venueFields, row), ...computed })
}

let venueFields: readonly PlainField[] | undefined

function organizer(context: Context, row: OrganizerRow): object {
  const head = headOf(context, 'organizer', row, row.organizer)
  organizerFields ??= plainFields(organizers.fields, { ...head.post, ...head.own })
  return inOrder(context, row, head, plainValues(context, organizerFields, row))
}

let organizerFields: readonly PlainField[] | undefined

/** The keys with which both begin; `kind` is also the key of the name. */
const headOf = (context: Context, kind: 'venue' | 'organizer', row: VenueRow | OrganizerRow, name: string) => ({
  post: { id: row.id, ...postHead(context, row), url: pageOf(context, kind, row) },
  own: {
    [kind]: context.dialect.title(name),
    description: context.dialect.prose(context, row),
    slug: row.slug,
    image: shownImage(context, row.image),
  },
})

/** Empty fields are left out, but flags are always present, after the others. */
function inOrder(
  context: Context,
  { id, lang_code }: VenueRow | OrganizerRow,
  { post, own }: ReturnType<typeof headOf>,
  values: Readonly<Record<string, unknown>>,
): object {
  const entries = Object.entries(values)
  const flags = entries.filter(([, value]) => typeof value === 'boolean')
  const others = entries.filter(([, value]) => typeof value !== 'boolean')
  return {
    ...post,
    ...withContent([...Object.entries(own), ...others]),
    ...Object.fromEntries(flags),
    ...globalId(context, id),
    lang_code,
  }
}

const withContent = (entries: readonly (readonly [string, unknown])[]): object =>
  Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null && value !== false))
