import strtotime from 'locutus/php/datetime/strtotime.js'
import { readDate, wallInRange, wallMs } from '../../time/dates.ts'
import { wallAt } from '../../time/zone.ts'
import type { Scope } from '../request-context.ts'

/**
 * Reads a date as PHP does, relative to a wall time `YYYY-MM-DD HH:MM:SS`, and returns one; undefined if PHP cannot read it.
 * Digits are seconds since 1970, impossible days roll over, and offsets are dropped: the wall time is kept.
 */
export function readPhpDate(text: string, now: string): string | undefined {
  const phrase = text.trim()
  if (phrase === '' || phrase.length > longestPhrase) return undefined
  if (/^-?\d+$/.test(phrase)) return wallInRange(Number(phrase) * 1000)
  const date = readDate(phrase)
  if (date) return date.wall
  const seconds = inUtc(() => strtotime(phrase.replace(offset, ''), wallMs(now) / 1000))
  return seconds === false ? undefined : wallInRange(seconds * 1000)
}

/** Longer texts are not dates, and would take long to reject. */
const longestPhrase = 100

/** The wall time of the site, `YYYY-MM-DD HH:MM:SS`. */
export const siteNow = ({ now, store }: Pick<Scope, 'now' | 'store'>): string =>
  wallAt(now.getTime(), store.site.timezone)

const offset = /(?<=\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?:Z|UTC|GMT)?(?:[+-]\d{1,2}:?\d{2})?$/i

/**
 * The library calculates in the time zone of the process, where wall times can be missing (DST) or off by seconds (before 1900).
 * In UTC every wall time exists. Nothing else runs while the zone is changed, because the work is synchronous.
 */
function inUtc<T>(work: () => T): T {
  const { TZ: zone } = process.env
  process.env.TZ = 'UTC'
  try {
    return work()
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
}
