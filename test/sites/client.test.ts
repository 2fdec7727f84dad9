import { expect, test } from 'vitest'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Language } from '../../src/contract/languages.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'

const [events, venues, tags] = [resourceNamed('events'), resourceNamed('venues'), resourceNamed('tags')]

/** Clients of one empty calendar in this process. */
function calendar() {
  const transport = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const calendar = calendarAt('http://calendar.test', 'calendar/events/v1')
  return (language?: Language) =>
    calendarApi({ transport, calendar, namespace: 'calendar/events/v1', ...(language && { language }) })
}

const concert = { title: 'Concert', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

test('a record is created, read, changed and deleted by id and by slug', async () => {
  const client = calendar()()
  const { id } = await client.create(venues, { venue: 'Sala Gran', show_map: false })
  expect(await client.get(venues, { slug: 'sala-gran' })).toMatchObject({ id, venue: 'Sala Gran', show_map: false })
  expect(await client.update(venues, { id }, { city: 'Girona' })).toMatchObject({ venue: 'Sala Gran', city: 'Girona' })
  expect(await client.delete(venues, { slug: 'sala-gran' })).toMatchObject({ id, status: 'trash' })
  await expect(client.delete(venues, { id })).rejects.toMatchObject({
    kind: 'missing',
    message: `venue ${id} is in the trash of http://calendar.test`,
  })
})

test('every page of a list is read', async () => {
  const client = calendar()()
  for (let n = 1; n <= 7; n++) await client.create(events, { ...concert, title: `Concert ${n}` })
  const pages: number[][] = []
  for await (const { records } of client.pages(events, { per_page: 3 })) pages.push(records.map(({ id }) => id))
  expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  expect(await client.list(events, { page: 4, per_page: 3 })).toEqual({ records: [], total: 0, pages: 0 })
})

test('a client reads and writes one language', async () => {
  const client = calendar()
  const { id } = await client('en').create(tags, { name: 'Open air' })
  expect(await client('en').get(tags, { id })).toMatchObject({ name: 'Open air', lang_code: 'en' })
  await expect(client().get(tags, { id })).rejects.toMatchObject({
    kind: 'missing',
    message: `no tag ${id} at http://calendar.test in this language; it is in en`,
    details: { hint: 'add: --lang en' },
  })
})

test('the service describes itself and links to its document', async () => {
  const client = calendar()()
  expect(await client.routes({})).toMatchObject({ namespace: 'calendar/events/v1' })
  expect(await client.doc()).toMatchObject({ openapi: expect.any(String) })
})
