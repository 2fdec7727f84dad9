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

/** Reads a length, `2h`, `90m`, `1h30`, `dues hores`, `hora y media`, `3d`, in ms; undefined for any other text, and if it is ambiguous. */
export function readLength(text: string): number | undefined {
  const [length, ...others] = readLengths(text)
  return others.length === 0 ? length : undefined
}

/** All lengths that a text can mean, in ms: `90` is minutes or hours, `2-3 h` is any of them. None for other texts. */
export function readLengths(text: string): readonly number[] {
  const said = inDigits(text)
  const { from, to, unit, bare, hours, part } = doubtfulLength.exec(said)?.groups ?? {}
  const texts = [said]
  if (from !== undefined)
    texts.splice(0, 1, `${from}${unit}`, `${(Number(from) + Number(to)) / 2}${unit}`, `${to}${unit}`)
  if (bare !== undefined) texts.splice(0, 1, `${bare}m`, `${bare}h`)
  if (hours !== undefined) texts.splice(0, 1, `${hours}.${part}h`, `${hours}h${part}`)
  return [...new Set(texts.flatMap(one => measured(one) ?? []))]
}

const doubtfulLength = new RegExp(
  [
    '(?<from>\\d+) ?(?:[-–]|a|to|o|or) ?(?<to>\\d+) ?(?<unit>[a-z]+)',
    '(?<bare>\\d{1,3})',
    // A quarter, a half, or minutes.
    '(?<hours>\\d+)[.,](?<part>25|50|75) ?h(?:ores|oras|ours)?',
  ]
    .join('|')
    .replace(/^(.*)$/, '^(?:$1)$'),
)

function measured(said: string): number | undefined {
  const [, weeks, days, hours, minutes] = length.exec(said) ?? []
  if (![weeks, days, hours, minutes].some(part => part !== undefined)) return undefined
  const size = (part: string | undefined, unit: keyof typeof steps) =>
    part === undefined ? 0 : Number(part.replace(',', '.')) * steps[unit]
  const ms = size(weeks, 'w') + size(days, 'd') + size(hours, 'h') + size(minutes, 'm')
  return ms > 0 && ms <= longest ? Math.round(ms) : undefined
}

/** A length as `readLength` reads it: `2h`, `1h30`, `45m`, `3d`. */
export function lengthText(ms: number): string {
  if (ms % steps.d === 0) return `${ms / steps.d}d`
  const [hours, minutes] = [Math.floor(ms / steps.h), (ms % steps.h) / steps.m]
  if (minutes === 0) return `${hours}h`
  return hours === 0 ? `${minutes}m` : `${hours}h${String(minutes).padStart(2, '0')}`
}

/** `una hora i mitja` becomes `1 hora 30 min`, and `2:30`, which is never minutes and seconds, `2h30`. */
const inDigits = (text: string): string =>
  foldWords(text)
    .replace(/^(?:unes|unas|uns|unos|about|around|approx\.?|aprox\.?|~|durant|durante|for) ?(?=.)/, '')
    .replace(/^(\d{1,2}):(\d\d)(?::00)?(?: ?h)?$/, '$1h$2')
    .replace(/(?<=h|min|hrs?|mins)\.(?= |$)/g, '')
    .replace(/\b(hor)(?:eta|ita)\b/, '$1a')
    .replace(/^(?:(\d+) ?h(?:ores|oras|ours)? )?(?:mitja hora|media hora|half an hour)$/, '30 min')
    .replace(/^(?:tres quarts d'hora|tres cuartos de hora|(?:three quarters|3\/4) of an hour)$/, '45 min')
    .replace(/^(?:(?:un )?quart d'hora|(?:un )?cuarto de hora|(?:a )?quarter of an hour)$/, '15 min')
    .replace(/^(?=hora )/, '1 ')
    .replace(/ and a half (hours)$/, ' $1 and a half')
    .replace(/(?<= h| hora| hores| horas| hours?) (?:i mitja|y media|and a half)$/, ' 30 min')
    .replace(/(?<= h| hora| hores| horas| hours?) (?:i (?:un )?quart|y (?:un )?cuarto|and a quarter)$/, ' 15 min')
    .replace(/(?<= h| hora| hores| horas| hours?) (?:i tres quarts|y tres cuartos)$/, ' 45 min')
    .replace(/[a-z-]*[a-z]+(?= )/g, word => String(numberCalled(word) ?? word))
    .replace(/ (?:i|y|and) (?=\d)/, ' ')
    .replace(/(?<=\d)'(?=$)/, ' min')
    .replace(/(?<=\d)'(?=\d)/, '.')
    .replace(/^(\d+)[.,](?!25|50|75)([0-5]\d) ?h$/, '$1h$2')

/** The longest duration between two dates, in ms. */
const longest = 10_000 * 366 * steps.d

/** Minutes after hours need no unit: `1h30`. */
const length = new RegExp(
  [
    '^(?:(\\d+) ?(?:w|weeks?|setmanes|setmana|semanas?))?',
    '(?:(\\d+) ?(?:d|days?|dies|dia|d[ií]as?))?',
    '(?:(\\d+(?:[.,]\\d+)?) ?(?:h|hs|hrs?|hours?|hores|hora|horas))?',
    '(?:(?<=h)(?=\\d)|(?=\\d+ ?m)|(?<=h[a-z]*) (?=\\d+$)|$)(?:(\\d+) ?(?:m|mins?|minutes?|minuts?|minutos?)?)?$',
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
