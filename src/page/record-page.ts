import { escapeXml } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { resourceNamed } from '../contract/contract.ts'
import { languages, say, type Words } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import { plainText } from '../files/icalendar/parse-components.ts'

/** The kinds of records that have pages, by the words in their addresses. */
export const pageKinds = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  tag: 'tags',
  'events/category': 'categories',
} as const

export type PageKind = keyof typeof pageKinds

/** The page of a record: what it says, and the same for search engines as schema.org data. */
export function recordPage(kind: PageKind, record: Answer, home: string): string {
  const title = titleOf(kind, record)
  const language = languages.find(one => one === record.lang_code) ?? 'en'
  const { fields } = resourceNamed(pageKinds[kind])
  const facts = factsOf(kind, record).filter(([, text]) => text !== '')
  return document({
    title,
    language,
    body: `<main>
<p><a href="${escapeXml(home)}?lang=${language}">${calendarWord[language]}</a></p>
<h1>${escapeXml(title)}</h1>
<dl>${facts.map(([name, text]) => `<dt>${escapeXml(fields[name]?.words[language] ?? name)}</dt><dd>${escapeXml(text)}</dd>`).join('\n')}</dl>
${paragraphs(plainText(record.description) ?? '')}
</main>`,
    data: schemaOf(kind, record, title),
  })
}

const calendarWord = { ca: 'Calendari', en: 'Calendar', es: 'Calendario' } as const

/** A page that says why there is no record to read: whose language it was to be in, nobody knows. */
export const refusalPage = (status: 403 | 404, home: string): string =>
  document({
    title: String(status),
    language: 'en',
    body: `<main>${languages.map(one => `<p lang="${one}">${refusals[status][one]}</p>`).join('\n')}
<p><a href="${escapeXml(home)}">calctl</a></p></main>`,
  })

const refusals: Readonly<Record<403 | 404, Words>> = {
  403: say('Cal una contrasenya.', 'This needs a password.', 'Hace falta una contraseña.'),
  404: say('Aquesta pàgina no existeix.', 'There is no such page.', 'Esta página no existe.'),
}

interface Document {
  readonly title: string
  readonly language: string
  readonly body: string
  readonly data?: object
}

const document = ({ title, language, body, data }: Document): string => `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__page/page.css">
${data ? `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>` : ''}
${body}
</html>
`

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter(one => one.trim() !== '')
    .map(one => `<p>${escapeXml(one.trim())}</p>`)
    .join('\n')

const titleOf = (kind: PageKind, record: Answer): string =>
  plainText(record[resourceNamed(pageKinds[kind]).title]) ?? ''

function factsOf(kind: PageKind, record: Answer): [string, string][] {
  const place = venueOf(record)
  const website = record.website === record.url ? '' : String(record.website ?? '')
  if (kind === 'event')
    return [
      ['start_date', momentText(record.start_date, record.all_day)],
      ['end_date', momentText(record.end_date, record.all_day)],
      ['venue', place ? [place.venue, place.address, place.city].filter(Boolean).join(', ') : ''],
      ['cost', String(record.cost ?? '')],
      ['website', website],
    ]
  return [
    ['address', [record.address, record.city].filter(Boolean).join(', ')],
    ['phone', String(record.phone ?? '')],
    ['website', website],
  ]
}

const momentText = (moment: unknown, isAllDay: unknown): string =>
  isAllDay === true ? String(moment).slice(0, 10) : String(moment).slice(0, 16)

const venueOf = ({ venue }: Answer): Record<string, unknown> | undefined => {
  const first: unknown = Array.isArray(venue) ? venue[0] : venue
  return isObject(first) ? first : undefined
}

/** The record in the words of schema.org, as the plugin gives it. */
function schemaOf(kind: PageKind, record: Answer, name: string): object {
  const url = record.url
  const context = '@context' as const
  if (kind === 'organizer') return { [context]: 'https://schema.org', '@type': 'Organization', name, url }
  if (kind === 'venue')
    return { [context]: 'https://schema.org', '@type': 'Place', name, url, address: addressOf(record) }
  if (kind !== 'event') return { [context]: 'https://schema.org', '@type': 'CollectionPage', name, url }
  const place = venueOf(record)
  const isCancelled = record.event_status === 'canceled'
  return {
    [context]: 'https://schema.org',
    '@type': 'Event',
    name,
    url,
    description: plainText(record.description) ?? '',
    startDate: isoOf(record.utc_start_date),
    endDate: isoOf(record.utc_end_date),
    eventStatus: `https://schema.org/${isCancelled ? 'EventCancelled' : 'EventScheduled'}`,
    ...(isObject(record.image) && { image: record.image.url }),
    ...(place && { location: { '@type': 'Place', name: place.venue, address: addressOf(place) } }),
  }
}

const isoOf = (utc: unknown): string => `${String(utc).replace(' ', 'T')}+00:00`

const addressOf = ({ address, city, country, zip }: Record<string, unknown>) => ({
  '@type': 'PostalAddress',
  streetAddress: address,
  addressLocality: city,
  postalCode: zip,
  addressCountry: country,
})
