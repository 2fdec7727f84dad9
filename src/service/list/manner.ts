import type { Resource } from '../../contract/resource.ts'
import { apiRoot, type Context, type Values } from '../context.ts'
import type { Site } from '../store/rows.ts'
import type { Clock } from './window.ts'

/** Which page of how many is answered. */
export interface Paging {
  readonly page: number
  readonly perPage: number
  readonly pages: number
}

/** The addresses of a list and of the pages beside it. */
export interface PageLinks {
  readonly rest_url: string
  readonly next_rest_url?: string
  readonly previous_rest_url?: string
}

/** How lists are made: the part of a manner that they depend on. */
export interface Listing {
  readonly clock: (site: Site) => Clock
  /** The dates that a list of events is narrowed by, defaults included, and whether they are taken as exact. */
  readonly dates: (context: Context) => Values
  /** How many of the next events count where only who has upcoming ones is asked for; undefined for all. */
  readonly upcomingLimit: (context: Context) => number | undefined
  /** The texts of an event that a search looks at. */
  readonly eventTexts: readonly string[]
  /** The words that a search asks for, and those that it does not want. */
  readonly readSearch: (text: string) => { readonly wanted: readonly string[]; readonly unwanted: readonly string[] }
  readonly showsHidden: (caller: Context['caller']) => boolean
  readonly links: (context: Context, resource: Resource, paging: Paging) => PageLinks
  /** The total that is told of a list of which this many records match; `all` counts without the search. */
  readonly total: (matching: number, context: Context, resource: Resource, all: () => number) => number
}

/** As the documentation says. */
export const listing: Listing = {
  clock: () => 'utc',
  dates: datesIn,
  showsHidden: caller => caller === 'editor',
  links,
  total: matching => matching,
  upcomingLimit: () => undefined,
  eventTexts: ['title', 'description'],
  readSearch: text => ({ wanted: text.split(/\s+/), unwanted: [] }),
}

const relative = ['starts_before', 'starts_after', 'ends_before', 'ends_after']

/** Asking for ids lifts the window, and asking before or after a date its defaults. */
function datesIn({ values }: Context): Values {
  if (values.include !== undefined) return {}
  return relative.some(name => values[name] !== undefined)
    ? values
    : { start_date: 'yesterday', end_date: '+24 months', ...values }
}

/** Links keep every parameter of the request. */
function links(context: Context, { name }: Resource, { page, pages }: Paging): PageLinks {
  const root = `${apiRoot(context, context.language)}/${name}/`
  const others = context.query.filter(([name]) => name !== 'page')
  const address = (pairs: Context['query']) =>
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
