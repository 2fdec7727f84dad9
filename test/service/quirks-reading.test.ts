import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'
import { usersOf } from '../support/users.ts'

const basic = (who: string) => ({ authorization: `Basic ${Buffer.from(who).toString('base64')}` })
const editor = basic('admin:secret')

const site = () => testService({ quirks: true, site: { timezone: 'UTC+0' }, users: usersOf('admin') })

/** A site with an event, a venue and an organizer, with the IDs 1 to 3. */
async function filled() {
  const { ask, store } = site()
  await ask('POST /events', { json: concert, headers: editor })
  await ask('POST /venues', { json: { venue: 'Hall' }, headers: editor })
  await ask('POST /organizers', { json: { organizer: 'Choir' }, headers: editor })
  return { ask, store }
}

test.each([
  ['GET /events/99', 404, 'rest-event-not-found', 'Event with ID 99 does not exist.'],
  ['GET /events/0', 404, 'rest-event-not-found', 'Event with ID 0 does not exist.'],
  [
    'GET /events/99999999999999999999',
    404,
    'rest-event-not-found',
    'Event with ID 9223372036854775807 does not exist.',
  ],
  ['GET /events/2', 400, 'rest-invalid-event-id', 'The specified ID is not a valid event.'],
  ['DELETE /events/99', 404, 'rest-event-not-found', 'Event with ID 99 does not exist.'],
  ['GET /events/by-slug/nope', 400, 'rest_invalid_param', 'Invalid parameter(s): slug'],
  ['DELETE /events/by-slug/nope', 400, 'rest_invalid_param', 'Invalid parameter(s): slug'],
  ['POST /events/by-slug/nope', 404, 'rest-event-not-found', 'Event with ID 0 does not exist.'],
  ['GET /venues/99', 400, 'rest_invalid_param', 'Invalid parameter(s): id'],
  ['GET /venues/1', 400, 'rest_invalid_param', 'Invalid parameter(s): id'],
  ['POST /venues/by-slug/nope', 400, 'rest_invalid_param', 'Invalid parameter(s): slug'],
  ['GET /organizers/99', 400, 'rest_invalid_param', 'Invalid parameter(s): id'],
  ['GET /categories/99', 400, 'rest_invalid_param', 'Invalid parameter(s): id'],
  ['DELETE /tags/99', 400, 'rest_invalid_param', 'Invalid parameter(s): id'],
  ['GET /tags/by-slug/jazz', 404, 'rest_no_route', undefined],
])('%s is answered with %i %s', async (line, status, code, message) => {
  const { ask } = await filled()
  const answer = await ask(line, { headers: editor })
  expect([answer.status, answer.body.code]).toEqual([status, code])
  if (message) expect(answer.body.message).toBe(message)
})

test('parameters are checked before permissions, and permissions before events are looked up', async () => {
  const { ask } = await filled()
  const codes = ['POST /events/99', 'DELETE /events/99', 'DELETE /venues/99', 'DELETE /events/1', 'POST /events']
  const answers = await Promise.all(codes.map(line => ask(line, { json: { title: 'x' } })))
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [401, 'rest_forbidden'],
    [401, 'rest_forbidden'],
    [400, 'rest_invalid_param'],
    [401, 'rest_forbidden'],
    [400, 'rest_missing_callback_param'],
  ])
})

test("wrong credentials are refused on reads too, with WordPress's messages", async () => {
  const { ask } = site()
  expect(await ask('GET /events', { headers: basic('admin:wrong') })).toMatchObject({
    status: 401,
    body: { code: 'incorrect_password', message: 'The provided password is an invalid application password.' },
  })
  expect((await ask('GET /events', { headers: basic('nobody:x') })).body.code).toBe('invalid_username')
  expect((await ask('GET /events', { headers: { authorization: 'Basic zzz' } })).status).toBe(200)
  expect((await ask('GET /events', { headers: { authorization: 'Bearer x' } })).status).toBe(200)
})

