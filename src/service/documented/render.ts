import { isUnpublished } from '../../contract/posts.ts'
import type { RenderDialect } from '../dialect.ts'
import { termUrls } from '../render/addresses.ts'
import { apiRoot, type RequestContext } from '../request-context.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'
import { costDetails } from './cost.ts'

type Term = TermRow | CategoryRow

/** Text comes back as it was stored. */
export const renderDialect: RenderDialect = {
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
  hidesProtected: caller => caller === 'public',
  termAddress,
  termLinks,
  item: (_context, _row, body) => body,
  stateprovince: ({ stateprovince, state, province }) => stateprovince || state || province,
}

function termAddress(context: RequestContext, term: Term): string {
  return `${apiRoot(context, term.lang_code)}/${'parent' in term ? 'categories' : 'tags'}/${term.id}`
}

function termLinks(context: RequestContext, term: Term): object {
  const urls = termUrls(context, 'parent' in term ? 'categories' : 'tags', term, 'parent' in term ? term.parent : null)
  return { _links: Object.fromEntries(Object.entries(urls).map(([name, href]) => [name, [{ href }]])) }
}
