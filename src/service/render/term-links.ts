import { apiRoot, type Context } from '../context.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'
import { termUrls } from './addresses.ts'

type Term = TermRow | CategoryRow

/** Where a term is in the API. */
export const termAddress = (context: Context, term: Term): string =>
  `${apiRoot(context, term.lang_code)}/${'parent' in term ? 'categories' : 'tags'}/${term.id}`

/** The links that a term has where it is answered alone. */
export function termLinks(context: Context, term: Term): object {
  const urls = termUrls(context, 'parent' in term ? 'categories' : 'tags', term, 'parent' in term ? term.parent : null)
  return { _links: Object.fromEntries(Object.entries(urls).map(([name, href]) => [name, [{ href }]])) }
}
