import type { ResourceName } from '../../contract/field.ts'

/** What a column holds, by its heading: a field, or the part after the point of one that stands in several columns. */
type Columns = Readonly<Record<string, string>>

const events: Columns = {
  'event name': 'title',
  'event description': 'description',
  'event excerpt': 'excerpt',
  'event start date': 'start_date.day',
  'event start time': 'start_date.time',
  'event end date': 'end_date.day',
  'event end time': 'end_date.time',
  'event time zone': 'timezone',
  timezone: 'timezone',
  'all day event': 'all_day',
  'hide event from event listings': 'hide_from_listings',
  'event hide from upcoming listings': 'hide_from_listings',
  'event sticky in month view': 'sticky',
  'feature event': 'featured',
  'featured event': 'featured',
  'event venue name': 'venue.name',
  'event organizer name': 'organizer',
  'event organizer name(s) or id(s)': 'organizer',
  'event show map link': 'show_map_link',
  'event show map': 'show_map',
  'event cost': 'cost.amount',
  'event currency symbol': 'cost.symbol',
  'event currency position': 'cost.position',
  'event iso currency code': 'cost.code',
  'event category': 'categories',
  'event tags': 'tags',
  'event website': 'website',
  'event featured image': 'image',
}

const venues: Columns = {
  'venue name': 'venue',
  'venue description': 'description',
  'venue country': 'country',
  'venue address': 'address',
  'venue address 2': 'address.more',
  'venue city': 'city',
  'venue state/province': 'stateprovince',
  'venue zip': 'zip',
  'venue phone': 'phone',
  'venue website': 'website',
  'venue featured image': 'image',
}

const organizers: Columns = {
  'organizer name': 'organizer',
  'organizer description': 'description',
  'organizer email': 'email',
  'organizer website': 'website',
  'organizer phone': 'phone',
  'organizer featured image': 'image',
}

/** A kind of sheet that the site's importer reads. */
interface ImporterSheet {
  readonly resource: ResourceName
  readonly columns: Columns
  /** The heading that a sheet of this kind cannot do without. */
  readonly title: string
  /** The fields by which the importer recognises a record that is there. */
  readonly match: readonly string[]
}

/** The kinds of sheet that The Events Calendar's importer reads, by their headings in lower case. */
export const importerSheets: readonly ImporterSheet[] = [
  { resource: 'events', columns: events, title: 'event name', match: ['title', 'start_date', 'end_date'] },
  { resource: 'venues', columns: venues, title: 'venue name', match: ['venue'] },
  { resource: 'organizers', columns: organizers, title: 'organizer name', match: ['organizer'] },
]

const parts = new Set(
  importerSheets.flatMap(({ columns }) => Object.values(columns).filter(name => name.includes('.'))),
)

/** Whether a column holds a part of a field that stands in several columns, such as `start_date.day`. */
export const isPart = (name: string): boolean => parts.has(name)
