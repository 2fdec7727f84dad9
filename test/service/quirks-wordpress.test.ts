import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'
import { usersOf } from '../support/users.ts'

const users = usersOf('editor', 'writer:contributor')

/** A calendar in the production dialect, with an editor and a contributor, and its `wp/v2`. */
function site() {
  const { ask, service } = testService({ quirks: true, site: { timezone: 'UTC+0' }, users })
  const authorization = (name?: string) =>
    name ? { authorization: `Basic ${Buffer.from(`${name}:secret`).toString('base64')}` } : undefined
  return {
    ask: (line: string, name?: string, json?: object) =>
      ask(line, { ...(json && { json }), headers: { ...authorization(name) } }),
    async wp(line: string, name?: string, json?: object) {
      const [method = '', target = ''] = line.split(' ')
      const [path, query = ''] = target.split('?')
      const { status, body } = await service({
        method,
        path: `/wp/v2${path}`,
        query,
        headers: { ...authorization(name), ...(json && { 'content-type': 'application/json' }) },
        ...(json && { body: JSON.stringify(json) }),
      })
      return { status, body: JSON.parse(String(body)) }
    },
  }
}

test.each([
  [{ date: 'soon' }, { date: 'Invalid date.' }],
  [{ author: 'admin' }, { author: 'author is not of type integer.' }],
  [{ tags: ['jazz'] }, { tags: 'tags[0] is not of type integer.' }],
  [
    { slug: 7, password: null },
    { slug: 'slug is not of type string.', password: 'password is not of type string.' },
  ],
])('a patch with a wrong value is refused whole: %j', async (values, params) => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', concert)
  expect(await wp('POST /tribe_events/1', 'editor', { title: 'Changed', ...values })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params } },
  })
  expect((await ask('GET /events/1')).body.title).toBe('Concert')
})

test.each([
  ['events', 'tribe_events', concert],
  ['venues', 'tribe_venue', { venue: 'Hall' }],
  ['organizers', 'tribe_organizer', { organizer: 'Choir' }],
] as const)(
  'a patch that leaves one of the %s without any text is refused, as WordPress does',
  async (of, path, sent) => {
    const { ask, wp } = site()
    await ask(`POST /${of}`, 'editor', sent)
    const before = (await ask(`GET /${of}/1`)).body
    for (const title of ['', '0'])
      expect(await wp(`POST /${path}/1`, 'editor', { title })).toEqual({
        status: 400,
        body: { code: 'empty_content', message: 'Content, title, and excerpt are empty.', data: { status: 400 } },
      })
    expect((await ask(`GET /${of}/1`)).body).toEqual(before)
    expect(await wp(`POST /${path}/1`, 'editor', { title: '', content: 'By the river' })).toMatchObject({
      status: 200,
      body: { title: { raw: '' }, content: { raw: 'By the river' } },
    })
  },
)

test.each([
  { _EventStartDate: 'soon' },
  { _EventShowMap: 'perhaps' },
  { _EventVenueID: ['hall'] },
  { _EventTimezone: 'Mars/Olympus' },
  { _EventCost: 15 },
])('meta with a wrong value is refused: %j', async meta => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', concert)
  const { status, body } = await wp('POST /tribe_events/1', 'editor', { meta })
  expect([status, body.message]).toEqual([400, expect.stringContaining(`meta.${Object.keys(meta)[0]}`)])
})

test('a contributor creates drafts, changes those, and publishes nothing', async () => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', concert)
  const { body: draft } = await ask('POST /events', 'writer', concert)
  const { body: pending } = await ask('POST /events', 'writer', { ...concert, status: 'publish' })
  expect([draft, pending]).toMatchObject([
    { status: 'draft', author: '2' },
    { status: 'pending', author: '2' },
  ])
  expect(await ask('PUT /events/1', 'writer', { title: 'Mine' })).toMatchObject({
    status: 403,
    body: { code: 'rest_forbidden' },
  })
  expect(await ask('POST /categories', 'writer', { name: 'Jazz' })).toMatchObject({ status: 403 })
  expect(await wp('POST /tribe_events/1', 'writer', { title: 'Mine' })).toMatchObject({
    status: 403,
    body: { code: 'rest_cannot_edit' },
  })
  expect(await wp('GET /tribe_events/1?context=edit', 'writer')).toMatchObject({
    status: 403,
    body: { code: 'rest_forbidden_context' },
  })
  expect((await wp(`POST /tribe_events/${draft.id}`, 'writer', { title: 'Mine' })).status).toBe(200)
  expect((await wp('GET /tribe_events?context=edit&status=any', 'writer')).body).toHaveLength(2)
  expect((await wp('GET /users/me?context=edit', 'writer')).body).toMatchObject({
    name: 'writer',
    roles: ['contributor'],
  })
})

