import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { readRelative } from '../../src/base/time/php-dates.ts'
import { abbreviation, fixedOffset, fromUtc, isZone, toUtc } from '../../src/base/time/zone.ts'

const saturday = '2026-11-21 03:00:00'

test.each([
  ['now', '2026-11-21 03:00:00'],
  ['today', '2026-11-21 00:00:00'],
  ['Yesterday', '2026-11-20 00:00:00'],
  ['tomorrow', '2026-11-22 00:00:00'],
  ['tomorrow 9am', '2026-11-22 09:00:00'],
  ['today 12am', '2026-11-21 00:00:00'],
  ['today at 19:30', '2026-11-21 19:30:00'],
  ['+1 week', '2026-11-28 03:00:00'],
  ['1 week', '2026-11-28 03:00:00'],
  ['-2 days', '2026-11-19 03:00:00'],
  ['2 hours ago', '2026-11-21 01:00:00'],
  ['next month', '2026-12-21 03:00:00'],
  ['last year', '2025-11-21 03:00:00'],
  ['today +1 day', '2026-11-22 00:00:00'],
  ['first day of next month', '2026-12-01 03:00:00'],
  ['last day of this month', '2026-11-30 03:00:00'],
  ['first day of', '2026-11-01 03:00:00'],
])('"%s" is read as %s', (words, wall) => expect(readRelative(words, saturday)).toBe(wall))

test.each([
  '',
  'nowhere',
  'soon',
  '9am',
  'today 9',
  'today 25:00',
  '+1 lightyear',
  '2026',
  '+99999999 years',
  '2026-12-05',
])('"%s" is not a relative date', words => expect(readRelative(words, saturday)).toBeUndefined())

test.each([
  'Europe/Madrid',
  'europe/madrid',
  'CET',
  'EST',
  'GMT',
  'UTC',
  'UTC+1',
  'UTC-3',
  'UTC+5.5',
  'UTC+5:30',
  'UTC+0',
])('%s is a time zone', name => expect(isZone(name)).toBe(true))

test.each(['Mars/Olympus', '1', '', 'UTC+99', 'UTC+5:90', '+02:00', 'CEST!'])('"%s" is not a time zone', name =>
  expect(isZone(name)).toBe(false),
)

test.each([
  ['UTC+1', 60],
  ['UTC-3', -180],
  ['UTC+5.5', 330],
  ['UTC-0:30', -30],
  ['Europe/Madrid', undefined],
])('%s is %s minutes from UTC', (name, minutes) => expect(fixedOffset(name)).toBe(minutes))

test.each([
  ['Europe/Madrid', '2026-12-05 19:00:00', '2026-12-05 18:00:00', 'CET'],
  ['Europe/Madrid', '2026-07-05 19:00:00', '2026-07-05 17:00:00', 'CEST'],
  ['America/New_York', '2026-12-05 19:00:00', '2026-12-06 00:00:00', 'EST'],
  ['Asia/Tokyo', '2026-12-05 19:00:00', '2026-12-05 10:00:00', 'JST'],
  ['America/Argentina/Buenos_Aires', '2026-12-05 19:00:00', '2026-12-05 22:00:00', '-03'],
  ['Asia/Kathmandu', '2026-12-05 19:00:00', '2026-12-05 13:15:00', '+0545'],
  ['UTC+5.5', '2026-12-05 19:00:00', '2026-12-05 13:30:00', 'UTC+5.5'],
])('the zone %s at %s has its usual abbreviation', (zone, wall, utc, name) => {
  expect(abbreviation(zone, wall, utc)).toBe(name)
})

const zones = ['Europe/Madrid', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']
const text = (date: Temporal.PlainDateTime) => date.toString({ smallestUnit: 'second' }).replace('T', ' ')

/** Many of them close to the hours when clocks change. */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(1850, 0), max: Date.UTC(2100, 0) }),
  fc.integer({ min: Date.parse('0002-01-01'), max: Date.UTC(1850, 0) }),
  fc
    .tuple(fc.integer({ min: 1997, max: 2060 }), fc.constantFrom(2, 3, 9, 10), fc.integer({ min: 0, max: 31 * 48 }))
    .map(([year, month, halfHours]) => Date.UTC(year, month, 1, 0, halfHours * 30)),
)

test('times are converted as Temporal converts them', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, ms) => {
      const date = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms / 1000) * 1000)
        .toZonedDateTimeISO('UTC')
        .toPlainDateTime()
      const fromWall = date.toZonedDateTime(zone, { disambiguation: 'later' }).withTimeZone('UTC').toPlainDateTime()
      const fromMoment = date.toZonedDateTime('UTC').withTimeZone(zone).toPlainDateTime()
      expect(toUtc(text(date), zone)).toBe(text(fromWall))
      expect(fromUtc(text(date), zone)).toBe(text(fromMoment))
    }),
    { numRuns: 500 },
  )
})
