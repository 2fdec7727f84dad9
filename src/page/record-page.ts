import { escapeXml, plainText } from '../base/text/escaping.ts'
import { isObject, objectsIn } from '../base/text/json.ts'
import { withOffset } from '../base/time/zone.ts'
import { resourceNamed } from '../contract/contract.ts'
import { eventStatusOf } from '../contract/event-status.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import { type EventFacts, eventData, personData, placeData } from '../contract/schema-org.ts'
import { type DayEvent, dayEvent, dayWords, saidStatus, whereOf } from '../files/print/day-events.ts'
import { htmlPage } from './html-page.ts'
import { words } from './page-words.lib.ts'
import type { PageSource } from './public-records.ts'

/** The kinds of records that have pages, by the words in their addresses. */
export const pageKinds = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  tag: 'tags',
  'events/category': 'categories',
} as const

export type PageKind = keyof typeof pageKinds

/** What is around the contents of a page. */
export interface Frame {
  /** The address of the calendar's page. */
  readonly home: string
  readonly site: PageSource['site']
  /** Empty if it is unknown, or the name of the site. */
  readonly town: string
  readonly language: Language
  /** Of the same in other languages. */
  readonly translations: Readonly<Partial<Record<Language, string>>>
}

/** The page of a record: its contents, and the same as schema.org data for search engines. */
export function recordPage(kind: PageKind, record: Answer, frame: Frame): string {
  const title = titleOf(kind, record)
  const { language, site, home } = frame
  const event = kind === 'event' ? dayEvent(record, site.timezone) : undefined
  const image = isObject(record.image) ? String(record.image.url) : ''
  const isOwnImage = image.startsWith(home)
  const facts: Fact[] = [
    ...(event ? factsOfEvent(event, record, frame) : factsOfOther(record)),
    ['website', record.website === record.url ? '' : linked(shownText(record.website))],
    ['image', isOwnImage ? '' : linked(image)],
  ]
  const known = facts.filter(([, html]) => html !== '')
  const body = `${isOwnImage ? `<img src="${escapeXml(image)}" alt="">` : ''}
<dl>${known.map(([label, html]) => `<dt>${labels[label][language]}</dt><dd>${html}</dd>`).join('\n')}</dl>
${paragraphs(shownText(record.description))}
${event ? `<p><a href="?ical=1">${labels.save[language]}</a></p>` : ''}`
  const data = JSON.stringify(schemaOf(kind, record, title)).replaceAll('<', '\\u003c')
  return framed(frame, title, body, `<script type="application/ld+json">${data}</script>`)
}

/** A page that says why there is no record, or nothing else. */
export const refusalPage = (status: 403 | 404, frame: Frame): string =>
  framed(frame, refusals[status][frame.language], `<p>${reasons[status][frame.language]}</p>`)

/** A page with the name of the site, the languages in which it can be read, and the way back to the calendar. */
function framed(
  { home, site, town, language, translations }: Frame,
  title: string,
  body: string,
  head?: string,
): string {
  const name = site.name ?? words.calendarName[language]
  const back = `${escapeXml(home)}?lang=${language}`
  const others = Object.entries(translations).map(
    ([one, url]) => `<a href="${escapeXml(url)}" lang="${one}" hreflang="${one}">${one}</a>`,
  )
  return htmlPage({
    title: `${title} · ${town || name}`,
    language,
    ...(head && { head }),
    body: `<main class="record">
<header><div class="site"><a href="${back}">${escapeXml(name)}</a><p class="town">${escapeXml(town)}</p></div>
<nav aria-label="${labels.language[language]}">${others.join('\n')}</nav></header>
<article><h1>${escapeXml(title)}</h1>
${body}</article>
<p><a href="${back}">← ${labels.calendar[language]}</a></p>
</main>`,
  })
}

const { labels, refusals, reasons } = words

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter(one => one.trim() !== '')
    .map(one => `<p>${escapeXml(one.trim())}</p>`)
    .join('\n')

const isWeb = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

const linkTo = (address: string, text: string): string =>
  `<a href="${escapeXml(address)}" rel="nofollow noreferrer">${escapeXml(text)}</a>`

