import { organizers } from '../../contract/organizers.ts'
import { venues } from '../../contract/venues.ts'
import type { Context } from '../dialect.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import { globalId, pageOf } from './addresses.ts'
import { image, type PlainField, plainFields, plainValues, postHead } from './fields.ts'

/** A venue as the API returns it. */
export function venue(context: Context, row: VenueRow): object {
  const head = headOf(context, 'venue', row, row.venue)
  const computed = { stateprovince: context.dialect.stateprovince(row), geo_lat: row.geo_lat, geo_lng: row.geo_lng }
  venueFields ??= plainFields(venues.fields, { ...head.post, ...head.own, ...computed })
  return place(context, row, head, plainValues(context, venueFields, row), computed)
}

let venueFields: readonly PlainField[] | undefined

/** An organizer as the API returns it. */
export function organizer(context: Context, row: OrganizerRow): object {
  const head = headOf(context, 'organizer', row, row.organizer)
  organizerFields ??= plainFields(organizers.fields, { ...head.post, ...head.own })
  return place(context, row, head, plainValues(context, organizerFields, row), {})
}

let organizerFields: readonly PlainField[] | undefined

/** The keys with which both begin; `kind` is also the key of the name. */
const headOf = (context: Context, kind: 'venue' | 'organizer', row: VenueRow | OrganizerRow, name: string) => ({
  post: { id: row.id, ...postHead(context, row), url: pageOf(context, kind, row) },
  own: {
    [kind]: context.dialect.title(name),
    description: context.dialect.prose(context, row),
    slug: row.slug,
    image: image(context, row.image),
  },
})

/** Fields without content are absent, but flags are always there, after the others. */
function place(
  context: Context,
  { id, lang_code }: VenueRow | OrganizerRow,
  { post, own }: ReturnType<typeof headOf>,
  plain: Readonly<Record<string, unknown>>,
  computed: object,
): object {
  const entries = Object.entries(plain)
  const flags = entries.filter(([, value]) => typeof value === 'boolean')
  const others = entries.filter(([, value]) => typeof value !== 'boolean')
  return {
    ...post,
    ...withContent([...Object.entries(own), ...others, ...Object.entries(computed)]),
    ...Object.fromEntries(flags),
    ...globalId(context, id),
    lang_code,
  }
}

const withContent = (entries: readonly (readonly [string, unknown])[]): object =>
  Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null && value !== false))
