import strtotime from 'locutus/php/datetime/strtotime.js'
import { readDate, wallInRange } from '../../time/dates.ts'
import { wallAt } from '../../time/zone.ts'
import type { Scope } from '../context.ts'

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
