import type { Showing } from '../render/manner.ts'
import { cost, costDetails } from './cost.ts'
import { withJsonLd } from './json-ld.ts'
import { termAddress, termLinks } from './term-links.ts'
import { description, excerpt, termName, title } from './text.ts'

/** How WordPress and The Events Calendar show what is stored. */
export const asRendered: Showing = {
  title,
  prose: description,
  excerpt,
  term: termName,
  cost,
  costDetails,
  /** An event that never had a website says its own address. */
  website: ({ website }, url) => website?.replaceAll('&', '&amp;') ?? url,
  slug: ({ slug }) => slug,
  termAddress,
  termLinks,
  alone: withJsonLd,
  stateprovince: ({ stateprovince }) => stateprovince,
}
