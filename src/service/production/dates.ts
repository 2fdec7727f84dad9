import strtotime from 'locutus/php/datetime/strtotime.js'
import { readDate, wallInRange } from '../../time/dates.ts'
import { fromUtc, toUtc, wallAt } from '../../time/zone.ts'
import type { Scope } from '../manner.ts'
import type { EventRow } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import type { Schedule, Write } from '../write/write.ts'

/**
 * Reads a date as PHP does, against a wall time `YYYY-MM-DD HH:MM:SS`, and answers one; undefined for what PHP cannot read.
 * Digits are seconds since 1970, impossible days roll over, and offsets are dropped: the wall time is kept.
 */
export function readPhpDate(text: string, now: string): string | undefined {
  const phrase = text.trim()
  if (phrase === '' || phrase.length > longest) return undefined
  if (/^-?\d+$/.test(phrase)) return wallInRange(Number(phrase) * 1000)
  const plain = readDate(phrase)
  if (plain) return plain.wall
  const seconds = strtotime(phrase.replace(offset, ''), asLocal(now).getTime() / 1000)
  return seconds === false ? undefined : wallInRange(asUtc(new Date(seconds * 1000)))
}

/** Longer texts are no dates, and would take long to be found out. */
const longest = 100

/** What the clock of the site shows, `YYYY-MM-DD HH:MM:SS`. */
export const siteNow = ({ now, store }: Pick<Scope, 'now' | 'store'>): string =>
  wallAt(now.getTime(), store.site.timezone)

const offset = /(?<=\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?:Z|UTC|GMT)?(?:[+-]\d{1,2}:?\d{2})?$/i

/** The library reckons in the zone of the process, so walls go in and come out as local times. */
const asLocal = (wall: string): Date => new Date(wall.replace(' ', 'T'))

const asUtc = (date: Date): number => date.getTime() - date.getTimezoneOffset() * 60_000

/**
 * When an event is. A new event and both dates together are taken as they are; an end before the start becomes the start, though
 * not in UTC. One date alone is ignored. The time zone goes back to the site's unless it is given, and takes the dates in UTC
 * with it only when they are written.
 */
export function schedule(write: Write, { start_date, end_date, ...values }: EventValues, old?: EventRow): Schedule {
  const timezone = values.timezone || write.context.store.site.timezone
  const all_day = values.all_day ?? false
  const isGiven = start_date && end_date
  if (old && !isGiven && !all_day) return { ...whenOf(old), all_day, timezone }
  const [start, end] = isGiven ? [start_date, end_date] : [old?.start_date ?? '', old?.end_date ?? '']
  const utc_start_date = toUtc(all_day ? `${start.slice(0, 10)} 00:00:00` : start, timezone)
  const utc_end_date = toUtc(all_day ? `${end.slice(0, 10)} 23:59:59` : end, timezone)
  const first = fromUtc(utc_start_date, timezone)
  const last = utc_end_date < utc_start_date ? first : fromUtc(utc_end_date, timezone)
  return { all_day, timezone, start_date: first, end_date: last, utc_start_date, utc_end_date }
}

const whenOf = ({ start_date, end_date, utc_start_date, utc_end_date }: EventRow) => ({
  start_date,
  end_date,
  utc_start_date,
  utc_end_date,
})
