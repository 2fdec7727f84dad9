import type { ResourceName } from '../../contract/field.ts'
import type { Status } from '../../contract/posts.ts'
import type { Language } from '../../contract/words.ts'

/**
 * Records as the calendar file keeps them: what was written, never what can be worked out from it. Dates are wall times
 * `YYYY-MM-DD HH:MM:SS`; `utc_…` stands beside them because production's can go out of step. Fields that hold their
 * resting value (`''`, `false`, `null`, `[]`) may be absent in the file and are always present in memory.
 */
interface Row {
  id: number
  lang_code: Language
  slug: string
  description: string
}

interface Post extends Row {
  author: number
  status: Status
  /** The status before the trash, for restoring. */
  trashed_from: Status | null
  date: string
  date_utc: string
  modified: string
  modified_utc: string
  image: number | null
}

/** An event, its links as ids. */
export interface EventRow extends Post {
  title: string
  excerpt: string
  all_day: boolean
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
  timezone: string
  /** As it was written: `15`, `20€`, `10 - 20`. */
  cost: string
  /** Null where there never was one. */
  website: string | null
  show_map: boolean
  show_map_link: boolean
  hide_from_listings: boolean
  sticky: boolean
  featured: boolean
  categories: number[]
  tags: number[]
  venue: number | null
  organizer: number[]
  post_parent: number | null
  post_password: string
}

/** A venue. */
export interface VenueRow extends Post {
  venue: string
  address: string
  city: string
  country: string
  province: string
  state: string
  zip: string
  phone: string
  stateprovince: string
  website: string
  show_map: boolean
  show_map_link: boolean
  geo_lat: number | null
  geo_lng: number | null
}

/** An organizer. */
export interface OrganizerRow extends Post {
  organizer: string
  phone: string
  website: string
  email: string
}

/** A tag, or what a category has in common with one. */
export interface TermRow extends Row {
  name: string
}

/** A category; at the top its parent is null. */
export interface CategoryRow extends TermRow {
  parent: number | null
}

/** An image that was given as a URL; its id is a post id. */
export interface ImageRow {
  id: number
  url: string
}

/** What each list of the file holds. */
export interface Rows {
  events: EventRow
  venues: VenueRow
  organizers: OrganizerRow
  categories: CategoryRow
  tags: TermRow
  images: ImageRow
}

/** The resources that WordPress keeps as posts: they have a status, dates and a trash. */
export type PostTable = 'events' | 'venues' | 'organizers'

/** The posts that events link to. */
export type PlaceTable = 'venues' | 'organizers'

/** The resources that WordPress keeps as terms. */
export type TermTable = 'categories' | 'tags'

/** An event, venue or organizer. */
export type PostRow = Rows[PostTable]

/** The names of the file's lists: the resources, and the images that events, venues and organizers name. */
export type TableName = ResourceName | 'images'

/** What the calendar file says of the calendar as a whole. */
export interface Site {
  /** The language of what says none. */
  readonly language: Language
  readonly timezone: string
  /** Follow production wherever it contradicts the documentation. */
  readonly quirks: boolean
}