/** Addresses of the web are links; any other text is text. */
const linked = (text: string): string => (isWeb(text) ? linkTo(text, text) : escapeXml(text))

/** A place that a map finds, or a part of its name. */
const onMap = (query: string, text = query): string =>
  text === '' ? '' : linkTo(`https://www.openstreetmap.org/search?${new URLSearchParams({ query })}`, text)

/** The venue leads to its page, and its address to a map. */
function placeOf(event: DayEvent, record: Answer): string {
  const where = whereOf(event)
  const page = String(objectsIn(record.venue)[0]?.url)
  if (!isWeb(page) || !where.startsWith(event.venue)) return event.address.length > 0 ? onMap(where) : escapeXml(where)
  return [linkTo(page, event.venue), onMap(where, where.slice(event.venue.length + 2))].filter(Boolean).join(', ')
}

const titleOf = (kind: PageKind, record: Answer): string => shownText(record[resourceNamed(pageKinds[kind]).title])

type Fact = readonly [label: keyof typeof labels, html: string]

const factsOfOther = (record: Answer): Fact[] => [
  ['address', onMap([record.address, record.city].map(shownText).filter(Boolean).join(', '))],
  ['phone', escapeXml(shownText(record.phone))],
]

function factsOfEvent(event: DayEvent, record: Answer, { home, language }: Frame): Fact[] {
  const organizers = objectsIn(record.organizer).map(one => shownText(one.organizer))
  const list = `${home}?lang=${language}&view=list&date=${event.firstDay}&categories=`
  return [
    ['when', escapeXml(dayWords(language, {}).when(event))],
    ['status', escapeXml(saidStatus(event, language))],
    ['where', placeOf(event, record)],
    ['cost', escapeXml(event.cost)],
    ['organizer', escapeXml(organizers.join(', '))],
    ['categories', event.categories.map(({ id, name }) => linkTo(list + id, name)).join(', ')],
  ]
}

/** The record in the words of schema.org. */
function schemaOf(kind: PageKind, record: Answer, name: string): object {
  if (kind === 'event') return eventData(eventFacts(record))
  const data = otherData[kind]?.(factsIn(record)) ?? { '@type': 'CollectionPage', name }
  return { '@context': 'http://schema.org', ...data, url: record.url }
}

const otherData: Readonly<Partial<Record<PageKind, (facts: ReturnType<typeof factsIn>) => object>>> = {
  venue: placeData,
  organizer: personData,
}

function eventFacts(event: Answer): EventFacts {
  const { cost_details: cost, utc_start_date, utc_end_date } = event
  const [place] = objectsIn(event.venue)
  const [organizer] = objectsIn(event.organizer)
  const [price] = isObject(cost) ? [cost.values].flat() : []
  const currency = isObject(cost) ? shownText(cost.currency_code) : ''
  return {
    ...factsIn(event),
    url: String(event.url),
    status: eventStatusOf(event) ?? '',
    start: withZone(event.start_date, utc_start_date),
    end: withZone(event.end_date, utc_end_date),
    place: place && factsIn(place),
    organizer: organizer && factsIn(organizer),
    offer:
      price === undefined || currency === ''
        ? undefined
        : { price: String(price), currency, validFrom: withZone(event.date, event.date_utc) },
  }
}

/** The texts of a record; a place and a person have the ones of their own. */
function factsIn(record: Readonly<Record<string, unknown>>) {
  const text = (name: string) => shownText(record[name])
  return {
    name: text('title') || text('venue') || text('organizer'),
    description: text('description'),
    image: isObject(record.image) ? String(record.image.url) : undefined,
    phone: text('phone'),
    website: text('website'),
    address: text('address'),
    city: text('city'),
    region: text('stateprovince'),
    zip: text('zip'),
    country: text('country'),
    email: text('email'),
  }
}

const shownText = (value: unknown): string => plainText(value) ?? ''

const withZone = (wall: unknown, utc: unknown): string => withOffset(String(wall), String(utc)).replace(' ', 'T')
