import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { fromUtc, toUtc } from '../../src/base/time/zone.ts'

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
