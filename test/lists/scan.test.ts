import fc from 'fast-check'
import { expect, test } from 'vitest'
import { msWall, wallMs } from '../../src/base/time/dates.ts'
import { blanks, type EventRow, type VenueRow } from '../../src/service/store/rows.ts'
import { testService } from '../support/test-service.ts'

const hour = 3_600_000
const begin = wallMs('2026-01-01 00:00:00')

const venues = [1, 2, 3].map((id): VenueRow => ({ ...blanks.venues, id, lang_code: 'ca' }))

/** In hours since the start of 2026. */
const moments = fc.integer({ min: 0, max: 24 * 365 })
const lengths = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 48 }) },
  fc.integer({ min: 48, max: 24 * 400 }),
)

const eventOf = (id: number): fc.Arbitrary<EventRow> =>
  fc
    .record({
      start: moments,
      length: lengths,
      offset: fc.integer({ min: -11, max: 13 }),
      status: fc.constantFrom('publish' as const, 'draft' as const, 'trash' as const),
      venue: fc.constantFrom(null, 1, 2, 3),
      tags: fc.subarray([1, 2, 3]),
    })
    .map(({ start, length, offset, ...row }) => {
      const wall = (hours: number) => msWall(begin + hours * hour)
      return {
        ...blanks.events,
        ...row,
        id,
        lang_code: 'ca',
        date: '2026-01-01 00:00:00',
        timezone: `UTC${offset < 0 ? offset : `+${offset}`}`,
        start_date: wall(start + offset),
        end_date: wall(start + length + offset),
        utc_start_date: wall(start),
        utc_end_date: wall(start + length),
      }
    })

interface Bounds {
  readonly start_date?: number
  readonly end_date?: number
  readonly starts_before?: number
  readonly starts_after?: number
  readonly ends_before?: number
  readonly ends_after?: number
}

const given = (...names: (keyof Bounds)[]): fc.Arbitrary<Bounds> =>
  fc.record(Object.fromEntries(names.map(name => [name, moments])))

/** Each combination sets both ends, because the service fills in missing ones (yesterday, and 24 months ahead). */
const bounds = fc.oneof(
  given('start_date', 'end_date'),
  fc.tuple(moments, moments).map(([start_date, length]) => ({ start_date, end_date: start_date + length })),
  given('starts_after'),
  given('ends_before'),
  given('starts_after', 'starts_before'),
  given('starts_after', 'ends_before'),
  given('ends_after', 'start_date', 'starts_before'),
)

/** The documented comparison, one event at a time. */
const isWithin = (row: EventRow, asked: Bounds): boolean => {
  const [start, end] = [row.utc_start_date, row.utc_end_date].map(wall => (wallMs(wall) - begin) / hour)
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after } = asked
  if (start === undefined || end === undefined || row.status === 'trash') return false
  if (start_date !== undefined && start < start_date) return false
  if (end_date !== undefined && end > end_date) return false
  if (starts_before !== undefined && start >= starts_before) return false
  if (starts_after !== undefined && start <= starts_after) return false
  if (ends_before !== undefined && end >= ends_before) return false
  return ends_after === undefined || end > ends_after
}

const queryOf = (asked: Bounds): string =>
  Object.entries(asked)
    .map(([name, hours]) => `&${name}=${msWall(begin + hours * hour)}`)
    .join('')

const inOrder = (a: EventRow, b: EventRow) =>
  a.start_date < b.start_date ? -1 : a.start_date > b.start_date ? 1 : a.id - b.id

test('lists find and count the same events as a scan of all, whatever is written in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...Array.from({ length: 400 }, (_, index) => eventOf(index + 1))),
      fc.array(
        fc.record({
          put: fc.array(fc.integer({ min: 1, max: 450 }).chain(eventOf), { minLength: 5, maxLength: 9 }),
          gone: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 5, maxLength: 9 }),
          asked: bounds,
          venue: fc.constantFrom(undefined, undefined, undefined, 1, 2),
          page: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 8, maxLength: 12 },
      ),
      async (events, steps) => {
        const { ask, store } = testService({ site: { timezone: 'UTC' }, rows: { events, venues } })
        for (const { put, gone, asked, venue, page } of steps) {
          const wanted = [...store.table('events').values()]
            .filter(row => isWithin(row, asked) && (venue === undefined || row.venue === venue))
            .sort(inOrder)
          const filter = venue === undefined ? '' : `&venue=${venue}`
          const { body } = await ask(`GET /events?strict_dates=1&page=${page}&per_page=50${filter}${queryOf(asked)}`)
          const rows = wanted.slice((page - 1) * 50, page * 50)
          if (rows.length > 0 || page === 1) {
            expect(body.events.map(({ id }: EventRow) => id)).toEqual(rows.map(({ id }) => id))
            expect(body.total).toBe(wanted.length)
          }
          await store.write(writing => {
            for (const id of gone) writing.delete('events', id)
            for (const row of put) writing.put('events', row)
          })
        }
      },
    ),
    { numRuns: 12, seed: 3, endOnFailure: true },
  )
})
