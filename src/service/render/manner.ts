import type { EventRow } from '../store/rows.ts'

/** How stored text is shown: the part of a manner that answers depend on. */
export interface Showing {
  /** Titles of events, names of venues and organizers. */
  readonly title: (text: string) => string
  /** Descriptions and excerpts. */
  readonly prose: (text: string) => string
  /** Names of categories and tags. */
  readonly term: (text: string) => string
  readonly cost: (text: string) => string
  /** The website of an event, whose own address is given too. */
  readonly website: (row: EventRow, url: string) => string
  /** The slug of a post; not every implementation gives one to what is not published. */
  readonly slug: (row: { readonly slug: string; readonly status: string }) => string
}

/** Text comes back as it was stored. */
export const asStored: Showing = {
  title: text => text,
  prose: text => text,
  term: text => text,
  cost: text => text,
  website: ({ website }) => website,
  slug: ({ slug }) => slug,
}
