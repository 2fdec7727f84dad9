import { cellText } from './cells.ts'
import { clean, oneLine } from './clean.ts'
import type { Row } from './form.ts'
import { valueAt } from './paths.ts'

const moment = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const spelled: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', utc: 'UTC', lang: 'Language', code: '' }

/** A path in plain words: `start_date` is Start date, `venue.city` Venue city. */
export function heading(path: string): string {
  const words = path.split(/[._]/).map(word => spelled[word] ?? word)
  const text = words.filter(word => word !== '').join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What stands at a path, for a person: clean, dates with their weekday, over several lines if it is so. */
export function readable(record: Row, path: string): string {
  const text = clean(cellText(valueAt(record, path))).replaceAll('\t', ' ')
  return moment.test(text) ? readableDate(text, record.all_day === true && /^(start|end)_date$/.test(path)) : text
}

/** The same on one line. */
export const readableLine = (record: Row, path: string): string => oneLine(readable(record, path)).trim()

const readableDate = (wall: string, allDay: boolean): string => {
  const day = wall.slice(0, 10)
  const weekday = days[new Date(`${day}T00:00:00Z`).getUTCDay()]
  const date = weekday ? `${weekday} ${day}` : day
  return allDay ? date : `${date} ${wall.slice(11, 16)}`
}
