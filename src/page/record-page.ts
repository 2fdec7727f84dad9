import { escapeXml } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { withOffset } from '../base/time/zone.ts'
import { resourceNamed } from '../contract/contract.ts'
import { type Language, languages, say, type Words } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import { plainText } from '../files/icalendar/parse-components.ts'
import { dayEvent, dayWords, statusIn } from '../files/print/day-events.ts'
import { htmlPage } from './html-page.ts'

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

/** The page of a record: what it says, and the same for search engines as schema.org data. */
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
${paragraphs(plainText(record.description) ?? '')}
</main>`,
  })
}

/** A page that says why there is no record to read, in all languages: whose it was to be in, nobody knows. */
export const refusalPage = (status: 403 | 404, { home, site }: Place): string =>
  htmlPage({
    title: String(status),
    language: site.language,
    body: `<main>${languages.map(one => `<p lang="${one}">${refusals[status][one]}</p>`).join('\n')}
<p><a href="${escapeXml(home)}">${labels.calendar[site.language]}</a></p></main>`,
  })

const refusals: Readonly<Record<403 | 404, Words>> = {
  403: say('Cal una contrasenya.', 'This needs a password.', 'Hace falta una contraseña.'),
  404: say('Aquesta pàgina no existeix.', 'There is no such page.', 'Esta página no existe.'),
}

const labels = {
  calendar: say('Calendari', 'Calendar', 'Calendario'),
  when: say('Quan', 'When', 'Cuándo'),
  where: say('On', 'Where', 'Dónde'),
  status: say('Estat', 'Status', 'Estado'),
  cost: say('Preu', 'Cost', 'Precio'),
  organizer: say('Organitza', 'Organizer', 'Organiza'),
  address: say('Adreça', 'Address', 'Dirección'),
  phone: say('Telèfon', 'Phone', 'Teléfono'),
  website: say('Web', 'Website', 'Web'),
} satisfies Record<string, Words>

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

const titleOf = (kind: PageKind, record: Answer): string =>
  plainText(record[resourceNamed(pageKinds[kind]).title]) ?? ''

type Fact = readonly [label: Exclude<keyof typeof labels, 'calendar'>, text: string]

function factsOf(kind: PageKind, record: Answer, { language, zone }: { language: Language; zone: string }): Fact[] {
  const website = record.website === record.url ? '' : String(record.website ?? '')
  const event = kind === 'event' ? dayEvent(record, zone) : undefined
  if (event === undefined)
    return [
      [
        'address',
        [record.address, record.city]
          .map(text => plainText(text) ?? '')
          .filter(Boolean)
          .join(', '),
      ],
      ['phone', plainText(record.phone) ?? ''],
      ['website', website],
    ]
  return [
    ['when', dayWords(language, {}).when(event)],
    [
      'status',
      event.status === undefined ? '' : [statusIn(language, event.status), event.reason].filter(Boolean).join(': '),
    ],
    ['where', [event.venue, event.address].filter(Boolean).join(', ')],
    ['cost', event.cost],
    [
      'organizer',
      [record.organizer]
        .flat()
        .filter(isObject)
        .map(one => plainText(one.organizer))
        .join(', '),
    ],
    ['website', website],
  ]
}

/** The record in the words of schema.org: those of the site, where its answers have them. */
function schemaOf(kind: PageKind, record: Answer, name: string): object {
  if (isObject(record.json_ld)) return record.json_ld
  const about = { '@context': 'https://schema.org', name, url: record.url }
  if (kind === 'organizer') return { ...about, '@type': 'Organization' }
  if (kind === 'venue') return { ...about, '@type': 'Place', address: addressOf(record) }
  if (kind !== 'event') return { ...about, '@type': 'CollectionPage' }
  const [place] = [record.venue].flat().filter(isObject)
  return {
    ...about,
    '@type': 'Event',
    description: plainText(record.description) ?? '',
    startDate: withZone(record.start_date, record.utc_start_date),
    endDate: withZone(record.end_date, record.utc_end_date),
    eventStatus: `https://schema.org/${eventStatuses[String(record.event_status)] ?? 'EventScheduled'}`,
    ...(isObject(record.image) && { image: record.image.url }),
    ...(place && { location: { '@type': 'Place', name: plainText(place.venue), address: addressOf(place) } }),
  }
}

const eventStatuses: Readonly<Record<string, string>> = { canceled: 'EventCancelled', postponed: 'EventPostponed' }

const withZone = (wall: unknown, utc: unknown): string => withOffset(String(wall), String(utc)).replace(' ', 'T')

const addressOf = ({ address, city, country, zip }: Readonly<Record<string, unknown>>) => ({
  '@type': 'PostalAddress',
  streetAddress: address,
  addressLocality: city,
  postalCode: zip,
  addressCountry: country,
})
