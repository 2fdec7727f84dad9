import { events } from '../../contract/events.ts'
import { dateFilterNames } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import type { ListDialect, PageLinks, Paging } from '../dialect.ts'
import { apiRoot, type ParameterValues, type RequestContext } from '../request-context.ts'

const none: ReadonlySet<number> = new Set()

export const listDialect: ListDialect = {
  clock: () => 'utc',
  dates: datesIn,
  unlisted: () => none,
  showsHidden: caller => caller === 'editor',
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
