import { expect, test } from 'vitest'
import { type Period, readPeriod } from '../../src/base/time/date-grammar.ts'
import phrases from './spoken-phrases.json' with { type: 'json' }

/**
 * What people type in Catalan, Spanish and English on Saturday 21 November 2026 at 3:00, and what it means: a day, an hour (`T20:00`), a
 * start and an end (`/`), readings to choose from (`ask`), or nothing that a calendar can use (`refuse`).
 */
const context = { now: '2026-11-21 03:00:00', order: 'dmy', isTyped: true } as const

const moment = (text: string): string => text.slice(0, 16).replace(/^(?=\d\d:)|(?<=\d) (?=\d\d:)/, 'T')

const point = ({ day = '', time }: { day?: string; time?: string }): string =>
  time === undefined ? day : `${day}T${time.slice(0, 5)}`

const reading = (text: string): string =>
  text
    .split(/ - |(?<=:\d\d)-/)
    .map(moment)
    .join('/')

function meaningOf(period: Period | undefined): string {
  if (!period) return 'refuse'
  if (!period.ok) return 'readings' in period ? `ask ${period.readings.map(reading).join(' | ')}` : 'refuse'
  if (period.isAllDay) return 'all day'
  return [period, ...(period.end ? [period.end] : [])].map(point).join('/')
}

test.each(phrases as [language: string, phrase: string, meaning: string][])('in %s, "%s" is %s', (_, phrase, meaning) =>
  expect(meaningOf(readPeriod(phrase, context))).toBe(meaning),
)
