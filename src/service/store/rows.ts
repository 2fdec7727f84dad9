import type { events } from '../../contract/events.ts'
import type { Fields, ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { organizers } from '../../contract/organizers.ts'
import type { Status } from '../../contract/post-status.ts'
import type { categories, tags } from '../../contract/terms.ts'
import type { venues } from '../../contract/venues.ts'

/**
 * Records as the calendar file keeps them: what was written, never what can be worked out from it. The fields of the contract
 * are columns by themselves; only the columns that no field of that name and type is stored in are named here. Dates are wall
 * times `YYYY-MM-DD HH:MM:SS`; `utc_…` is stored too because production's can go out of step. Columns that are as in a
 * new record (`''`, `false`, `null`, `[]`) may be absent in the file and are always present in memory.
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

/** The columns that the fields of a resource are stored in. Links are IDs. */
export type ColumnsOf<F extends Fields> = {
  -readonly [N in keyof F as F[N] extends { queryOnly: true } ? never : N]: F[N] extends { multiple: false }
    ? number | null
    : F[N]['kind']['emptyColumn']
}

type EventColumns = Omit<ColumnsOf<typeof events.fields>, keyof Post | 'website'>
type VenueColumns = Omit<ColumnsOf<typeof venues.fields>, keyof Post>
type OrganizerColumns = Omit<ColumnsOf<typeof organizers.fields>, keyof Post>
type CategoryColumns = Omit<ColumnsOf<typeof categories.fields>, keyof Row>
type TagColumns = Omit<ColumnsOf<typeof tags.fields>, keyof Row>

/** An event, its links as IDs; `cost` as it was written: `15`, `20€`, `10 - 20`. */
export interface EventRow extends Post, EventColumns {
  utc_start_date: string
  utc_end_date: string
  /** Null if there never was one. */
  website: string | null
  post_parent: number | null
  /** `canceled` or `postponed`, which only `wp/v2` shows and writes. */
  event_status: string
  event_status_reason: string
}

export interface VenueRow extends Post, VenueColumns {
  geo_lat: number | null
  geo_lng: number | null
}

export interface OrganizerRow extends Post, OrganizerColumns {}

/** A tag, or what a category has in common with one. */
export interface TermRow extends Row, TagColumns {}

/** A category; at the top its parent is null. */
export interface CategoryRow extends Row, CategoryColumns {}

/** An image that was given as a URL, or uploaded; its id is a post id. */
export interface ImageRow extends Partial<Upload> {
  id: number
  /** An address, or of an uploaded file its path below the folder of uploads: `2026/12/poster.png`. */
  url: string
}

/** What is known of an uploaded image. */
interface Upload {
  title: string
  alt_text: string
  caption: string
  author: number | null
  date: string
  date_utc: string
  modified: string
  modified_utc: string
  mime_type: string
  width: number | null
  height: number | null
  filesize: number | null
}

/** The type of the rows in each list of the file. */
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

/** The settings of the calendar as a whole. */
export interface Site {
  /** The language of records without one. */
  readonly language: Language
  readonly timezone: string
  /** Follow production wherever it contradicts the documentation. */
  readonly quirks: boolean
}
