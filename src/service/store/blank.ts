import type { CategoryRow, EventRow, OrganizerRow, TermRow, VenueRow } from './rows.ts'

/** What a field of a new record holds until it is written, and what clearing it leaves. */
type Blank<Row> = Omit<Row, 'id' | 'lang_code'>

const post = {
  slug: '',
  description: '',
  author: 1,
  status: 'publish',
  trashed_from: null,
  date: '',
  date_utc: '',
  modified: '',
  modified_utc: '',
  image: null,
} as const

/** A new event. */
export const blankEvent: Blank<EventRow> = {
  ...post,
  title: '',
  excerpt: '',
  all_day: false,
  start_date: '',
  end_date: '',
  utc_start_date: '',
  utc_end_date: '',
  timezone: '',
  cost: '',
  website: null,
  show_map: false,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  categories: [],
  tags: [],
  venue: null,
  organizer: [],
  post_parent: null,
  post_password: '',
}

/** A new venue; its events show a map unless it says otherwise. */
export const blankVenue: Blank<VenueRow> = {
  ...post,
  venue: '',
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  phone: '',
  stateprovince: '',
  website: '',
  show_map: true,
  show_map_link: true,
  geo_lat: null,
  geo_lng: null,
}

/** A new organizer. */
export const blankOrganizer: Blank<OrganizerRow> = { ...post, organizer: '', phone: '', website: '', email: '' }

/** A new tag. */
export const blankTag: Blank<TermRow> = { name: '', slug: '', description: '' }

/** A new category, at the top. */
export const blankCategory: Blank<CategoryRow> = { ...blankTag, parent: null }
