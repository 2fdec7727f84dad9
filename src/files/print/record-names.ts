import { decodeEntities, sanitizeLine } from '../../base/text/escaping.ts'
import { shortDays, shortMonths } from '../../base/time/calendar-words.ts'
import { interfaceLanguage } from '../../base/words/phrase.ts'
import { quoted, type Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { cellText, type Row } from './printed-rows.ts'

/** `Sat`; undefined for a day that does not exist. */
const weekdayOf = (wall: string): string | undefined =>
  shortDays[interfaceLanguage()].split(',')[new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()]

const wallTime = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}))?/

/** `Sat 21 Nov 08:00`, with the year if it is not `year`; a whole day has no time. */
export function shortDate(wall: string, year: string | undefined, isWholeDay = false): string {
  const [, ownYear = '', month = '', day = '', time] = wallTime.exec(wall) ?? []
  const monthName = shortMonths[interfaceLanguage()].split(',')[Number(month) - 1]
  const weekday = weekdayOf(wall)
  if (!monthName || !weekday) return wall
  const date = [weekday, Number(day), monthName, ...(ownYear === year ? [] : [ownYear])]
  return [...date, ...(time && !isWholeDay ? [time] : [])].join(' ')
}

/** What to name a record by. */
interface Naming {
  /** The fields of the record, as they were read or are to be sent. */
  readonly record: Row
  /** The year in which the sentence is read, which dates leave out. */
  readonly year: string
  /** What comes in parentheses: the ID, the row of a file. */
  readonly details?: readonly (string | number | undefined)[]
}

/** `"Mercat de pagès" (57)`, `venue "Plaça Major" (12)`: an event needs no noun. */
export function recordName(resource: Resource, { record, details = [record.id as number] }: Omit<Naming, 'year'>) {
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

function nounAndTitle({ name, title }: Resource, record: Row): string {
  const value = record[title]
  if (value === undefined || value === '') return ''
  return name === 'events' ? quoted(String(value)) : namedRecord(name, quoted(String(value)))
}

/** A record without a title is named by its ID: `event 57 (row 3)`. */
function withDetails(name: string, resource: Resource, details: NonNullable<Naming['details']>): string {
  const known = details.filter(detail => detail !== undefined && detail !== '')
  const [head, rest] = name === '' ? [namedRecord(resource.name, known[0] ?? ''), known.slice(1)] : [name, known]
  return rest.length > 0 ? `${head} (${rest.join(', ')})` : head
}
