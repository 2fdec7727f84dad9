import { describe, expect, test } from 'vitest'
import { readShift, shiftWall } from '../../src/base/time/durations.ts'
import { readTyped } from '../../src/base/time/typed-dates.ts'

const now = new Date('2026-11-21T02:00:00Z')
const typed = (text: string, zone = 'Europe/Madrid') => readTyped(text, zone, now)

describe('dates as people type them', () => {
  const read: [text: string, wall: string][] = [
    ['2026-12-05', '2026-12-05 00:00:00'],
    ['2026-12-05 19:00', '2026-12-05 19:00:00'],
    ['2026-12-05T19:00:30', '2026-12-05 19:00:30'],
    ['2026-12-05T19:00Z', '2026-12-05 20:00:00'],
    ['2026-07-05T19:00:00-04:00', '2026-07-06 01:00:00'],
    ['today', '2026-11-21 00:00:00'],
    ['tomorrow 19:00', '2026-11-22 19:00:00'],
    ['+3d', '2026-11-24 00:00:00'],
    ['+2w 9:30', '2026-12-05 09:30:00'],
  ]
  for (const [text, wall] of read)
    test(text, () => {
      expect(typed(text)).toMatchObject({ ok: true, wall })
    })

  test('a converted instant is reported', () => {
    expect(typed('2026-12-05T19:00Z')).toMatchObject({ note: '2026-12-05T19:00Z is 2026-12-05 20:00 in Europe/Madrid' })
  })
})

describe('dates that are refused', () => {
  test('are in an hour that clocks skip, with the possible instants', () => {
    expect(typed('2027-03-28 02:30')).toEqual({
      ok: false,
      message: '2027-03-28 02:30 does not exist in Europe/Madrid because clocks change',
      hint: 'choose one: 2027-03-28T01:30+01:00 or 2027-03-28T03:30+02:00',
      readings: ['2027-03-28T01:30+01:00', '2027-03-28T03:30+02:00'],
    })
  })

  test('are in an hour that occurs twice, unless they have an offset', () => {
    expect(typed('2026-10-25 02:30')).toMatchObject({
      message: '2026-10-25 02:30 occurs twice in Europe/Madrid because clocks change',
    })
    expect(typed('2026-10-25T02:30+01:00')).toMatchObject({ ok: true, wall: '2026-10-25 02:30:00' })
  })

  test('do not exist', () => {
    expect(typed('2026-02-30')).toMatchObject({
      ok: false,
      message: 'expected a day that exists (February 2026 has 28 days), got "2026-02-30"',
    })
    expect(typed('next blue moon')).toMatchObject({ ok: false })
  })
})

test('a shift keeps the wall time across a change of clocks', () => {
  expect(shiftWall('2027-03-27 19:00:00', readShift('+1d') ?? 0)).toBe('2027-03-28 19:00:00')
  expect(shiftWall('2026-12-05 19:00:00', readShift('-30m') ?? 0)).toBe('2026-12-05 18:30:00')
  expect(readShift('7d')).toBe(readShift('+1 week'))
  expect(readShift('7')).toBeUndefined()
})
