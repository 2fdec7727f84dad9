import { expect, test } from 'vitest'
import { type Period, readPeriod } from '../../src/base/time/date-periods.ts'
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

test.each([
  ['5 Dec 6 to 8 in the evening', '2026-12-05T18:00/T20:00'],
  ['9 to 5', 'refuse'],
  ['11-1pm', 'T11:00/T13:00'],
  ['de 8 del vespre a 2 de la nit', 'T20:00/T02:00'],
  ['de vuit a dos quarts de deu del vespre', 'T20:00/T21:30'],
  ['28 nov 20 h - 29 nov 2 h', '2026-11-28T20:00/2026-11-29T02:00'],
  ['del 20 de novembre al 5 de desembre', 'ask 2026-11-20/2026-12-05 | 2027-11-20/2027-12-05'],
  ['dissabte 28 a les 2 de la nit', 'ask 2026-11-28T02:00 | 2026-11-29T02:00'],
  ['a las 8 de la tarde del sábado 28', '2026-11-28T20:00'],
  ['el 24 a les 7 de la tarda', '2026-11-24T19:00'],
  ['la nit de Sant Joan', '2027-06-23'],
  ['20.30', 'T20:30'],
  ['two weeks on Saturday', 'ask 2026-12-05 | 2026-12-12'],
  ['dimarts i dijous', 'refuse'],
  ['de 10 a 14 h y de 16 a 20 h', 'refuse'],
])('"%s" is %s', (phrase, meaning) => expect(meaningOf(readPeriod(phrase, context))).toBe(meaning))

test.each(phrases as [language: string, phrase: string, meaning: string][])('in %s, "%s" is %s', (_, phrase, meaning) =>
  expect(meaningOf(readPeriod(phrase, context))).toBe(meaning),
)

test('a page of text is no date', () => {
  expect(readPeriod('de 8 a '.repeat(300), context)).toBeUndefined()
})
