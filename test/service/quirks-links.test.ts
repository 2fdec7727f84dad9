import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

/** A calendar in the production dialect; the first post ID is 2. */
const site = () =>
  testService({
    quirks: true,
    site: { timezone: 'UTC+0' },
    rows: { images: [{ id: 1, url: 'https://example.org/poster.png' }] },
  })

test('a new venue or organizer overwrites an existing one of that name', async () => {
  const { ask } = site()
  await ask('POST /venues', { json: { venue: 'Hall', city: 'Vic' } })
  const again = await ask('POST /venues', { json: { venue: 'HALL', city: 'Olot' } })
  expect(again).toMatchObject({ status: 201, body: { id: 2, venue: 'Hall', city: 'Olot' } })
  const event = await ask('POST /events', { json: { ...concert, venue: { venue: 'hall', phone: '9' } } })
  expect(event.body.venue).toMatchObject({ id: 2, city: 'Olot', phone: '9' })
  await ask('DELETE /venues/2')
  expect((await ask('POST /venues', { json: { venue: 'Hall' } })).body.id).toBe(4)
})

test('an existing tag sent by name becomes a new tag named after its ID, and unknown IDs are skipped', async () => {
  const { ask } = site()
  await ask('POST /tags', { json: { name: 'free' } })
  const { body } = await ask('POST /events', {
    json: { ...concert, tags: ['Free'], categories: [99, 'Brand <b>new</b>'] },
  })
  expect(body.tags).toMatchObject([{ id: 3, name: '1', slug: '1' }])
  expect(body.categories).toMatchObject([{ id: 2, name: 'Brand new' }])
  expect((await ask('POST /events/2', { json: { tags: [1] } })).body.tags).toMatchObject([{ id: 1, name: 'free' }])
  expect((await ask('POST /events/2', { json: { tags: '', categories: [] } })).body).toMatchObject({
    tags: [],
    categories: [],
  })
})

test('terms sent as objects answer a critical error', async () => {
  const { ask } = site()
  expect(await ask('POST /events', { json: { ...concert, categories: [{ name: 'Music' }] } })).toMatchObject({
    status: 500,
    body: { code: 'internal_server_error', data: { status: 500 } },
  })
})

test.each([
  [{ venue: [2] }, 400, 'could-not-create-venue'],
  [{ venue: [{ venue: 'Other' }] }, 400, 'could-not-create-venue'],
  [{ venue: '2,2' }, 400, 'could-not-create-venue'],
  [{ venue: 99 }, 400, 'rest_invalid_param'],
  [{ venue: 'Hall' }, 400, 'rest_invalid_param'],
  [{ venue: { city: 'Vic' } }, 400, 'rest_invalid_param'],
  [{ venue: 3 }, 400, 'rest_invalid_param'],
  [{ venue: { venue: 'Other', website: 'nope' } }, 400, 'rest_invalid_param'],
  [{ venue: { venue: 'Other', zip: 8500 } }, 400, 'rest_invalid_param'],
  [{ venue: { venue: 'Other', show_map: false } }, 201, undefined],
  [{ venue: { id: 2 } }, 201, undefined],
  [{ venue: '' }, 201, undefined],
  [{ venue: {} }, 201, undefined],
  [{ organizer: { organizer: 'Solo' } }, 400, 'could-not-create-organizer'],
  [{ organizer: '3,3' }, 400, 'could-not-create-organizer'],
  [{ organizer: ['Choir'] }, 400, 'rest_invalid_param'],
  [{ organizer: [{ email: 'a@example.org' }] }, 400, 'rest_invalid_param'],
  [{ organizer: 99 }, 400, 'rest_invalid_param'],
  [{ organizer: 3 }, 201, undefined],
  [{ organizer: [{ id: 3 }, { organizer: 'New' }, 3] }, 201, undefined],
])('an event with %j is answered with %i %s', async (links, status, code) => {
  const { ask } = site()
  await ask('POST /venues', { json: { venue: 'Hall' } })
  await ask('POST /organizers', { json: { organizer: 'Choir' } })
  const answer = await ask('POST /events', { json: { ...concert, ...links } })
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('an update cannot clear the venue, the description or the excerpt', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Hall' }, description: 'Long', excerpt: 'Short' } })
  for (const venue of ['', [], {}, '0', 0, false, null])
    expect((await ask('POST /events/3', { json: { venue } })).body.venue.venue).toBe('Hall')
  for (const json of [{ description: '' }, { excerpt: '' }, { description: null }])
    expect((await ask('POST /events/3', { json })).status).toBe(400)
})

test('an event that cannot be created leaves its new venue behind', async () => {
  const { ask } = site()
  await ask('POST /organizers', { json: { organizer: 'Choir' } })
  const json = { ...concert, venue: { venue: 'Orphan' }, organizer: '2,2' }
  expect((await ask('POST /events', { json })).body.code).toBe('could-not-create-organizer')
  expect((await ask('GET /venues')).body.venues).toMatchObject([{ venue: 'Orphan' }])
  expect((await ask('GET /events')).body.total).toBe(0)
})
