import { apiRoot, type RequestContext } from '../request-context.ts'
import type { CategoryRow, EventRow, OrganizerRow, TermRow, TermTable, VenueRow } from '../store/rows.ts'

/** The beginning of the URLs of web pages: the base URL without the folder of the API. */
const home = ({ baseUrl, store }: RequestContext, language: string): string =>
  `${baseUrl.replace(/\/wp-json$/, '')}${language === store.site.language ? '' : `/${language}`}`

/** The statuses in which a post has no page of its own. */
const statusesWithoutPage = new Set(['draft', 'pending', 'future', 'trash', 'auto-draft', 'inherit'])

/** The page of an event, venue or organizer. */
export const pageOf = (
  context: RequestContext,
  kind: 'event' | 'venue' | 'organizer',
  { id, slug, status, lang_code }: EventRow | VenueRow | OrganizerRow,
): string =>
  statusesWithoutPage.has(status)
    ? `${home(context, lang_code)}/?post_type=tribe_${kind === 'event' ? 'events' : kind}&p=${id}`
    : `${home(context, lang_code)}/${kind}/${slug}/`

/** The page of a category or tag; a category's stands below those of its ancestors. */
export function termPage(context: RequestContext, term: TermRow | CategoryRow): string {
  const root = home(context, term.lang_code)
  if (!('parent' in term)) return `${root}/tag/${term.slug}/`
  const path: string[] = []
  const categories = context.store.table('categories')
  let at: CategoryRow | undefined = term
  while (at && path.length < categories.size + 1) {
    path.unshift(at.slug)
    at = at.parent === null ? undefined : categories.get(at.parent)
  }
  return `${root}/events/category/${path.join('/')}/`
}

/** Where a term, its collection and its parent are found in the API. */
export function termUrls(context: RequestContext, of: TermTable, { id, lang_code }: TermRow, parent: number | null) {
  const collection = `${apiRoot(context, lang_code)}/${of}`
  return { self: `${collection}/${id}`, collection, ...(parent !== null && { up: `${collection}/${parent}` }) }
}

/** A name for a post that is its own on every site. */
export function globalId({ baseUrl }: RequestContext, id: number) {
  const global_id = `${new URL(baseUrl).host || 'localhost'}?id=${id}`
  return { global_id, global_id_lineage: [global_id] }
}
