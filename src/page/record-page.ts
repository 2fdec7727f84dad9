import { escapeXml, plainText } from '../base/text/escaping.ts'
import { isObject, objectsIn } from '../base/text/json.ts'
import { withOffset } from '../base/time/zone.ts'
import { resourceNamed } from '../contract/contract.ts'
import { eventStatusOf } from '../contract/event-status.ts'
import { type Language, languages } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import {
  type EventFacts,
  eventData,
  type PersonFacts,
  type PlaceFacts,
  personData,
  placeData,
} from '../contract/schema-org.ts'
import { dayEvent, dayWords, saidStatus, whereOf } from '../files/print/day-events.ts'
import { htmlPage } from './html-page.ts'
import words from './page-words.json' with { type: 'json' }

/** The kinds of records that have pages, by the words in their addresses. */
export const pageKinds = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  tag: 'tags',
  'events/category': 'categories',
} as const

export type PageKind = keyof typeof pageKinds

/** Where a page belongs. */
interface Place {
  /** The address of the calendar's page. */
  readonly home: string
  readonly site: { readonly language: Language; readonly timezone: string }
}

/** The page of a record: its contents, and the same as schema.org data for search engines. */
export function recordPage(kind: PageKind, record: Answer, { home, site }: Place): string {
  const title = titleOf(kind, record)
  const language = languages.find(one => one === record.lang_code) ?? site.language
  const facts = factsOf(kind, record, { language, zone: site.timezone }).filter(([, text]) => text !== '')
  return htmlPage({
    title,
    language,
    head: `<script type="application/ld+json">${JSON.stringify(schemaOf(kind, record, title)).replaceAll('<', '\\u003c')}</script>`,
    body: `<main>
<p><a href="${escapeXml(home)}?lang=${language}">${labels.calendar[language]}</a></p>
<h1>${escapeXml(title)}</h1>
<dl>${facts.map(([label, text]) => `<dt>${labels[label][language]}</dt><dd>${linked(text)}</dd>`).join('\n')}</dl>
${paragraphs(shownText(record.description))}
</main>`,
  })
}

/** A page that says in all languages why there is no record, because nobody knows the language of the missing one. */
export const refusalPage = (status: 403 | 404, { home, site }: Place): string =>
  htmlPage({
    title: String(status),
    language: site.language,
    body: `<main>${languages.map(one => `<p lang="${one}">${refusals[status][one]}</p>`).join('\n')}
<p><a href="${escapeXml(home)}">${labels.calendar[site.language]}</a></p></main>`,
  })

const { labels, refusals } = words

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter(one => one.trim() !== '')
    .map(one => `<p>${escapeXml(one.trim())}</p>`)
    .join('\n')

/** Addresses of the web are links; any other text is text. */
const linked = (text: string): string =>
  /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
    ? `<a href="${escapeXml(text)}" rel="nofollow">${escapeXml(text)}</a>`
    : escapeXml(text)

const titleOf = (kind: PageKind, record: Answer): string => shownText(record[resourceNamed(pageKinds[kind]).title])

type Fact = readonly [label: Exclude<keyof typeof labels, 'calendar'>, text: string]

function factsOf(kind: PageKind, record: Answer, { language, zone }: { language: Language; zone: string }): Fact[] {
  const website = record.website === record.url ? '' : String(record.website ?? '')
  const event = kind === 'event' ? dayEvent(record, zone) : undefined
  if (event === undefined)
    return [
      ['address', [record.address, record.city].map(shownText).filter(Boolean).join(', ')],
      ['phone', shownText(record.phone)],
      ['website', website],
    ]
  const organizers = objectsIn(record.organizer).map(one => plainText(one.organizer))
  return [
    ['when', dayWords(language, {}).when(event)],
    ['status', saidStatus(event, language)],
    ['where', whereOf(event)],
    ['cost', event.cost],
    ['organizer', organizers.join(', ')],
    ['website', website],
  ]
}

/** The record in the words of schema.org. */
function schemaOf(kind: PageKind, record: Answer, name: string): object {
  if (kind === 'event') return eventData(eventFacts(record))
  const data = otherData[kind]?.(record) ?? { '@type': 'CollectionPage', name }
  return { '@context': 'http://schema.org', ...data, url: record.url }
}

const otherData: Readonly<Partial<Record<PageKind, (record: Facts) => object>>> = {
  venue: record => placeData(placeFacts(record)),
  organizer: record => personData(personFacts(record)),
}

type Facts = Readonly<Record<string, unknown>>

function eventFacts(event: Answer): EventFacts {
  const { cost_details: cost, utc_start_date, utc_end_date } = event
  const [place] = objectsIn(event.venue)
  const [organizer] = objectsIn(event.organizer)
  const [price] = isObject(cost) ? [cost.values].flat() : []
  const currency = isObject(cost) ? shownText(cost.currency_code) : ''
  return {
    ...describedBy(event, event.title),
    url: String(event.url),
    status: eventStatusOf(event) ?? '',
    start: withZone(event.start_date, utc_start_date),
    end: withZone(event.end_date, utc_end_date),
    place: place && placeFacts(place),
    organizer: organizer && personFacts(organizer),
    offer:
      price === undefined || currency === ''
        ? undefined
        : { price: String(price), currency, validFrom: withZone(event.date, event.date_utc) },
  }
}

const placeFacts = (place: Facts): PlaceFacts => ({
  ...describedBy(place, place.venue),
  address: shownText(place.address),
  city: shownText(place.city),
  region: shownText(place.stateprovince),
  zip: shownText(place.zip),
  country: shownText(place.country),
})

const personFacts = (person: Facts): PersonFacts => ({
  ...describedBy(person, person.organizer),
  email: shownText(person.email),
})

const describedBy = ({ description, image, phone, website }: Facts, name: unknown) => ({
  name: shownText(name),
  description: shownText(description),
  image: isObject(image) ? String(image.url) : undefined,
  phone: shownText(phone),
  website: shownText(website),
})

const shownText = (value: unknown): string => plainText(value) ?? ''

const withZone = (wall: unknown, utc: unknown): string => withOffset(String(wall), String(utc)).replace(' ', 'T')
