import { encodePercent } from '../../base/text/escaping.ts'
import { events } from '../../contract/events.ts'
import type { ResourceName } from '../../contract/field.ts'
import { dateFilterNames } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { mayWritePosts } from '../access.ts'
import { siteWall } from '../comparisons.ts'
import type { ListDialect, PageLinks, Paging, ParameterValues, RequestContext } from '../dialect.ts'
import { apiRoot } from '../render/addresses.ts'
import type { EventRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { utcNow } from '../write/stored-values.ts'

export const listDialect: ListDialect = {
  /** On a site in UTC, instants are compared; elsewhere wall times, whatever their zones. */
  clock: ({ timezone }) => (/^(Etc\/)?(UTC|GMT)([+-]0)?$/i.test(timezone) ? 'utc' : 'wall'),
  dates,
  showsHidden: () => false,
  unlisted,
  links,
  /** The total without the search, if a search for venues or organizers finds none. */
  total: (matching, { values }, { name }, all) =>
    matching === 0 && values.search !== undefined && (name === 'venues' || name === 'organizers') ? all() : matching,
  /** Only the events of the first page count as upcoming. */
  upcomingLimit: ({ perPage }) => perPage,
  eventTexts: ['title', 'description', 'excerpt'],
  readSearch,
}

/** Words that must occur and, after a minus, words that must not; quotation marks make phrases. */
function readSearch(text: string, of: ResourceName) {
  // WordPress searches terms for the whole phrase.
  if (of === 'categories' || of === 'tags') return { wanted: [text], unwanted: [] }
  const words = [...text.matchAll(/(-?)(?:"([^"]+)"|([^\s"]+))/g)].map(([, minus, phrase, word]) => ({
    isUnwanted: minus === '-',
    word: phrase ?? word ?? '',
  }))
  return {
    wanted: words.filter(({ isUnwanted }) => !isUnwanted).map(({ word }) => word),
    unwanted: words.filter(({ isUnwanted }) => isUnwanted).map(({ word }) => word),
  }
}

/** The filters that lift the default dates. */
const relativeFilters = dateFilterNames(events.filters, ['after', 'before'])

/**
 * The dates that narrow a list. A list has default dates unless a relative filter lifts them. With `include`, the default dates hold even
 * if `start_date` or `end_date` is given, and count as exact times. `starts_after` overrides `start_date`.
 */
function dates(context: RequestContext): ParameterValues {
  const { start_date, end_date, ...others } = context.values
  const isBounded = relativeFilters.some(name => others[name] !== undefined)
  if (others.include !== undefined)
    return isBounded ? others : { ...others, ...defaultDates(context), strict_dates: true }
  if (!isBounded) return { ...defaultDates(context), ...context.values }
  return others.starts_after === undefined ? context.values : { ...others, ...(end_date !== undefined && { end_date }) }
}

/**
 * From a minute before today to two years from now. Production computes "yesterday" in UTC: east of it, the window may
 * begin today.
 */
