import { msWall, wallInRange, wallMs } from './dates.ts'

/** The words of PHP for moments relative to now, as WordPress reads them. */

const unit = '(sec|second|min|minute|hour|day|weekday|week|fortnight|month|year)s?'
const unitStep = new RegExp(`^([+-]?\\s*\\d+|next|last)\\s+${unit}(\\s+ago)?$`)
const monthEdge = /^(first|last) day of (?:(next|last|previous|this) month)?$/
const timeOfDay = /^(?:at\s+)?(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*([ap]m)?$/
const unitMs: Readonly<Record<string, number>> = {
  sec: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  weekday: 86_400_000,
  week: 7 * 86_400_000,
  fortnight: 14 * 86_400_000,
}

/**
 * Reads `now`, `today`, `yesterday`, `tomorrow 9am`, `+1 week`, `2 days ago`, `first day of next month` relative to a wall time,
 * and returns a wall time, both `YYYY-MM-DD HH:MM:SS`; undefined for any other text.
 */
export function readRelative(text: string, now: string): string | undefined {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const [, day, rest] = /^(now|today|midnight|yesterday|tomorrow)?(?: ?(.*))?$/.exec(phrase) ?? []
  const start = day === undefined ? now : startOf(day, now)
  if (!rest) return day === undefined ? undefined : start
  return withTime(rest, day === undefined ? undefined : start) ?? shiftBy(rest, start)
}

const dayShifts: Readonly<Record<string, number>> = { yesterday: -1, tomorrow: 1 }

const startOf = (word: string, now: string): string => {
  if (word === 'now') return now
  const days = dayShifts[word] ?? 0
  return `${msWall(wallMs(now) + days * 86_400_000).slice(0, 10)} 00:00:00`
}

/** A time of day is valid only after the name of a day. */
const withTime = (text: string, day: string | undefined): string | undefined => {
  const match = day === undefined ? null : timeOfDay.exec(text)
  if (!match || day === undefined) return undefined
  const [, hour = '', minute = '00', second = '00', half] = match
  if (half === undefined && match[2] === undefined) return undefined
  const hours = (Number(hour) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0)
  if (Number(hour) > (half ? 12 : 23) || Number(minute) > 59 || Number(second) > 59) return undefined
  return `${day.slice(0, 10)} ${String(hours).padStart(2, '0')}:${minute}:${second}`
}

const unitShifts: Readonly<Record<string, number>> = { next: 1, last: -1, previous: -1 }

const shiftBy = (text: string, from: string): string | undefined => {
  const onEdge = monthEdge.exec(`${text}${/ of$/.test(text) ? ' ' : ''}`)
  if (onEdge) return edgeOfMonth(onEdge[1] === 'first', onEdge[2], from)
  const match = unitStep.exec(text)
  if (!match) return undefined
  const [, size = '', word = '', ago] = match
  const count = unitShifts[size] ?? Number(size.replace(/\s/g, ''))
  return addUnits(from, ago ? -count : count, word)
}

const addUnits = (wall: string, count: number, word: string): string | undefined => {
  const ms = unitMs[word]
  if (ms !== undefined) return wallInRange(wallMs(wall) + count * ms)
  const date = new Date(wallMs(wall))
  date.setUTCMonth(date.getUTCMonth() + count * (word === 'year' ? 12 : 1))
  return wallInRange(date.getTime())
}

const edgeOfMonth = (first: boolean, which: string | undefined, wall: string): string | undefined => {
  const shift = unitShifts[which ?? ''] ?? 0
  const date = new Date(wallMs(wall))
  date.setUTCMonth(date.getUTCMonth() + shift + (first ? 0 : 1), first ? 1 : 0)
  return wallInRange(date.getTime())
}
