import { lookupTable } from '../../base/memoize.ts'
import { sanitize, singleLine } from '../../base/text/escaping.ts'
import { capitalized } from '../../base/text/sentence-parts.ts'
import { cellText, type Row, valueAt } from './printed-rows.ts'
import { shortDate } from './record-names.ts'

const dateTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

const spellings: Readonly<Record<string, string>> = lookupTable({
  id: 'ID',
  url: 'URL',
  utc: 'UTC',
  lang: 'Language',
  code: '',
})

/** The heading for a path: Start date for `start_date`, Venue city for `venue.city`. */
export function heading(path: string): string {
  const words = path.split(/[._]/).map(word => spellings[word] ?? word)
  return capitalized(words.filter(Boolean).join(' '))
}

/** Where and when somebody reads a text. */
export interface Viewer {
  /** The reader's time zone: dates of events in another zone show theirs. */
  readonly zone?: string | undefined
  /** The year of reading, which dates leave out. */
  readonly year?: string | undefined
}

/** The value at a path, for people: without control characters, and with weekdays in dates. */
export function readable(record: Row, path: string, viewer: Viewer = {}): string {
  const text = sanitize(cellText(valueAt(record, path))).replaceAll('\t', ' ')
  if (!dateTime.test(text)) return text
  if (!/^(start|end)_date$/.test(path)) return shortDate(text, viewer.year)
  return `${shortDate(text, viewer.year, record.all_day === true)}${foreignZone(record, viewer.zone)}`
}

/** The value at a path, on one line. */
export const readableLine = (record: Row, path: string, viewer?: Viewer): string =>
  singleLine(readable(record, path, viewer)).trim()

/** The zone of an hour, if it is not that of the reader; whole days have none. */
const foreignZone = ({ timezone, timezone_abbr, all_day }: Row, viewerZone: string | undefined): string =>
  all_day === true || typeof timezone !== 'string' || viewerZone === undefined || timezone === viewerZone
    ? ''
    : ` ${timezone_abbr ?? timezone}`

/** The properties of the terminal on which tables depend; without `columns`, lines may have any length. */
export interface Surface extends Viewer {
  readonly color: boolean
  readonly columns: number | undefined
}
