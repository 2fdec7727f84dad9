import fc from 'fast-check'
import { expect, test } from 'vitest'
import { msWall, wallMs } from '../../src/base/time/dates.ts'
import { toUtc } from '../../src/base/time/zone.ts'
import { blanks, type EventRow } from '../../src/service/store/rows.ts'
import { testService } from '../support/test-service.ts'

const hour = 3_600_000
const begin = wallMs('2026-01-01 00:00:00')
const zones = ['Europe/Madrid', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'] as const

/** Events through a year, some of which last for weeks, in zones around the world. */
const events = Array.from({ length: 1600 }, (_, n): EventRow => {
  const start = begin + ((n * 7919) % 8760) * hour
  const zone = zones[n % zones.length] ?? 'UTC'
  const wall = { start_date: msWall(start), end_date: msWall(start + (n % 50 === 0 ? n : n % 30) * hour) }
  return {
    ...blanks.events,
    ...wall,
    id: n + 1,
    slug: `event-${n}`,
    title: `Event ${n}`,
    timezone: zone,
    utc_start_date: toUtc(wall.start_date, zone),
    utc_end_date: toUtc(wall.end_date, zone),
    date: '2026-01-01 00:00:00',
  }
})

const day = fc.integer({ min: -20, max: 385 }).map(count => msWall(begin + count * 24 * hour).slice(0, 10))
const queries = fc
  .record(
    { start_date: day, end_date: day, starts_after: day, starts_before: day, ends_after: day, ends_before: day },
    { requiredKeys: [] },
  )
  .map(dates => new URLSearchParams({ start_date: '2020-01-01', end_date: '2030-01-01', ...dates }))

for (const quirks of [false, true])
  test(`a page of a long list has the events that a scan of all finds${quirks ? ', with --quirks' : ''}`, async () => {
    const { ask } = testService({ rows: { events }, quirks })
    const page = fc.integer({ min: 1, max: 33 })
    const property = fc.asyncProperty(queries, page, fc.constantFrom('7', '50'), async (query, page, perPage) => {
      const read = async (filter: string) => {
        const { body } = await ask(`GET /events?${query}&page=${page}&per_page=${perPage}${filter}`)
        return { ids: body.events?.map(({ id }: { id: number }) => id), total: body.total, code: body.code }
      }
      // A filter that all events pass has every one of them compared.
      expect(await read('')).toEqual(await read('&featured=false'))
    })
    await fc.assert(property, { numRuns: 150, seed: 5 })
  })
