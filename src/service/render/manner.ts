import type { Context } from '../context.ts'
import type { CategoryRow, EventRow, OrganizerRow, Rows, TermRow, VenueRow } from '../store/rows.ts'
import { type CostDetails, costDetails } from './cost.ts'
import { termAddress, termLinks } from './term-links.ts'

/** How stored text is shown: the part of a manner that answers depend on. */
export interface Showing {
  /** Titles of events, names of venues and organizers. */
  readonly title: (text: string) => string
  /** Descriptions. */
  readonly prose: (text: string) => string
  readonly excerpt: (text: string) => string
  /** Names of categories and tags. */
  readonly term: (text: string) => string
  readonly termDescription: (text: string) => string
  readonly cost: (text: string) => string
  readonly costDetails: (text: string) => CostDetails
  /** The website of an event, whose own address is given too. */
  readonly website: (row: EventRow, url: string) => string
  /** When a post was published, in UTC. */
  readonly publishedUtc: (row: EventRow | VenueRow | OrganizerRow) => string
  /** The slug of a post; not every implementation gives one to what is not published. */
  readonly slug: (row: { readonly slug: string; readonly status: string }) => string
  /** Whether what a password protects is left blank in lists for this caller. */
  readonly veils: (caller: Context['caller']) => boolean
  /** Where a new term says that it is. */
  readonly termAddress: (context: Context, term: TermRow | CategoryRow) => string
  /** The links of a term that is answered alone. */
  readonly termLinks: (context: Context, term: TermRow | CategoryRow) => object
  /** The answer of one record that was asked for, made of what lists and writes answer. */
  readonly alone: (context: Context, row: Rows[keyof Rows], body: Uint8Array) => Uint8Array
  /** Where a venue is, in one word. */
  readonly stateprovince: (row: VenueRow) => string
}

const unpublished = new Set(['draft', 'pending', 'auto-draft'])

/** What is not published has no moment of publication in UTC. */
export const isUnpublished = (status: string): boolean => unpublished.has(status)

/** Text comes back as it was stored. */
export const asStored: Showing = {
  title: text => text,
  prose: text => text,
  excerpt: text => text,
  term: text => text,
  termDescription: text => text,
  cost: text => text,
  costDetails,
  website: ({ website }) => website ?? '',
  publishedUtc: ({ status, date_utc }) => (isUnpublished(status) ? '0000-00-00 00:00:00' : date_utc),
  slug: ({ slug }) => slug,
  veils: caller => caller === 'public',
  termAddress,
  termLinks,
  alone: (_context, _row, body) => body,
  stateprovince: ({ stateprovince, state, province }) => stateprovince || state || province,
}
