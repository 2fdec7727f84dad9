import { foldCase } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { offsetsOf, offsetText } from '../../base/time/zone.ts'
import { type Currency, costWith, currencyIn, isOwnCost, siteAmounts } from '../../contract/kinds/currency.ts'
import { numeric } from '../../contract/kinds/site-costs.ts'
import { eventData, type PersonFacts, type PlaceFacts, personData, placeData } from '../../contract/schema-org.ts'
import { mayEdit, mayEditTerms } from '../access.ts'
import type { CostDetails, RenderDialect, RequestContext } from '../dialect.ts'
import { imageUrl, pageOf } from '../render/addresses.ts'
import type { CategoryRow, EventRow, OrganizerRow, Rows, TermRow, VenueRow } from '../store/rows.ts'
import {
  description,
  excerpt,
  hasGallery,
  numberGalleries,
  shortcodesOf,
  shortened,
  termDescription,
  termName,
  title,
  withoutTags,
} from './wordpress-text.ts'

export const renderDialect: RenderDialect = {
  title,
  prose: (context, row) => description(row.description, shortcodesOf(context, row)),
  excerpt,
  showsApart: false,
  term: termName,
  termDescription,
  cost: renderCost,
  costDetails,
  /** For an event that never had a website, production returns the URL of its page. */
  website: ({ website }, url) => website?.replaceAll('&', '&amp;') ?? url,
  publishedUtc: ({ date_utc }) => date_utc,
  slug: ({ slug }) => slug,
  /** A password also keeps editors out, unless they read in order to edit. */
  hidesProtected: (context, row) =>
    context.parameters.password !== row.post_password &&
    (!mayEdit(context, row) || !context.query.some(pair => pair.join('=') === 'context=edit')),
  termAddress,
  termLinks,
  item: withJsonLd,
  hasGallery,
  listedGalleries: numberGalleries,
  stateprovince: ({ stateprovince }) => stateprovince,
}

type Term = TermRow | CategoryRow

/** The names of terms in WordPress's own API. */
const kindOf = (term: Term) =>
  'parent' in term
    ? { route: 'tribe_events_cat', taxonomy: 'tribe_events_cat', posts: ['tribe_events', 'tec_calendar_embed'] }
    : { route: 'tags', taxonomy: 'post_tag', posts: ['posts', 'tribe_events', 'tec_calendar_embed'] }

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The links of terms lead to WordPress's own API. */
function termAddress({ baseUrl }: RequestContext, term: Term): string {
  return `${baseUrl}/wp/v2/${kindOf(term).route}/${term.id}`
}

/** The links of a term that is not in a list. */
function termLinks(context: RequestContext, term: Term): object {
  const root = `${context.baseUrl}/wp/v2`
  const { route, taxonomy, posts } = kindOf(term)
  const allow = mayEditTerms(context, 'parent' in term ? 'categories' : 'tags') ? allMethods : ['GET']
  const parent = 'parent' in term ? term.parent : null
  return {
    _links: {
      self: [{ href: termAddress(context, term), targetHints: { allow } }],
      collection: [{ href: `${root}/${route}` }],
      about: [{ href: `${root}/taxonomies/${taxonomy}` }],
      ...(parent !== null && { up: [{ embeddable: true, href: `${root}/${route}/${parent}` }] }),
      'wp:post_type': posts.map(kind => ({ href: `${root}/${kind}?${route}=${term.id}` })),
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
    },
  }
}

type Answer = Record<string, unknown>

/** Adds data for search engines to the answer of one record: schema.org's `Event`, `Place` and `Person`. */
function withJsonLd(context: RequestContext, row: Rows[keyof Rows], body: Uint8Array): Uint8Array {
  if (!('status' in row)) return body
  const answer: Answer = JSON.parse(Buffer.from(body).toString())
  return Buffer.from(JSON.stringify('title' in row ? eventAnswer(context, row, answer) : placeAnswer(context, answer)))
}

/** The event with its data for search engines. An event with a password has none, but its venue and organizers do. */
function eventAnswer(context: RequestContext, row: EventRow, answer: Answer): Answer {
  const venue = isObject(answer.venue) ? placeAnswer(context, answer.venue) : answer.venue
  const organizer = [answer.organizer].flat().filter(isObject)
  const organizers = organizer.map(each => placeAnswer(context, each))
  return {
    ...answer,
    venue,
    organizer: organizers,
    ...(row.post_password === '' && { json_ld: dataOfEvent(context, row) }),
  }
}

/** `json_ld` precedes `show_map` in venues and `global_id` in organizers. */
function placeAnswer(context: RequestContext, answer: Answer): Answer {
  const { store } = context
  const id = Number(answer.id)
  const venue = 'show_map' in answer ? store.table('venues').get(id) : undefined
  const organizer = venue ? undefined : store.table('organizers').get(id)
  const json_ld = venue
    ? placeData(placeFacts(context, venue))
    : organizer && personData(personFacts(context, organizer))
  const entries = Object.entries(answer)
  const index = entries.findIndex(([name]) => name === (venue ? 'show_map' : 'global_id'))
  return Object.fromEntries([...entries.slice(0, index), ['json_ld', json_ld], ...entries.slice(index)])
}