const defaultDates = ({ now }: RequestContext): ParameterValues => {
  const yesterday = utcNow({ now: new Date(now.getTime() - 86_400_000) })
  return { start_date: `${yesterday.slice(0, 10)}T23:59:00Z`, end_date: '+24 months' }
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** Links carry the parsed parameters, and drop some: terms all, events some filters, venues and organizers the search. */
function links(context: RequestContext, { name, trashable }: Resource, { page, perPage, pages }: Paging): PageLinks {
  const root = `${apiRoot(context, context.language)}/${name}/`
  const [pairs, appended] = name === 'events' ? eventPairs(context) : [trashable ? placePairs(context) : [], []]
  const start: Pairs = trashable ? [['per_page', String(perPage)]] : []
  const pageLink = (number: number) =>
    address(
      root,
      [...start, ...pairs, ...appended, ...(number === 1 ? [] : [['page', String(number)] as const])],
      encode,
    )
  const first: Pairs = trashable ? [['page', String(page)]] : []
  return {
    rest_url: address(root, [...first, ...start, ...pairs], isFiltered(context) ? encode : asIs, appended),
    ...(page < pages && { next_rest_url: pageLink(page + 1) }),
    ...(page > 1 && { previous_rest_url: pageLink(page - 1) }),
  }
}

const asIs = (text: string): string => text
const encode = (text: string): string => encodePercent(text).replaceAll('%20', '+')

const address = (root: string, pairs: Pairs, write: (text: string) => string, raw: Pairs = []): string => {
  const parts = [...pairs.map(pair => joinPair(pair, write)), ...raw.map(pair => joinPair(pair, asIs))]
  return parts.length === 0 ? root : `${root}?${parts.join('&')}`
}

/** A parameter without a value has no equals sign either. */
const joinPair = ([name, value]: Pairs[number], write: (text: string) => string): string =>
  value === '' ? name : `${name}=${write(value)}`

/** Adding a parameter to an existing URL encodes the parameters before it. */
const isFiltered = ({ values }: RequestContext): boolean =>
  [values.venue, values.organizer, values.featured].some(value => value !== undefined)

const pairsOf = (values: ParameterValues, names: readonly string[]): Pairs =>
  names.filter(name => values[name] !== undefined).map(name => [name, [values[name]].flat().join(',')])

function statusOf(context: RequestContext): Pairs {
  const { values } = context
  const defaultStatus = mayWritePosts(context) ? 'any' : 'publish'
  return [['status', values.status === undefined ? defaultStatus : [values.status].flat().join(',')]]
}

/** The parameters of a list of events, and those that are appended to its URL. */
function eventPairs(context: RequestContext): readonly [Pairs, Pairs] {
  const { values, parameters } = context
  const bounds = { ...dates(context), ...(values.include === undefined && pickStart(values)) }
  const isExact = bounds.strict_dates === true
  const dated = (names: Readonly<Record<string, string>>): Pairs =>
    Object.entries(names).flatMap(([name, time]) => {
      const text = bounds[name]
      if (typeof text !== 'string') return []
      const wall = siteWall(context, text)
      return [[name, isExact ? wall : `${wall.slice(0, 10)} ${time}`] as const]
    })
  const place: Pairs =
    parameters.geoloc === undefined
      ? []
      : [
          ['geoloc', isTrueParameter(parameters.geoloc) ? '1' : ''],
          ['geoloc_lat', ''],
          ['geoloc_lng', ''],
        ]
  const pairs = [
    ...dated({ start_date: '00:00:00', end_date: '23:59:59' }),
    ...pairsOf(values, ['search']),
    ...place,
    ...statusOf(context),
    ...pairsOf(values, ['include', 'post_parent']),
    ...dated(Object.fromEntries(relativeFilters.map(name => [name, '23:59:59']))),
  ]
  return [
    pairs,
    [...pairsOf(values, ['venue', 'organizer']), ...(values.featured === true ? [['featured', '1'] as const] : [])],
  ]
}

/** The URL still names a `start_date` that `starts_after` overrides. */
const pickStart = ({ start_date }: ParameterValues): ParameterValues => (start_date === undefined ? {} : { start_date })

/** The parameters of a list of venues or organizers, as they were sent. */
function placePairs(context: RequestContext): Pairs {
  const sent = (name: string): Pairs => context.query.filter(pair => pair[0] === name).slice(-1)
  return [...sent('event'), ...sent('has_events'), ...statusOf(context)]
}

/** What PHP and The Events Calendar accept as true. */
export const isTrueParameter = (value: unknown): boolean => /^(1|true|yes|on)$/i.test(String(value))

/**
 * The plugin fills the tables that its lists read at the end of a request. Where the client has gone away by then, an event is
 * found by its slug and is missing from lists, until it is saved again.
 */
const unlistedEvents = new WeakMap<Store, Set<number>>()

const none: ReadonlySet<number> = new Set()

function unlisted(store: Store): ReadonlySet<number> {
  return unlistedEvents.get(store) ?? none
}

/** To be called after an event was written. */
export function saved({ store, isAbandoned }: RequestContext, { id }: EventRow): void {
  if (!isAbandoned()) unlistedEvents.get(store)?.delete(id)
  else unlistedEvents.set(store, new Set(unlisted(store)).add(id))
}
