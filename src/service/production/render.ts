import type { RenderDialect } from '../dialect.ts'
import type { RequestContext } from '../request-context.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'
import { costDetails, renderCost } from './cost.ts'
import { numberGalleries, shortcodesOf } from './gallery.ts'
import { withJsonLd } from './json-ld.ts'
import { description, excerpt, termDescription, termName, title } from './wordpress-text.ts'

export const renderDialect: RenderDialect = {
  title,
  prose: (context, row) => description(row.description, shortcodesOf(context, row)),
  excerpt,
  term: termName,
  termDescription,
  cost: renderCost,
  costDetails,
  /** For an event that never had a website, production returns the URL of its page. */
  website: ({ website }, url) => website?.replaceAll('&', '&amp;') ?? url,
  publishedUtc: ({ date_utc }) => date_utc,
  slug: ({ slug }) => slug,
  /** A password keeps editors out too, unless they read in order to edit. */
  hidesProtected: ({ caller, query, parameters }, { post_password }) =>
    parameters.password !== post_password &&
    (caller !== 'editor' || !query.some(pair => pair.join('=') === 'context=edit')),
  termAddress,
  termLinks,
  item: withJsonLd,
  listed: numberGalleries,
  stateprovince: ({ stateprovince }) => stateprovince,
}

type Term = TermRow | CategoryRow

/** The names of terms in WordPress's own API. */
const kindOf = (term: Term) =>
  'parent' in term
    ? { route: 'tribe_events_cat', taxonomy: 'tribe_events_cat', posts: ['tribe_events', 'tec_calendar_embed'] }
    : { route: 'tags', taxonomy: 'post_tag', posts: ['posts', 'tribe_events', 'tec_calendar_embed'] }

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The links of terms lead to WordPress's own API. */
function termAddress({ baseUrl }: RequestContext, term: Term): string {
  return `${baseUrl}/wp/v2/${kindOf(term).route}/${term.id}`
}

/** The links of a term that is not in a list. */
function termLinks(context: RequestContext, term: Term): object {
  const root = `${context.baseUrl}/wp/v2`
  const { route, taxonomy, posts } = kindOf(term)
  const allow = context.caller === 'editor' ? allMethods : ['GET']
  const parent = 'parent' in term ? term.parent : null
  return {
    _links: {
      self: [{ href: termAddress(context, term), targetHints: { allow } }],
      collection: [{ href: `${root}/${route}` }],
      about: [{ href: `${root}/taxonomies/${taxonomy}` }],
      ...(parent !== null && { up: [{ embeddable: true, href: `${root}/${route}/${parent}` }] }),
      'wp:post_type': posts.map(kind => ({ href: `${root}/${kind}?${route}=${term.id}` })),
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
    },
  }
}
