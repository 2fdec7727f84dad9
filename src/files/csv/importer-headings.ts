import type { ResourceName } from '../../contract/field.ts'

/**
 * The columns of The Events Calendar's importer by its headings. Its manual has them in capitals too, some without `Event`. A part
 * of a field that is spread over several columns is `start_date.day`; `.name` and `.names` are records by name, never by ID.
 */
const eventColumns = {
  'Event Name': 'title',
  'Event Description': 'description',
  'Event Excerpt': 'excerpt',
  'Event Start Date': 'start_date.day',
  'Event Start Time': 'start_date.time',
  'Event End Date': 'end_date.day',
  'Event End Time': 'end_date.time',
  'Event Timezone': 'timezone',
  'All Day Event': 'all_day',
  'Hide Event From Event Listings': 'hide_from_listings',
  'Event Hide From Upcoming Listings': 'hide_from_listings',
  'Event Sticky in Month View': 'sticky',
  'Feature Event': 'featured',
  'Featured Event': 'featured',
  'Event Venue Name': 'venue.name',
  'Event Organizer Name': 'organizer.names',
  // The heading that offers IDs.
  'Event Organizer Name(s) or ID(s)': 'organizer',
  'Event Show Map Link': 'show_map_link',
  'Event Show Map': 'show_map',
  'Event Cost': 'cost.amount',
  'Event Currency Symbol': 'cost.symbol',
  'Event Currency Position': 'cost.position',
  'Event ISO Currency Code': 'cost.code',
  'Event Category': 'categories.names',
  'Event Categories': 'categories.names',
  'Event Tags': 'tags.names',
  'Event Website': 'website',
  'Event Featured Image': 'image',
}

const venueColumns = {
  'Venue Name': 'venue',
  'Venue Description': 'description',
  'Venue Country': 'country',
  'Venue Address': 'address',
  'Venue Address 2': 'address.more',
  'Venue City': 'city',
  'Venue State/Province': 'stateprovince',
  'Venue Zip': 'zip',
  'Venue Phone': 'phone',
  'Venue Website': 'website',
  'Venue Featured Image': 'image',
}

const organizerColumns = {
  'Organizer Name': 'organizer',
  'Organizer Description': 'description',
  'Organizer Email': 'email',
  'Organizer Website': 'website',
  'Organizer Phone': 'phone',
  'Organizer Featured Image': 'image',
}

/** A kind of sheet that The Events Calendar's importer reads. */
interface ImporterSheet {
  readonly resource: ResourceName
  readonly columns: Readonly<Record<string, string>>
  /** The heading that every sheet of this kind has. */
  readonly title: string
  /** The fields by which the importer identifies existing records. */
  readonly match: readonly string[]
}

export const importerSheets: readonly ImporterSheet[] = [
  { resource: 'events', columns: eventColumns, title: 'Event Name', match: ['title', 'start_date', 'end_date'] },
  { resource: 'venues', columns: venueColumns, title: 'Venue Name', match: ['venue'] },
  { resource: 'organizers', columns: organizerColumns, title: 'Organizer Name', match: ['organizer'] },
]