function dataOfEvent(context: RequestContext, row: EventRow): object {
  const { store } = context
  const page = pageOf(context, 'event', row)
  // The plugin adds a slash to an address that ends in a query.
  const url = page.includes('?') ? `${page}%2F/` : page
  const venue = row.venue === null || row.unlinked ? undefined : store.table('venues').get(row.venue)
  const [organizer] = row.organizer.flatMap(id => store.table('organizers').get(id) ?? [])
  const price = priceOf(row.cost)
  return eventData({
    name: title(row.title).replaceAll('\\', ''),
    description: descriptionText(row.excerpt || row.description),
    image: imageOf(context, row.image),
    url,
    status: row.event_status,
    start: withOffset(row.start_date, row.timezone),
    end: withOffset(row.end_date, row.timezone),
    place: venue && venue.status !== 'trash' ? placeFacts(context, venue) : undefined,
    organizer: organizer && organizer.status !== 'trash' ? personFacts(context, organizer) : undefined,
    offer:
      price === undefined
        ? undefined
        : {
            price,
            currency: currencyOfRow(row).code || 'USD',
            validFrom: `${row.date.slice(0, 10)}T00:00:00+00:00`,
          },
  })
}

const placeFacts = (context: RequestContext, venue: VenueRow): PlaceFacts => ({
  ...venue,
  name: title(venue.venue),
  description: descriptionText(venue.description),
  image: imageOf(context, venue.image),
  region: venue.stateprovince || venue.state || venue.province,
})

const personFacts = (context: RequestContext, organizer: OrganizerRow): PersonFacts => ({
  ...organizer,
  name: title(organizer.organizer),
  description: descriptionText(organizer.description),
  image: imageOf(context, organizer.image),
})

function imageOf(context: RequestContext, id: number | null): string | undefined {
  const image = id === null ? undefined : context.store.table('images').get(id)
  return image && imageUrl(context, image)
}

/** In one paragraph, escaped, with line ends as `\n`: production returns text that was JSON inside HTML. */
const descriptionText = (text: string): string => {
  const plain = shortened(text)
  return plain === '' ? '' : `<p>${plain}</p>\n`.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '\\n')
}

/** `2026-12-05T19:00:00+01:00` */
const withOffset = (wall: string, zone: string): string =>
  `${wall.replace(' ', 'T')}${offsetText(offsetsOf(wall, zone).later)}`

const siteCurrency = '$'

/** With a currency; `Free` for 0; the lowest and highest of several amounts. */
export function renderCost({ cost: text, currency }: CostRow): string {
  const { symbol, position } = currencyOfRow({ cost: text, currency })
  const renderPrice = (price: string): string => {
    if (Number(price) === 0) return 'Free'
    if (position === 'postfix' || position === 'suffix') return `${price}${symbol || siteCurrency}`
    return `${symbol || siteCurrency}${price}`
  }
  const amounts = amountsIn(text)
  const [only] = amounts
  if (only === undefined) return escapeHtml(withoutTags(text))
  const numbers = amounts.length === 1 ? amounts : amounts.filter(price => !Number.isNaN(Number(price)))
  const [lowest, highest] = [numbers.at(0) ?? only, numbers.at(-1) ?? only].map(price => renderPrice(price))
  return lowest === highest ? `${lowest}` : `${lowest} – ${highest}`
}

type CostRow = Pick<EventRow, 'cost' | 'currency'>

/** The currency of a cost: its own, or that of its text. */
export function currencyOfRow({ cost, currency }: CostRow): Currency {
  if (currency === '') return currencyIn(withoutTags(cost))
  const [position = '', symbol = '', code = ''] = currency.split('|')
  return { symbol, position, code }
}

/** The column for a currency: empty if the text of the cost implies it. */
export function currencyColumn(cost: string, currency: Currency): string {
  const { symbol, position, code } = currency
  return isOwnCost(costWith(withoutTags(cost), currency)) ? `${position}|${symbol}|${code}` : ''
}

/** The amounts of a cost, and its currency. */
function costDetails(row: CostRow): CostDetails {
  const { symbol, position, code } = currencyOfRow(row)
  return { currency_symbol: symbol, currency_code: code, currency_position: position, values: valuesOf(row.cost) }
}

function valuesOf(text: string): string[] {
  const plain = withoutTags(text)
  const amounts = amountsIn(text)
  if (amounts.length > 0) return amounts.map(numeric)
  return plain === '' ? [] : [foldCase(plain)]
}

/** The lowest amount as it was written; undefined for a cost without amounts. */
const priceOf = (text: string): string | undefined => amountsIn(text)[0] ?? valuesOf(text)[0]

const amountsIn = (text: string): string[] =>
  [...new Set(siteAmounts(withoutTags(text)))].sort((one, other) => Number(numeric(one)) - Number(numeric(other)))

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
