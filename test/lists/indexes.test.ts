import fc from 'fast-check'
import { expect, test } from 'vitest'
import { msWall, wallMs } from '../../src/base/time/dates.ts'
import { createSortedList, createWindowCount, isWithin, type Window } from '../../src/service/indexes/timeline.ts'
import { blanks, type EventRow } from '../../src/service/store/rows.ts'

const byNumber = (a: number, b: number) => a - b

test('a sorted list stays in order while items are added and removed', () => {
  const numbers = Array.from({ length: 5000 }, (_, n) => (n * 7919) % 10_007)
  const list = createSortedList(numbers.slice(0, 600), byNumber)
  for (const number of numbers.slice(600)) list.add(number)
  expect([...list.slice()]).toEqual(numbers.toSorted(byNumber))
  expect(list.indexOf(number => number >= 5000)).toBe(numbers.filter(number => number < 5000).length)
  expect([...list.slice(1000, 3000)]).toEqual(numbers.toSorted(byNumber).slice(1000, 3000))
  for (const number of numbers.slice(100)) list.remove(number)
  list.remove(-1)
  expect([...list.slice()]).toEqual(numbers.slice(0, 100).toSorted(byNumber))
  expect(list.size).toBe(100)
  expect(list.indexOf(() => false)).toBe(100)
})

const day = 86_400_000
const begin = wallMs('2026-01-01 00:00:00')
const days = fc.integer({ min: 0, max: 100 })

const eventOf = (id: number): fc.Arbitrary<EventRow> =>
  fc.tuple(days, fc.oneof(fc.integer({ min: 0, max: 3 }), days)).map(([start, length]) => ({
    ...blanks.events,
    id,
    lang_code: 'ca',
    utc_start_date: msWall(begin + start * day),
    utc_end_date: msWall(begin + (start + length) * day),
  }))

const all = { from: '', until: '~' }
const wall = days.map(count => msWall(begin + count * day))
const windows: fc.Arbitrary<Window> = fc
  .tuple(fc.option(wall), fc.option(wall), fc.option(wall), fc.option(wall))
  .chain(([a, b, c, d]) =>
    fc.constantFrom(
      { start: { from: a ?? '', until: b ?? '~' }, end: all },
      { start: all, end: { from: c ?? '', until: d ?? '~' } },
      { start: { from: a ?? '', until: '~' }, end: { from: '', until: d ?? '~' } },
    ),
  )
  .map(spans => ({ clock: 'utc', ...spans }))

test('the count of a window is that of a scan, or unknown', () => {
  const events = fc.tuple(...Array.from({ length: 60 }, (_, index) => eventOf(index)))
  fc.assert(
    fc.property(events, fc.array(windows, { minLength: 20, maxLength: 20 }), (rows, bounds) => {
      const counts = createWindowCount('utc', rows.slice(0, 40))
      for (const row of rows.slice(40)) counts.add(row)
      for (const row of rows.slice(0, 20)) counts.remove(row)
      for (const window of bounds) {
        const count = rows.slice(20).filter(row => isWithin(row, window)).length
        expect([count, undefined]).toContain(counts.count(window))
      }
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

test('the index counts a year, and leaves a single day to a scan', () => {
  const counts = createWindowCount('utc', [])
  const window = (from: string, until: string): Window => ({
    clock: 'utc',
    start: { from: `${from} 00:00:00`, until: '~' },
    end: { from: '', until: `${until} 23:59:59` },
  })
  expect(counts.count(window('2026-01-01', '2026-12-31'))).toBe(0)
  expect(counts.count(window('2026-01-01', '2026-01-01'))).toBeUndefined()
})
