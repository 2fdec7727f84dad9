import { foldWords, numberCalled } from './calendar-words.ts'
import { momentOf, msWall, nearestWall, readDate, wallInRange, wallMs } from './dates.ts'
import { momentIn, wallAt } from './zone.ts'

const steps = { d: 86_400_000, w: 7 * 86_400_000, h: 3_600_000, m: 60_000 } as const

/**
 * Reads `+7d`, `-2w`, `1h`, `+1 week`: ms of wall time, so that an event keeps its hour when clocks change. No sign means later.
 * Undefined for any other text.
 */
export function readShift(text: string): number | undefined {
  const [, sign, length = ''] = /^\s*([+-]?)\s*(.+)$/.exec(text) ?? []
  const size = readLength(length)
  return sign === '-' && size !== undefined ? -size : size
}

/** Shifts a wall time by ms, within the years 1 to 9999. */
export const shiftWall = (wall: string, shift: number): string => nearestWall(wallMs(wall) + shift)

/** The end of an event with this duration. When clocks change, a day ends at the same hour, but two hours stay two hours. */
export function endAfter(start: string, duration: number, zone: string): string {
  const date = readDate(start)
  const from = date?.offset === undefined ? momentIn(start.slice(0, 19), zone) : momentOf(date)
  const rest = duration % steps.d
  const lastDay = rest === duration ? from : momentIn(shiftWall(wallAt(from, zone), duration - rest), zone)
  return wallAt(lastDay + rest, zone)
}

/** Reads a length, `2h`, `90m`, `1h30`, `dues hores`, `hora y media`, `3d`, in ms; undefined for any other text. */
export function readLength(text: string): number | undefined {
  const match = length.exec(inDigits(text))
  const [, weeks, days, hours, minutes] = match ?? []
  if (![weeks, days, hours, minutes].some(part => part !== undefined)) return undefined
  const size = (part: string | undefined, unit: keyof typeof steps) =>
    part === undefined ? 0 : Number(part.replace(',', '.')) * steps[unit]
  const ms = size(weeks, 'w') + size(days, 'd') + size(hours, 'h') + size(minutes, 'm')
  return ms > 0 && ms <= longest ? ms : undefined
}

/** `una hora i mitja` becomes `1 hora 30 min`. */
const inDigits = (text: string): string =>
  foldWords(text)
    .replace(/^(?:mitja hora|media hora|half an hour)$/, '30 min')
    .replace(/^(?=hora )/, '1 ')
    .replace(/ and a half (hours)$/, ' $1 and a half')
    .replace(/(?<= h| hora| hores| horas| hours?) (?:i mitja|y media|and a half)$/, ' 30 min')
    .replace(/[a-z]+(?= )/g, word => String(numberCalled(word) ?? word))
    .replace(/ (?:i|y|and) (?=\d)/, ' ')

/** The longest duration between two dates, in ms. */
const longest = 10_000 * 366 * steps.d

/** Minutes after hours need no unit: `1h30`. A bare number is ambiguous between hours and minutes. */
const length = new RegExp(
  [
    '^(?:(\\d+) ?(?:w|weeks?|setmanes|setmana|semanas?))?',
    '(?:(\\d+) ?(?:d|days?|dies|dia|d[ií]as?))?',
    '(?:(\\d+(?:[.,]\\d+)?) ?(?:h|hours?|hores|hora|horas))?',
    '(?:(?<=h)(?=\\d)|(?=\\d+ ?m)|$)(?:(\\d+) ?(?:m|min|minutes?|minuts?|minutos?)?)?$',
  ].join(' ?'),
)

const inMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads `200ms`, `30s`, `5m`, `2h`, `90d`, or a bare number of seconds, in ms; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  if (!match) return undefined
  const unit = (match[2] ?? 's') as keyof typeof inMs
  return Number(match[1]) * inMs[unit]
}

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
