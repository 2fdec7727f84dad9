import { expect, test } from 'vitest'
import { calendarAt } from '../../src/client/calendar.ts'
import type { CalendarApi } from '../../src/client/client.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Request } from '../../src/contract/exchange.ts'
import type { Language } from '../../src/contract/languages.ts'

const [events, venues, tags] = [resourceNamed('events'), resourceNamed('venues'), resourceNamed('tags')]

/** The request of one client call: a line with method, path and query, and the body. */
async function sent(call: (client: CalendarApi) => Promise<unknown>, language?: Language): Promise<string> {
  const requests: Request[] = []
  const client = calendarApi({
    transport: async request => {
      requests.push(request)
      const id = Number(/\/(\d+)$/.exec(request.path)?.[1] ?? 7)
      const record = { id, title: '', venue: '', name: '' }
      const page = { events: [], venues: [], tags: [], total: 0, total_pages: 0 }
      const body = JSON.stringify({ ...record, ...page, routes: {}, openapi: '3.1.0' })
      return { status: 200, headers: {}, body }
    },
    calendar: calendarAt('https://example.org', 'calendar/events/v1'),
    namespace: 'calendar/events/v1',
    ...(language && { language }),
  })
  await call(client)
  return requests
    .map(({ method, path, query, body }) => `${method} ${path}${query ? `?${query}` : ''}${body ? `\n${body}` : ''}`)
    .join('\n')
}

test('every operation has its method and path', async () => {
  expect(await sent(client => client.list(events, {}))).toBe('GET /calendar/events/v1/events')
  expect(await sent(client => client.get(events, { id: 7 }))).toBe('GET /calendar/events/v1/events/7')
  expect(await sent(client => client.get(venues, { slug: 'sala-gran' }))).toBe(
    'GET /calendar/events/v1/venues/by-slug/sala-gran',
  )
  expect(await sent(client => client.create(tags, { name: 'Open air' }))).toBe(
    'POST /calendar/events/v1/tags\n{"name":"Open air"}',
  )
  expect(await sent(client => client.update(tags, { id: 2 }, { slug: 'outdoors' }))).toBe(
    'POST /calendar/events/v1/tags/2\n{"slug":"outdoors"}',
  )
  expect(await sent(client => client.delete(events, { slug: 'concert' }))).toBe(
    'DELETE /calendar/events/v1/events/by-slug/concert',
  )
  expect(await sent(client => client.routes({}))).toBe('GET /calendar/events/v1')
  expect(await sent(client => client.routes({ context: 'embed' }))).toBe('GET /calendar/events/v1?context=embed')
  expect(await sent(client => client.doc())).toBe('GET /calendar/events/v1/doc')
})

test('a slug is one path segment, whatever its characters', async () => {
  expect(await sent(client => client.get(events, { slug: 'nit/blanca? à' }))).toBe(
    'GET /calendar/events/v1/events/by-slug/nit%2Fblanca%3F%20%C3%A0',
  )
})

test('several values of a filter are comma-separated, booleans are words, unset filters are omitted', async () => {
  const filters = { categories: [3, 'jazz'], featured: false, starts_after: '2026-12-01 00:00:00', search: undefined }
  expect(await sent(client => client.list(events, filters))).toBe(
    'GET /calendar/events/v1/events?categories=3%2Cjazz&featured=false&starts_after=2026-12-01+00%3A00%3A00',
  )
})

test('the password of an event goes into the query of a read and the body of a write', async () => {
  expect(await sent(client => client.get(events, { id: 7 }, { password: 'obre' }))).toBe(
    'GET /calendar/events/v1/events/7?password=obre',
  )
  expect(await sent(client => client.update(events, { id: 7 }, { title: 'Nit', password: 'obre' }))).toBe(
    'POST /calendar/events/v1/events/7\n{"title":"Nit","password":"obre"}',
  )
})

test('images and the flags of venues are sent as text, null clears, everything else is sent as it is', async () => {
  const event = { image: 12, all_day: true, venue: 7, categories: [1, 2], website: null }
  expect(await sent(client => client.update(events, { id: 7 }, event))).toBe(
    'POST /calendar/events/v1/events/7\n{"image":"12","all_day":true,"venue":7,"categories":[1,2],"website":null}',
  )
  expect(await sent(client => client.create(venues, { venue: 'Sala', show_map: false, image: null }))).toBe(
    'POST /calendar/events/v1/venues\n{"venue":"Sala","show_map":"false","image":null}',
  )
})

test('numbers in text fields are sent as text, also in inline venues', async () => {
  expect(await sent(client => client.create(venues, { venue: 'Sala', zip: 8500, phone: 972000000 }))).toBe(
    'POST /calendar/events/v1/venues\n{"venue":"Sala","zip":"8500","phone":"972000000"}',
  )
  const event = {
    title: 2027,
    cost: 15,
    venue: { venue: 'Sala', zip: 8500 },
    organizer: [8, { organizer: 'Club', phone: 1 }],
  }
  expect(await sent(client => client.create(events, event))).toBe(
    'POST /calendar/events/v1/events\n' +
      '{"title":"2027","cost":15,"venue":{"venue":"Sala","zip":"8500"},"organizer":[8,{"organizer":"Club","phone":"1"}]}',
  )
})

test('the language is sent in the query of reads and deletes and in the body of writes', async () => {
  expect(await sent(client => client.list(tags, { search: 'aire' }), 'en')).toBe(
    'GET /calendar/events/v1/tags?search=aire&lang_code=en',
  )
  expect(await sent(client => client.delete(tags, { id: 2 }), 'en')).toBe(
    'DELETE /calendar/events/v1/tags/2?lang_code=en',
  )
  expect(await sent(client => client.create(tags, { name: 'Open air' }), 'en')).toBe(
    'POST /calendar/events/v1/tags\n{"name":"Open air","lang_code":"en"}',
  )
  expect(await sent(client => client.doc(), 'es')).toBe('GET /calendar/events/v1/doc?lang_code=es')
})
