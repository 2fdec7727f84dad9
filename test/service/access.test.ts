import { expect, test } from 'vitest'
import type { Users } from '../../src/service/access.ts'
import { concert, testService } from '../support/test-service.ts'
import { usersOf } from '../support/users.ts'

const users: Users = new Map([['anna', { password: 'open:sesame', role: 'editor' }]])
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const editor = basic('anna:open:sesame')

test('without users, every caller may do everything', async () => {
  const { ask } = testService()
  expect((await ask('POST /events', { json: concert })).status).toBe(201)
  expect((await ask('GET /events', { headers: basic('who:ever') })).status).toBe(200)
})

test('the public can only read; an editor can also write', async () => {
  const { ask } = testService({ users })
  const forbidden = { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 401 } }
  expect(await ask('POST /events', { json: concert })).toMatchObject({ status: 401, body: forbidden })
  expect((await ask('POST /events', { json: concert, headers: editor })).status).toBe(201)
  expect((await ask('GET /events/1')).status).toBe(200)
  expect(await ask('POST /events/1', { json: { title: 'Mine' } })).toMatchObject({ status: 401, body: forbidden })
  expect(await ask('DELETE /events/1')).toMatchObject({ status: 401, body: forbidden })
  expect(await ask('DELETE /events/99')).toMatchObject({ status: 401, body: forbidden })
})

test('parameters are checked before permission', async () => {
  const { ask } = testService({ users })
  expect((await ask('POST /events', { json: {} })).body.code).toBe('rest_missing_callback_param')
  expect((await ask('POST /tags', { json: { name: '' } })).body.code).toBe('rest_invalid_param')
})

test.each([
  ['anna:wrong', 'wrong_credentials'],
  ['berta:open:sesame', 'wrong_credentials'],
])('%s is refused on every route, reads included', async (who, code) => {
  const { ask } = testService({ users })
  for (const line of ['GET /events', 'GET /nothing', 'DELETE /events/1'])
    expect(await ask(line, { headers: basic(who) })).toMatchObject({
      status: 401,
      body: { code, data: { status: 401 } },
    })
})

test('wrong credentials are reported before an unreadable body', async () => {
  const { ask } = testService({ users })
  const headers = { ...basic('anna:wrong'), 'content-type': 'application/json' }
  expect((await ask('POST /events', { headers, body: '{' })).body.code).toBe('wrong_credentials')
})

test.each(['Basic', 'Basic ???', 'Bearer abc', basic('anna').authorization])(
  '%s counts as the public',
  async authorization => {
    const { ask } = testService({ users })
    expect((await ask('GET /events', { headers: { authorization } })).status).toBe(200)
    expect((await ask('POST /tags', { headers: { authorization }, json: { name: 'Jazz' } })).status).toBe(401)
  },
)

test.each(['draft', 'pending', 'private', 'future'])(
  'only editors can read a record whose status is %s',
  async status => {
    const { ask } = testService({ users })
    const date = '2027-01-01 00:00:00'
    const drafts = [
      ['events', { ...concert, status, date }, 'event'],
      ['venues', { venue: 'Sala', status, date }, 'venue'],
      ['organizers', { organizer: 'Casal', status, date }, 'organizer'],
    ] as const
    for (const [name, json, singular] of drafts) {
      const { body } = await ask(`POST /${name}`, { json, headers: editor })
      expect((await ask(`GET /${name}/${body.id}`, { headers: editor })).status).toBe(200)
      expect(await ask(`GET /${name}/${body.id}`)).toMatchObject({
        status: 403,
        body: { code: `${singular}-not-accessible`, message: `The requested ${singular} is not accessible` },
      })
    }
  },
)

test('nobody can read a record in the trash', async () => {
  const { ask } = testService({ users })
  await ask('POST /venues', { json: { venue: 'Sala' }, headers: editor })
  await ask('DELETE /venues/1', { headers: editor })
  for (const headers of [editor, {}])
    expect(await ask('GET /venues/1', { headers })).toMatchObject({
      status: 403,
      body: { code: 'venue-no-longer-available', message: 'This venue is no longer available' },
    })
})

test('the public can read a protected event with its password, and editors without', async () => {
  const { ask, store } = testService({ users })
  await ask('POST /events', { json: { ...concert, password: 'ignored' }, headers: editor })
  const row = store.table('events').get(1)
  expect(row?.post_password).toBe('')
  if (row) await store.write(writing => writing.put('events', { ...row, post_password: 'jazz' }))
  for (const path of ['/events/1', '/events/by-slug/concert']) {
    expect(await ask(`GET ${path}`)).toMatchObject({
      status: 403,
      body: {
        code: 'event-password-protected',
        message: 'The requested event is not accessible without a password',
      },
    })
    expect((await ask(`GET ${path}?password=rock`)).status).toBe(403)
    expect((await ask(`GET ${path}?password=`)).status).toBe(400)
    expect((await ask(`GET ${path}?password=jazz`)).status).toBe(200)
    expect((await ask(`GET ${path}`, { headers: editor })).status).toBe(200)
  }
})

test('nobody can write to a calendar served read-only', async () => {
  const { ask } = testService({ readOnly: true })
  expect(await ask('POST /tags', { json: { name: 'Jazz' } })).toMatchObject({
    status: 403,
    body: { code: 'read_only', data: { status: 403 } },
  })
  expect((await ask('GET /tags')).headers.allow).toBe('GET')
})

const concertBy = {
  'a contributor': 'guest:contributor',
  'an author': 'guest:author',
  'a subscriber': 'guest:subscriber',
}

test.each([
  ['an author', 201, 'publish', 201, 403],
  ['a contributor', 201, 'pending', 403, 403],
  ['a subscriber', 403, undefined, 403, 403],
] as const)(
  '%s writes events, categories and tags as on a real site',
  async (who, eventStatus, status, categoryStatus, tagStatus) => {
    const { ask } = testService({ quirks: true, users: usersOf('admin', concertBy[who]) })
    const headers = basic('guest:secret')
    const created = await ask('POST /events', { headers, json: { ...concert, status: 'publish' } })
    expect([created.status, created.body.status]).toEqual(eventStatus === 201 ? [201, status] : [403, undefined])
    expect((await ask('POST /categories', { headers, json: { name: 'Jazz' } })).status).toBe(categoryStatus)
    expect((await ask('POST /tags', { headers, json: { name: 'Jazz' } })).status).toBe(tagStatus)
  },
)

test('an author changes only what they wrote, and a contributor only until it is published', async () => {
  const { ask } = testService({ quirks: true, users: usersOf('admin', 'ada:author', 'carla:contributor') })
  const as = (name: string) => ({ headers: basic(`${name}:secret`) })
  const ids = new Map<string, number>()
  for (const name of ['admin', 'ada', 'carla'])
    ids.set(name, (await ask('POST /events', { ...as(name), json: { ...concert, title: name } })).body.id)
  const update = async (who: string, whose: string) =>
    (await ask(`POST /events/${ids.get(whose)}`, { ...as(who), json: { website: 'https://example.org' } })).status
  expect([await update('ada', 'ada'), await update('ada', 'admin'), await update('ada', 'carla')]).toEqual([
    200, 403, 403,
  ])
  expect([await update('carla', 'carla'), await update('carla', 'ada')]).toEqual([200, 403])
  await ask(`POST /events/${ids.get('carla')}`, { ...as('admin'), json: { status: 'publish' } })
  expect(await update('carla', 'carla')).toBe(403)
})
