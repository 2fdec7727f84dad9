import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { concert, testService } from '../support/test-service.ts'

const { ask, send } = testService()
await ask('POST /events', { json: concert })
await ask('POST /venues', { json: { venue: 'Sala Gran' } })
await ask('POST /categories', { json: { name: 'Música' } })

test.each([
  ['GET ', 200],
  ['GET /', 200],
  ['GET /doc', 200],
  ['GET /events', 200],
  ['GET /events/', 200],
  ['GET /Events', 200],
  ['HEAD /events', 200],
  ['OPTIONS /events', 200],
  ['GET /events/1', 200],
  ['GET /events/0001', 200],
  ['GET /events/1/', 200],
  ['GET /events/by-slug/concert', 200],
  ['GET /events/by-slug/CONCERT/', 200],
  ['GET /EVENTS/By-Slug/concert', 200],
  ['GET /venues/by-slug/sala-gran', 200],
  ['GET /categories/1', 200],
])('%s is answered with %i', async (line, status) => {
  expect((await send(line)).status).toBe(status)
})

test.each([
  'GET /nothing',
  'GET //events',
  'GET /events/abc',
  'GET /events/-1',
  'GET /events/1.0',
  'GET /events/1/2',
  'GET /events/by-slug',
  'GET /events/by-slug/',
  'GET /events/by-slug/a/b',
  'GET /categories/by-slug/musica',
  'GET /tags/by-slug/musica',
  'PUT /events',
  'PATCH /events',
  'DELETE /events',
  'POST /doc',
  'TRACE /events',
  'OPTIONS /nothing',
])('%s has no route', async line => {
  expect(await ask(line)).toMatchObject({
    status: 404,
    body: {
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
      data: { status: 404 },
    },
  })
})

test.each([
  ['GET /events/99', 'rest-event-not-found', 'Event with ID 99 does not exist.'],
  ['GET /events/0', 'rest-event-not-found', 'Event with ID 0 does not exist.'],
  ['GET /events/2', 'rest-event-not-found', 'Event with ID 2 does not exist.'],
  ['GET /events/99999999999999999999', 'rest-event-not-found', 'Event with ID 9007199254740991 does not exist.'],
  ['GET /events/by-slug/opera', 'rest-event-not-found', 'Event with slug "opera" does not exist.'],
  ['GET /events/by-slug/a%2Fb', 'rest-event-not-found', 'Event with slug "a/b" does not exist.'],
  ['GET /events/by-slug/%zz', 'rest-event-not-found', 'Event with slug "%zz" does not exist.'],
  ['DELETE /venues/99', 'rest-venue-not-found', 'Venue with ID 99 does not exist.'],
  ['POST /organizers/99', 'rest-organizer-not-found', 'Organizer with ID 99 does not exist.'],
  ['PATCH /categories/99', 'rest-category-not-found', 'Category with ID 99 does not exist.'],
  ['DELETE /tags/99', 'rest-tag-not-found', 'Tag with ID 99 does not exist.'],
])('%s is refused with %s', async (line, code, message) => {
  expect(await ask(line)).toMatchObject({ status: 404, body: { code, message, data: { status: 404 } } })
})

test('Allow lists the methods of a route', async () => {
  expect((await ask('GET /events')).headers).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    allow: 'GET, POST',
  })
  expect((await ask('GET /events/1')).headers.allow).toBe('GET, DELETE, POST, PUT, PATCH')
  expect((await ask('GET /events/99')).headers.allow).toBe('GET, DELETE, POST, PUT, PATCH')
})

test('HEAD answers as GET does, without a body', async () => {
  expect(await send('HEAD /events/1')).toMatchObject({ status: 200, body: '' })
  expect(await send('HEAD /events/99')).toMatchObject({ status: 404, body: '' })
})

test('POST can override the method', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: concert })
  expect((await ask('POST /events/1?_method=DELETE')).body).toMatchObject({ id: 1, status: 'trash' })
  const again = await ask('POST /events/1', { headers: { 'x-http-method-override': 'DELETE' } })
  expect(again).toMatchObject({ status: 410, body: { code: 'event-is-in-trash' } })
})

test('the path can be sent as the parameter rest_route', async () => {
  const { store } = testService()
  const { createService } = await import('../../src/service/service.ts')
  const service = createService({ store, now: () => new Date(), baseUrl: 'http://calendar.test', namespace: 'a/v1' })
  expect((await service({ method: 'GET', path: '/', query: 'rest_route=/a/v1/tags' })).status).toBe(200)
  expect((await service({ method: 'GET', path: '/calendar/events/v1/tags' })).status).toBe(404)
})

test('doc prints the OpenAPI document, or the fields that --fields selects', async () => {
  const calctl = calendar()
  const whole = JSON.parse((await calctl('doc')).out)
  expect(whole).toMatchObject({ openapi: '3.1.0', paths: expect.any(Object) })
  expect(await calctl('doc --fields openapi,info.version -o ndjson')).toEqual({
    status: 0,
    out: `{"openapi":"3.1.0","info":{"version":"${whole.info.version}"}}\n`,
    err: '',
  })
})
