import { foldWords, numberCalled } from './calendar-words.ts'
import { momentOf, nearestWall, readDate, wallMs } from './dates.ts'
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
