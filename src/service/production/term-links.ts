import type { Context } from '../context.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'

type Term = TermRow | CategoryRow

/** What WordPress calls each kind of term in its own API. */
const kindOf = (term: Term) =>
  'parent' in term
    ? { route: 'tribe_events_cat', taxonomy: 'tribe_events_cat', posts: ['tribe_events', 'tec_calendar_embed'] }
    : { route: 'tags', taxonomy: 'post_tag', posts: ['posts', 'tribe_events', 'tec_calendar_embed'] }

const everything = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Where a term is in WordPress' own API, to which its links lead. */
export const termAddress = ({ baseUrl }: Context, term: Term): string =>
  `${baseUrl}/wp/v2/${kindOf(term).route}/${term.id}`

/** The links that a term has where it is answered alone. */
export function termLinks(context: Context, term: Term): object {
  const root = `${context.baseUrl}/wp/v2`
  const { route, taxonomy, posts } = kindOf(term)
  const allow = context.caller === 'editor' ? everything : ['GET']
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
