import type { Language } from '../../contract/languages.ts'
import type { RequestContext } from '../dialect.ts'
import { uploadFolderOf } from '../store/memory-store.ts'
import type { CategoryRow, EventRow, ImageRow, OrganizerRow, TermRow, TermTable, VenueRow } from '../store/rows.ts'

/** The address of the site, without the folder of the API. */
export const siteHome = ({ baseUrl }: Pick<RequestContext, 'baseUrl'>): string => baseUrl.replace(/\/wp-json$/, '')

/** The beginning of the URLs of web pages in a language. */
const home = (context: RequestContext, language: string): string =>
  `${siteHome(context)}${language === context.store.site.language ? '' : `/${language}`}`

/** The folder of uploads, below the address of a site. */
export const uploadFolder = '/wp-content/uploads/'

/** The address of an image: of an uploaded one below the site, or next to a calendar file that is not served. */
export function imageUrl({ baseUrl }: Pick<RequestContext, 'baseUrl'>, { url }: Pick<ImageRow, 'url'>): string {
  if (/^[a-z]+:/i.test(url)) return url
  return baseUrl.startsWith('file:') ? `${uploadFolderOf(baseUrl)}/${url}` : siteHome({ baseUrl }) + uploadFolder + url
}

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

/** The page of a category or tag; that of a category is below those of its ancestors. */
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

/** The addresses of a term, its collection and its parent in the API. */
export function termUrls(context: RequestContext, of: TermTable, { id, lang_code }: TermRow, parent: number | null) {
  const collection = `${apiRoot(context, lang_code)}/${of}`
  return { self: `${collection}/${id}`, collection, ...(parent !== null && { up: `${collection}/${parent}` }) }
}

/** A name for a post that is unique across sites. */
export function globalId({ baseUrl }: RequestContext, id: number) {
  const global_id = `${new URL(baseUrl).host || 'localhost'}?id=${id}`
  return { global_id, global_id_lineage: [global_id] }
}

/** The root URL of the API in a language: the default language has no segment of its own. */
export const apiRoot = ({ store, baseUrl, namespace }: RequestContext, language: Language): string =>
  language === store.site.language ? `${baseUrl}/${namespace}` : `${baseUrl}/${language}/${namespace}`
