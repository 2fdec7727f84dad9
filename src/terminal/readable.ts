import { lookupTable } from '../memoize.ts'
import { sanitize, singleLine } from '../text/escaping.ts'
import type { Row } from './form.ts'
import { cellText, valueAt } from './paths.ts'

const dateTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const spellings: Readonly<Record<string, string>> = lookupTable({
  id: 'ID',
  url: 'URL',
  utc: 'UTC',
  lang: 'Language',
  code: '',
})

/** The heading for a path: `start_date` is Start date, `venue.city` Venue city. */
export function heading(path: string): string {
  const words = path.split(/[._]/).map(word => spellings[word] ?? word)
  const text = words.filter(word => word !== '').join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The value at a path, for people: without control characters, dates with their weekday. The dates of an event in another time
 * zone than the viewer's show that zone.
 */
export function readable(record: Row, path: string, viewerZone?: string): string {
  const text = sanitize(cellText(valueAt(record, path))).replaceAll('\t', ' ')
  if (!dateTime.test(text)) return text
  if (!/^(start|end)_date$/.test(path)) return readableDate(text, false)
  return `${readableDate(text, record.all_day === true)}${foreignZone(record, viewerZone)}`
}

/** The value at a path, on one line. */
export const readableLine = (record: Row, path: string, viewerZone?: string): string =>
  singleLine(readable(record, path, viewerZone)).trim()

const foreignZone = ({ timezone, timezone_abbr }: Row, viewerZone: string | undefined): string =>
  typeof timezone !== 'string' || viewerZone === undefined || timezone === viewerZone
    ? ''
    : ` ${timezone_abbr ?? timezone}`

/** `Sat`; undefined for a day that does not exist. */
export const weekdayOf = (wall: string): string | undefined =>
  days[new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()]

const readableDate = (wall: string, allDay: boolean): string => {
  const day = wall.slice(0, 10)
  const weekday = weekdayOf(wall)
  const date = weekday ? `${weekday} ${day}` : day
  return allDay ? date : `${date} ${wall.slice(11, 16)}`
}
