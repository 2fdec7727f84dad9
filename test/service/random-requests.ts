import fc from 'fast-check'
import { expect } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { checkCalendar } from '../../src/service/store/check/check-calendar.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { Snapshot } from '../../src/service/store/store.ts'
import { usersOf } from '../support/users.ts'
import { requests, wordpressRequests } from './request-arbitraries.ts'

const root = 'http://calendar.test'
const namespace = 'calendar/events/v1'
const now = () => new Date('2026-11-21T02:00:00Z')
const site = { language: 'ca', timezone: 'Europe/Madrid', quirks: false } as const

/** The options of a service that change its responses. */
const modes = [{}, { readOnly: true }, { users: usersOf('editor:editor') }, { quirks: true }]

/** The codes with which production, and so --quirks, answers some requests with 500 or 501. */
const recorded500 = [
  'empty_content',
  'empty_term_name',
  'db_insert_error',
  'duplicate_term_slug',
  'internal_server_error',
  'rest_trash_not_supported',
]

/**
 * Sends series of random requests, each to a new small calendar: none causes a 500 or a bug, every error has the documented
 * shape, and a refused request changes nothing.
 */
export async function sendRandomRequests(numRuns: number, seed?: number): Promise<void> {
  const start = await smallCalendar()
  const series = fc.constantFrom(...modes).chain(mode => {
    const each = 'quirks' in mode ? fc.oneof(requests, wordpressRequests) : requests
    return fc.record({ mode: fc.constant(mode), sent: fc.array(each, { minLength: 1, maxLength: 5 }) })
  })
  const property = fc.asyncProperty(series, async ({ mode, sent }) => {
    const store = memoryStore(site, start.rows)
    const service = createService({ store, now, baseUrl: root, namespace, ...mode })
    for (const request of sent) {
      const before = store.snapshot()
      const answer = await service(request)
      checkShape(answer, 'quirks' in mode ? recorded500 : [])
      const mayChange = 'quirks' in mode && !request.path.startsWith('/wp/v2/')
      if (answer.status >= 400 && !mayChange) checkSame(before, store.snapshot())
    }
    checkReadable(store.snapshot())
  })
  await fc.assert(property, seed === undefined ? { numRuns } : { numRuns, seed })
}

function checkShape({ status, body }: Response, allowed: readonly string[]): void {
  if (status < 400 || body.length === 0) return
  const error = JSON.parse(String(body))
  expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  if (status >= 500) expect(allowed).toContain(error.code)
  else expect(error.data).toMatchObject({ status })
}

/** What was stored can be read again, even by a person's hand. */
function checkReadable({ rows, sequence }: Snapshot): void {
  const records = Object.entries(rows).map(([name, all]) => [name, all.map(row => ({ ...row }))])
  checkCalendar(
    'fuzz.json',
    { calctl: 1, site: { ...site, quirks: true }, sequence, ...Object.fromEntries(records) },
    now(),
  )
}

/** Rows are never changed in place, so identical rows mean an unchanged calendar. */
function checkSame(before: Snapshot, after: Snapshot): void {
  expect(after.sequence).toEqual(before.sequence)
  for (const [name, rows] of Object.entries(before.rows)) {
    const now: readonly unknown[] = after.rows[name as keyof Snapshot['rows']]
    expect(now.length).toBe(rows.length)
    expect(rows.every((row, index) => row === now[index])).toBe(true)
  }
}

/** One or two records of each resource. */
async function smallCalendar(): Promise<Snapshot> {
  const store = memoryStore(site)
  const service = createService({ store, now, baseUrl: root, namespace })
  const create = async (resource: string, values: object) => {
    const path = `/${namespace}/${resource}`
    const headers = { 'content-type': 'application/json' }
    const request: Request = { method: 'POST', path, headers, body: JSON.stringify(values) }
    expect((await service(request)).status).toBe(201)
  }
  await create('venues', { venue: 'Teatre Principal', city: 'Girona' })
  await create('organizers', { organizer: 'Orfeó' })
  await create('categories', { name: 'Música' })
  await create('categories', { name: 'Jazz', parent: 1 })
  await create('tags', { name: 'jazz' })
  const concert = { title: 'Concert', start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
  await create('events', { ...concert, venue: 1, organizer: [2], categories: [2], tags: [3] })
  await create('events', { ...concert, lang_code: 'en', status: 'draft' })
  return store.snapshot()
}
