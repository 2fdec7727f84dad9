import { isUnpublished, type Showing } from '../render/manner.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import { cost, costDetails } from './cost.ts'
import { withJsonLd } from './json-ld.ts'
import { termAddress, termLinks } from './term-links.ts'
import { description, excerpt, termDescription, termName, title } from './text.ts'

/** What was never published is dated by its last change. */
export const isFloating = (row: VenueRow | OrganizerRow): boolean => row.date_utc === row.modified_utc

/** How WordPress and The Events Calendar show what is stored. */
export const asRendered: Showing = {
  title,
  prose: description,
  excerpt,
  term: termName,
  termDescription,
  cost,
  costDetails,
  /** An event that never had a website says its own address. */
  website: ({ website }, url) => website?.replaceAll('&', '&amp;') ?? url,
  /** A venue or organizer that was published once keeps its moment. */
  publishedUtc: row =>
    isUnpublished(row.status) && ('title' in row || isFloating(row)) ? '0000-00-00 00:00:00' : row.date_utc,
  slug: ({ slug }) => slug,
  veils: () => true,
  termAddress,
  termLinks,
  alone: withJsonLd,
  stateprovince: ({ stateprovince }) => stateprovince,
}