test('a contributor sees a protected event no better than the public', async () => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', { ...concert, cost: '15' })
  await wp('POST /tribe_events/1', 'editor', { password: 'secret' })
  const listed = async (name: string) => (await ask('GET /events?context=edit', name)).body.events[0].cost
  expect([await listed('editor'), await listed('writer')]).toEqual(['$15', ''])
  expect((await ask('GET /events/1?context=edit', 'writer')).body.code).toBe('event-password-protected')
})

test('a protected event is whole in lists for whoever sends its password', async () => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', { ...concert, description: 'Secret' })
  await wp('POST /tribe_events/1', 'editor', { password: 'open' })
  const descriptions = async (query: string) => (await ask(`GET /events?${query}`)).body.events[0]?.description
  expect([await descriptions(''), await descriptions('password=wrong')]).toEqual(['', ''])
  expect(await descriptions('password=open')).toBe('<p>Secret</p>')
  expect([await descriptions('search=secret'), await descriptions('search=secret&password=open')]).toEqual([
    undefined,
    '<p>Secret</p>',
  ])
})

test('wp/v2 finds routes in any case, lets a parameter replace the ID of the path, and checks force like any flag', async () => {
  const { ask, wp } = site()
  await ask('POST /events', 'editor', concert)
  await ask('POST /events', 'editor', { ...concert, title: 'Opera' })
  expect((await wp('GET /Tribe_Events/1/')).body).toMatchObject({ id: 1 })
  expect((await wp('GET /tribe_events/1?id=2')).body).toMatchObject({ id: 2 })
  expect(await wp('DELETE /tribe_events/1?force=perhaps', 'editor')).toMatchObject({
    status: 400,
    body: { data: { params: { force: 'force is not of type boolean.' } } },
  })
  expect((await wp('GET /tribe_events/1')).body).toMatchObject({ id: 1, status: 'publish' })
})

test.each(['ask', 'wp'] as const)('_fields selects nothing from a refusal, and _envelope wraps it (%s)', async api => {
  const path = api === 'ask' ? '/events/99' : '/tribe_events/99'
  const { body } = await site()[api](`GET ${path}?_fields=id&_envelope`)
  expect(body).toMatchObject({ status: 404, body: { code: expect.any(String), message: expect.any(String) } })
})

test('a category goes to the top of the tree and never below itself', async () => {
  const { ask, wp } = site()
  await ask('POST /categories', 'editor', { name: 'Music' })
  await ask('POST /categories', 'editor', { name: 'Jazz', parent: 1 })
  expect((await wp('POST /tribe_events_cat/2', 'editor', { parent: 0, description: '' })).body.parent).toBe(0)
  await wp('POST /tribe_events_cat/2', 'editor', { parent: 1 })
  expect((await wp('POST /tribe_events_cat/1', 'editor', { parent: 2 })).body.parent).toBe(0)
  expect((await wp('POST /tribe_events_cat/1', 'editor', { parent: 99 })).body.code).toBe('rest_term_invalid')
})

test('a slug without letters is made of the name of the term, through either API', async () => {
  const { ask, wp } = site()
  await ask('POST /categories', 'editor', { name: 'Music', slug: 'sound' })
  expect((await wp('POST /tribe_events_cat/1', 'editor', { slug: '!!!' })).body).toMatchObject({ slug: 'music' })
  await ask('POST /categories/1', 'editor', { slug: 'sound' })
  expect((await ask('POST /categories/1', 'editor', { slug: '!!!' })).body).toMatchObject({ slug: 'music' })
})

test('an event keeps that it is cancelled, which the events API neither shows nor changes', async () => {
  const { ask, wp } = site()
  const { body: event } = await ask('POST /events', 'editor', concert)
  const meta = { _tribe_events_status: 'canceled', _tribe_events_status_reason: 'Rain' }
  expect((await wp(`POST /tribe_events/${event.id}`, 'editor', { meta })).body.meta).toMatchObject(meta)
  await ask(`POST /events/${event.id}`, 'editor', { ...concert, title: 'Recital' })
  expect((await wp(`GET /tribe_events/${event.id}?context=edit`, 'editor')).body.meta).toMatchObject(meta)
})
