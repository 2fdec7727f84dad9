import { lookupTable } from '../../base/memoize.ts'
import { decodeEntities, sanitize, sanitizeLine, singleLine } from '../../base/text/escaping.ts'
import { quoted, type Resource } from '../../contract/resource.ts'
import { cellText, type Row, valueAt } from './form.ts'

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
const weekdayOf = (wall: string): string | undefined => days[new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()]

const readableDate = (wall: string, allDay: boolean): string => {
  const day = wall.slice(0, 10)
  const weekday = weekdayOf(wall)
  const date = weekday ? `${weekday} ${day}` : day
  return allDay ? date : `${date} ${wall.slice(11, 16)}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const wallTime = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}))?/

/** `Sat 21 Nov 08:00`, with the year if it is not `year`; a whole day without its time. */
export function shortDate(wall: string, year: string, isWholeDay = false): string {
  const [, ownYear = '', month = '', day = '', time] = wallTime.exec(wall) ?? []
  const monthName = months[Number(month) - 1]
  const weekday = weekdayOf(wall)
  if (!monthName || !weekday) return wall
  const date = [weekday, Number(day), monthName, ...(ownYear === year ? [] : [ownYear])]
  return [...date, ...(time && !isWholeDay ? [time] : [])].join(' ')
}

/** What is known about a record, and when it is named. */
interface Naming {
  /** The fields of the record, as they were read or as they are to be sent. */
  readonly record: Row
  /** The year in which the sentence is read: it is left out of dates. */
  readonly year: string
  /** What follows in parentheses: the ID, the row of a file. */
  readonly details?: readonly (string | number | undefined)[]
}

/** `"Mercat de pagès" (57)`, `venue "Plaça Major" (12)`: an event needs no noun. */
export function recordName(
  resource: Resource,
  { record, details = [record.id as number] }: Omit<Naming, 'year'>,
): string {
  return withDetails(nounAndTitle(resource, record), resource, details)
}

/** `"Mercat de pagès", Sat 21 Nov 08:00, Plaça Major (57)` */
export function recordInFull(resource: Resource, { record, year, details = [record.id as number] }: Naming): string {
  const { start_date: start, all_day: isWholeDay, venue } = record
  const title = nounAndTitle(resource, record)
  const when = typeof start === 'string' && start !== '' ? shortDate(start, year, isWholeDay === true) : ''
  const where = resource.name === 'events' && typeof venue === 'object' ? venueName(venue) : ''
  return withDetails(title && [title, when, where].filter(part => part !== '').join(', '), resource, details)
}

const venueName = (venue: unknown): string => sanitizeLine(decodeEntities(cellText([venue].flat()[0])))

function nounAndTitle({ name, singular, title }: Resource, record: Row): string {
  const value = record[title]
  if (value === undefined || value === '') return ''
  return name === 'events' ? quoted(String(value)) : `${singular} ${quoted(String(value))}`
}

/** A record without a title is named by its ID: `event 57 (row 3)`. */
function withDetails(name: string, { singular }: Resource, details: NonNullable<Naming['details']>): string {
  const known = details.filter(detail => detail !== undefined && detail !== '')
  const [head, rest] = name === '' ? [[singular, ...known.slice(0, 1)].join(' '), known.slice(1)] : [name, known]
  return rest.length > 0 ? `${head} (${rest.join(', ')})` : head
}
