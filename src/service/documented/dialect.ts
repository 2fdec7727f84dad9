/**
 * The API as documented: this file has its lists and answers, `check.ts` its refusals. `write.ts` is loaded with the first write. Where the
 * documentation says nothing, the behaviour is the simplest on which a client can rely.
 */

import { once } from '../../base/memoize.ts'
import { foldCase } from '../../base/text/folding.ts'
import { events } from '../../contract/events.ts'
import { dateFilterNames } from '../../contract/filter.ts'
import { isUnpublished, noDate } from '../../contract/post-status.ts'
import type { Resource } from '../../contract/resource.ts'
import { mayEditAll } from '../access.ts'
import type {
  CostDetails,
  Dialect,
  ListDialect,
  PageLinks,
  Paging,
  ParameterValues,
  RenderDialect,
  RequestContext,
} from '../dialect.ts'
import { apiRoot, termUrls } from '../render/addresses.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'
import { check, refusalDialect } from './check.ts'

const none: ReadonlySet<number> = new Set()

const listDialect: ListDialect = {
  clock: () => 'utc',
  dates: datesIn,
  unlisted: () => none,
  showsHidden: mayEditAll,
  links,
  total: matching => matching,
  upcomingLimit: () => undefined,
  eventTexts: ['title', 'description'],
  readSearch: text => ({ wanted: text.split(/\s+/), unwanted: [] }),
}

/** The filters that lift the default dates. */
const relativeFilters = dateFilterNames(events.filters, ['after', 'before'])

/** `include` lifts all date limits, and the relative filters lift the default ones. */
function datesIn({ values }: RequestContext): ParameterValues {
  if (values.include !== undefined) return {}
  return relativeFilters.some(name => values[name] !== undefined)
    ? values
    : { start_date: 'yesterday', end_date: '+24 months', ...values }
}

/** Links repeat every parameter of the request. */
function links(context: RequestContext, { name }: Resource, { page, pages }: Paging): PageLinks {
  const root = `${apiRoot(context, context.language)}/${name}/`
  const others = context.query.filter(([name]) => name !== 'page')
  const address = (pairs: RequestContext['query']) =>
    pairs.length === 0
      ? root
      : `${root}?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))}`
  const pageLink = (number: number) => address([...others, ['page', String(number)]])
  return {
    rest_url: address(context.query),
    ...(page < pages && { next_rest_url: pageLink(page + 1) }),
    ...(page > 1 && { previous_rest_url: pageLink(page - 1) }),
  }
}

type Term = TermRow | CategoryRow

/** Texts are answered as they were stored. */
const renderDialect: RenderDialect = {
  title: text => text,
  prose: (_context, { description }) => description,
  excerpt: text => text,
  showsApart: true,
  term: text => text,
  termDescription: text => text,
  cost: ({ cost }) => cost,
  costDetails: ({ cost }) => costDetails(cost),
  website: ({ website }) => website ?? '',
  publishedUtc: ({ status, date_utc }) => (isUnpublished(status) ? noDate : date_utc),
  slug: ({ slug }) => slug,
  /** Shows editors what others see, if they ask for it (`context=view`). */
  hidesProtected: context => !mayEditAll(context) || context.query.some(pair => pair.join('=') === 'context=view'),
  termAddress,
  termLinks,
  item: (_context, _row, body) => body,
  hasGallery: () => false,
  listedGalleries: text => text,
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

export const documented: Dialect = {
  ...listDialect,
  ...renderDialect,
  ...refusalDialect,
  check,
  loadWriteDialect: once(async () => (await import('./write.ts')).writeDialect),
  refOf: ref => ref,
  // An update leaves alone what it does not name, so a client need not send anything back.
  headers: { 'x-calendar-updates': 'partial' },
}
