/**
 * A sheet for a leaflet: events for readers, under headings in their language. Input: records as a site returns them. Output: rows with
 * names in place of slugs, texts without HTML, local days and hours, and without what only calctl and the site need.
 */

import { decodeEntities, plainText } from '../../base/text/escaping.ts'
import { isObject, objectsIn } from '../../base/text/json.ts'
import type { Language } from '../../contract/languages.ts'
import { costFor } from '../../contract/price.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer } from '../../contract/resource.ts'
import { type LeafletColumn, leafletColumns } from '../csv/leaflet-headings.ts'
import { dayEvent, titleWithStatus } from '../print/day-events.ts'

/** The cells of an event under the `leafletHeadings` of a language; `cellOf` makes the cell for a day. */
export function leafletRow<Cell>(event: Answer, language: Language, cellOf: (day: string) => Cell): (string | Cell)[] {
  const [startDay = '', startTime = ''] = wallOf(event.start_date)
  const [endDay = '', endTime = ''] = wallOf(event.end_date)
  const venue = isObject(event.venue) ? event.venue : {}
  const isTimed = event.all_day !== true
  const title = nameOf(storedValue('title', event) ?? event.title)
  const dated = dayEvent(event)
  const isSameTime = startDay === endDay && startTime === endTime
  const cells: Record<LeafletColumn, string | Cell> = {
    title: dated ? titleWithStatus({ ...dated, title }, { language }) : title,
    day: cellOf(startDay),
    time: isTimed ? startTime : '',
    endDay: endDay === startDay ? '' : cellOf(endDay),
    endTime: isTimed && !isSameTime ? endTime : '',
    venue: nameOf(venue.venue),
    address: [venue.address, venue.city].map(nameOf).filter(Boolean).join(', '),
    organizer: namesIn(event.organizer, 'organizer'),
    categories: namesIn(event.categories, 'name'),
    tags: namesIn(event.tags, 'name'),
    // A site may show a price with its own currency.
    cost: costFor(language, nameOf(storedValue('cost', event) ?? event.cost)),
    description: plainText(event.description) ?? '',
    // For an event without a website, sites answer the page of the event.
    website: event.website === event.url ? '' : nameOf(event.website),
  }
  return (Object.keys(leafletColumns) as LeafletColumn[]).map(column => cells[column])
}

/** The day and the hour and minute of a wall time. */
const wallOf = (date: unknown): string[] => {
  const [day = '', time = ''] = String(date ?? '').split(' ')
  return [day, time.slice(0, 5)]
}

const nameOf = (value: unknown): string => (typeof value === 'string' ? decodeEntities(value) : '')

/** Names in a list; a name with a separator in it is quoted, so that it stays one. */
function namesIn(links: unknown, title: string): string {
  const names = objectsIn(links).map(link => nameOf(link[title]))
  if (names.length < 2) return names[0] ?? ''
  return names.map(name => (/[,;]/.test(name) ? `"${name}"` : name)).join(', ')
}
