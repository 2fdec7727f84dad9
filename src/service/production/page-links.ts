import type { Resource } from '../../contract/resource.ts'
import { apiRoot, type Context, type Values } from '../context.ts'
import type { PageLinks, Paging } from '../list/manner.ts'
import { siteWall } from '../list/window.ts'
import { isTrue } from './filters.ts'
import { bounds, dates as datesOf } from './window.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/** Links hold what the parameters came to, and lose some: terms all, events some filters, venues and organizers the search. */
export function links(context: Context, { name, trashable }: Resource, { page, perPage, pages }: Paging): PageLinks {
  const root = `${apiRoot(context, context.language)}/${name}/`
  const [kept, added] = name === 'events' ? eventPairs(context) : [trashable ? placePairs(context) : [], []]
  const start: Pairs = trashable ? [['per_page', String(perPage)]] : []
  const pageLink = (number: number) =>
    address(root, [...start, ...kept, ...added, ...(number === 1 ? [] : [['page', String(number)] as const])], encoded)
  const first: Pairs = trashable ? [['page', String(page)]] : []
  return {
    rest_url: address(root, [...first, ...start, ...kept], isFiltered(context) ? encoded : asIs, added),
    ...(page < pages && { next_rest_url: pageLink(page + 1) }),
    ...(page > 1 && { previous_rest_url: pageLink(page - 1) }),
  }
}

const asIs = (text: string): string => text
const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

const address = (root: string, pairs: Pairs, write: (text: string) => string, raw: Pairs = []): string => {
  const parts = [...pairs.map(pair => joined(pair, write)), ...raw.map(pair => joined(pair, asIs))]
  return parts.length === 0 ? root : `${root}?${parts.join('&')}`
}

/** A parameter without a value has no sign of equality either. */
const joined = ([name, value]: Pairs[number], write: (text: string) => string): string =>
  value === '' ? name : `${name}=${write(value)}`

/** What is added to an address that is there already encodes it. */
const isFiltered = ({ values }: Context): boolean =>
  [values.venue, values.organizer, values.featured].some(value => value !== undefined)

const given = (values: Values, names: readonly string[]): Pairs =>
  names.filter(name => values[name] !== undefined).map(name => [name, [values[name]].flat().join(',')])

const statusOf = ({ values, caller }: Context): Pairs => [
  [
    'status',
    values.status === undefined ? (caller === 'editor' ? 'any' : 'publish') : [values.status].flat().join(','),
  ],
]

/** The parameters of a list of events, and those that are added to its address. */
function eventPairs(context: Context): readonly [Pairs, Pairs] {
  const { values, parameters } = context
  const dates = { ...datesOf(context), ...(values.include === undefined && pickStart(values)) }
  const isExact = dates.strict_dates === true
  const dated = (names: Readonly<Record<string, string>>): Pairs =>
    Object.entries(names).flatMap(([name, time]) => {
      const text = dates[name]
      if (typeof text !== 'string') return []
      const wall = siteWall(context, text)
      return [[name, isExact ? wall : `${wall.slice(0, 10)} ${time}`] as const]
    })
  const place: Pairs =
    parameters.geoloc === undefined
      ? []
      : [
          ['geoloc', isTrue(parameters.geoloc) ? '1' : ''],
          ['geoloc_lat', ''],
          ['geoloc_lng', ''],
        ]
  const kept = [
    ...dated({ start_date: '00:00:00', end_date: '23:59:59' }),
    ...given(values, ['search']),
    ...place,
    ...statusOf(context),
    ...given(values, ['include', 'post_parent']),
    ...dated(Object.fromEntries(bounds.map(name => [name, '23:59:59']))),
  ]
  return [
    kept,
    [...given(values, ['venue', 'organizer']), ...(values.featured === true ? [['featured', '1'] as const] : [])],
  ]
}

/** The address still names a `start_date` that `starts_after` has won over. */
const pickStart = ({ start_date }: Values): Values => (start_date === undefined ? {} : { start_date })

/** The parameters of a list of venues or organizers, as they were written. */
function placePairs(context: Context): Pairs {
  const written = (name: string): Pairs => context.query.filter(pair => pair[0] === name).slice(-1)
  return [...written('event'), ...written('has_events'), ...statusOf(context)]
}
