import { missingDay, momentOf, msWall, readDate, wallMs } from './dates.ts'
import { readRelative } from './relative.ts'
import { readWrittenDate } from './written-dates.ts'
import { fromUtc, instantsOf } from './zone.ts'

/** The wall time of a typed date in a zone, with a note if it was converted; or what is wrong with the text. */
export type TypedDate =
  | { readonly ok: true; readonly wall: string; readonly note?: string }
  | { readonly ok: false; readonly message: string; readonly hint: string }

const examples = '2026-12-05 19:00, 2026-12-05T19:00+01:00, tomorrow 19:00 or +3d'

/**
 * Reads a date as people type it, for an event in a zone: ISO with or without time, seconds and offset; `today`, `tomorrow`,
 * `+3d`, `+2w`, `5 de desembre de 2027`, each with a time if wanted. A wall time that does not exist or exists twice there is refused unless an offset decides.
 */
export function readTyped(text: string, zone: string, now: Date): TypedDate {
  const iso = readDate(text)
  if (iso?.offset !== undefined) {
    const wall = fromUtc(msWall(momentOf(iso)), zone)
    return { ok: true, wall, note: `${text} is ${wall.slice(0, 16)} in ${zone}` }
  }
  const written = iso ? undefined : readWrittenDate(text)
  if (written && 'expected' in written)
    return { ok: false, message: `expected ${written.expected}, got "${text}"`, hint: `for example: ${examples}` }
  const day = iso ?? (written && readDate(written.date))
  const wall = day?.wall ?? readWords(text, fromUtc(msWall(now.getTime()), zone))
  return wall === undefined ? unreadableDate(text) : checkUnambiguous(wall, zone)
}

const ahead = /^([+-]\d+)([dw])(?:\s+(\d{1,2}:\d{2}(?::\d{2})?))?$/

/** Days from now begin at midnight unless a time is given. */
function readWords(text: string, here: string): string | undefined {
  const match = ahead.exec(text.trim())
  if (!match) return readRelative(text, here)
  const [, count = '', unit, time] = match
  const days = Number(count) * (unit === 'w' ? 7 : 1)
  const day = msWall(wallMs(here) + days * 86_400_000).slice(0, 10)
  return readDate(time ? `${day} ${time.padStart(time.length < 8 ? 5 : 8, '0')}` : day)?.wall
}

/** Dates whose day and month are in another order in half of the world. */
const slashed = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(.*)$/

function unreadableDate(text: string): TypedDate {
  const daysOfMonth = missingDay(text)
  if (daysOfMonth !== undefined)
    return {
      ok: false,
      message: `expected a day that exists (${daysOfMonth}), got "${text}"`,
      hint: `for example: ${examples}`,
    }
  const [, first = '', second = '', year, rest = ''] = slashed.exec(text.trim()) ?? []
  const readings = [
    `${year}-${second.padStart(2, '0')}-${first.padStart(2, '0')}${rest}`,
    `${year}-${first.padStart(2, '0')}-${second.padStart(2, '0')}${rest}`,
  ]
  const possible = year === undefined ? [] : [...new Set(readings)].filter(reading => readDate(reading))
  if (possible.length === 0)
    return { ok: false, message: `expected a date and time, got "${text}"`, hint: `for example: ${examples}` }
  return {
    ok: false,
    message:
      possible.length > 1
        ? `"${text}" can be read as ${possible.join(' or as ')}`
        : `expected a date that begins with the year, got "${text}"`,
    hint: `write: ${possible.join(' or ')}`,
  }
}

/** When clocks change, some wall times are skipped and some occur twice. */
function checkUnambiguous(wall: string, zone: string): TypedDate {
  const { earlier, later, exists } = instantsOf(wall, zone)
  if (earlier === later) return { ok: true, wall }
  const what = exists ? 'occurs twice' : 'does not exist'
  return {
    ok: false,
    message: `${wall.slice(0, 16)} ${what} in ${zone} because clocks change`,
    hint: `choose one: ${earlier} or ${later}`,
  }
}

const steps = { d: 86_400_000, w: 7 * 86_400_000, h: 3_600_000, m: 60_000 } as const

/**
 * Reads `+7d`, `-2w`, `+1h`, `-30m`: ms of wall time, so that an event keeps its hour when clocks change; undefined for
 * anything else.
 */
export function readShift(text: string): number | undefined {
  const match = /^([+-])(\d+)([dwhm])$/.exec(text.trim())
  if (!match) return undefined
  const size = Number(match[2]) * steps[match[3] as keyof typeof steps]
  return match[1] === '-' ? -size : size
}

/** Moves a wall time by a shift in ms. */
export const shiftWall = (wall: string, shift: number): string => msWall(wallMs(wall) + shift)

const inMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads `200ms`, `30s`, `5m`, `2h`, `90d`, or a bare number of seconds; in ms, undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  if (!match) return undefined
  const unit = (match[2] ?? 's') as keyof typeof inMs
  return Number(match[1]) * inMs[unit]
}