test('editors need the password of an event too, except with context=edit', async () => {
  const { ask, store } = await filled()
  const row = store.table('events').get(1)
  if (row) await store.write(writing => writing.put('events', { ...row, post_password: 'sesame' }))
  const statusOf = async (line: string, headers = {}) => (await ask(line, { headers })).status
  expect(await statusOf('GET /events/1')).toBe(403)
  expect(await statusOf('GET /events/1', editor)).toBe(403)
  expect(await statusOf('GET /events/by-slug/concert?password=wrong')).toBe(403)
  expect(await statusOf('GET /events/1?password=')).toBe(400)
  expect(await statusOf('GET /events/1?password=sesame')).toBe(200)
  expect(await statusOf('GET /events/1?context=edit', editor)).toBe(200)
  expect(await statusOf('GET /events/1?context=edit')).toBe(403)
})

test('lists leave out what a password protects, for everyone', async () => {
  const { ask, store } = await filled()
  const row = store.table('events').get(1)
  const secret = { post_password: 'sesame', description: 'Secret', venue: 2, organizer: [3], cost: '9' }
  if (row) await store.write(writing => writing.put('events', { ...row, ...secret }))
  for (const headers of [{}, editor])
    expect((await ask('GET /events', { headers })).body.events).toMatchObject([
      {
        title: 'Concert',
        description: '',
        cost: '',
        website: '',
        venue: [],
        organizer: [],
        all_day: null,
        featured: null,
      },
    ])
})

test('nobody can read an event in the trash, and the public no venue or organizer', async () => {
  const { ask } = await filled()
  for (const path of ['/events/1', '/venues/2', '/organizers/3']) await ask(`DELETE ${path}`, { headers: editor })
  const answers = [
    await ask('GET /events/1', { headers: editor }),
    await ask('GET /events/1'),
    await ask('GET /venues/2', { headers: editor }),
    await ask('GET /venues/2'),
    await ask('GET /organizers/3'),
    await ask('DELETE /venues/2', { headers: editor }),
    await ask('DELETE /venues/by-slug/hall', { headers: editor }),
    await ask('DELETE /venues/by-slug/hall__trashed', { headers: editor }),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'event-no-longer-available'],
    [403, 'event-no-longer-available'],
    [200, undefined],
    [403, 'venue-not-accessible'],
    [403, 'organizer-not-accessible'],
    [410, 'venue-is-in-trash'],
    [400, 'rest_invalid_param'],
    [410, 'venue-is-in-trash'],
  ])
})

test("the links of terms lead to WordPress's own API", async () => {
  const { ask } = site()
  const { body, headers } = await ask('POST /categories', { json: { name: 'Music' }, headers: editor })
  expect(headers.location).toBe('http://calendar.test/wp/v2/tribe_events_cat/1')
  expect(body._links).toMatchObject({
    self: [{ href: 'http://calendar.test/wp/v2/tribe_events_cat/1' }],
    about: [{ href: 'http://calendar.test/wp/v2/taxonomies/tribe_events_cat' }],
  })
})

test('production has languages too, as with a plugin', async () => {
  const { ask } = testService({ quirks: true })
  const created = await ask('POST /events', { json: { ...concert, lang_code: 'en' } })
  expect([created.status, created.body.lang_code]).toEqual([201, 'en'])
  expect((await ask('GET /events?lang_code=en')).body.total).toBe(1)
  expect((await ask('GET /en/events/1')).status).toBe(200)
  expect((await ask('GET /events/1')).body.message).toBe('Event with ID 1 does not exist in ca; it is in en.')
  expect((await ask('GET /events?lang_code=fr')).body.data.params).toHaveProperty('lang_code')
})

test('the calendar file can enable quirks', async () => {
  const { ask } = testService({ site: { quirks: true, timezone: 'UTC+0' } })
  expect((await ask('POST /events', { json: { ...concert, title: 'A & B' } })).body.title).toBe('A &#038; B')
})
