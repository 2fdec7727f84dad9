import { isUnpublished, noDate } from '../../contract/post-status.ts'
import { foldCase } from '../../text/similarity.ts'
import type { CostDetails, RenderDialect } from '../dialect.ts'
import { termUrls } from '../render/addresses.ts'
import { apiRoot, type RequestContext } from '../request-context.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'

type Term = TermRow | CategoryRow

/** Text comes back as it was stored. */
export const renderDialect: RenderDialect = {
  title: text => text,
  prose: (_context, { description }) => description,
  excerpt: text => text,
  term: text => text,
  termDescription: text => text,
  cost: text => text,
  costDetails,
  website: ({ website }) => website ?? '',
  publishedUtc: ({ status, date_utc }) => (isUnpublished(status) ? noDate : date_utc),
  slug: ({ slug }) => slug,
  hidesProtected: ({ caller }) => caller !== 'editor',
  termAddress,
  termLinks,
  item: (_context, _row, body) => body,
  listed: (_row, text) => text,
  stateprovince: ({ stateprovince, state, province }) => stateprovince || state || province,
}

function termAddress(context: RequestContext, term: Term): string {
  return `${apiRoot(context, term.lang_code)}/${'parent' in term ? 'categories' : 'tags'}/${term.id}`
}

function termLinks(context: RequestContext, term: Term): object {
  const urls = termUrls(context, 'parent' in term ? 'categories' : 'tags', term, 'parent' in term ? term.parent : null)
  return { _links: Object.fromEntries(Object.entries(urls).map(([name, href]) => [name, [{ href }]])) }
}

const amount = /\d+(?:[.,]\d+)*/g

/** Reads `15`, `20 €`, `€20`, `10 - 20`, `12,50`; a text without amounts is its own value: `free`. */
function costDetails(cost: string): CostDetails {
  const text = cost.replace(/<[^<>]*>/g, '').trim()
  const values = [...new Set(text.match(amount)?.map(plainAmount))]
  if (values.length === 0) return { ...unpriced, values: text === '' ? [] : [foldCase(text)] }
  const symbol = /\p{Sc}|\b[A-Z]{3}\b/u.exec(text)
  if (!symbol) return { ...unpriced, values }
  return {
    currency_symbol: symbol[0],
    currency_code: '',
    currency_position: symbol.index < text.search(/\d/) ? 'prefix' : 'postfix',
    values,
  }
}

const unpriced = { currency_symbol: '', currency_code: '', currency_position: '' } as const

/** `12,50` and `1,234.56` with the point where the cents begin. */
const plainAmount = (text: string): string => {
  const [, whole = text, cents] = /^(.*)[.,](\d{1,2})$/.exec(text) ?? []
  const digits = whole.replace(/[.,]/g, '')
  return cents === undefined ? digits : `${digits}.${cents}`
}
