import { expect, test } from 'vitest'
import { Refusal } from '../../src/service/refusal.ts'
import { concert, testService } from '../support/test-service.ts'

test('a minimal event has defaults for the other fields', async () => {
  const { ask } = testService()
  const created = await ask('POST /events', { json: { ...concert, title: '  Concert ' } })
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, lang_code: 'ca', status: 'publish', title: 'Concert', slug: 'concert', description: '', excerpt: '' },
      ...{ date: '2026-11-21 03:00:00', date_utc: '2026-11-21 02:00:00', timezone: 'Europe/Madrid', all_day: false },
      ...{ start_date: '2026-12-05 19:00:00', utc_start_date: '2026-12-05 18:00:00', cost: '', image: false },
      ...{ show_map: false, show_map_link: false, hide_from_listings: false, sticky: false, featured: false },
      ...{ categories: [], tags: [], venue: [], organizer: [] },
    },
  })
})

test.each(['POST', 'PUT', 'PATCH'])('%s sets the given fields and keeps the others', async method => {
  const { ask } = testService()
  const json = {
    ...concert,
    status: 'draft',
    cost: '15 €',
    featured: true,
    tags: ['jazz'],
    website: 'https://example.org/',
  }
  const { body: before } = await ask('POST /events', { json })
  const { body: after } = await ask(`${method} /events/by-slug/concert`, { json: { title: 'Òpera' } })
  expect(after).toEqual({ ...before, title: 'Òpera' })
  expect((await ask(`${method} /events/1`, { json: {} })).body).toEqual(after)
})

test('null and an empty text clear optional fields', async () => {
  const { ask } = testService()
  const words = { description: 'Long', excerpt: 'Short', cost: '15', website: 'https://example.org/' }
  const links = { categories: ['Jazz'], tags: ['river'], venue: { venue: 'Sala' }, organizer: [{ organizer: 'Casal' }] }
  await ask('POST /events', { json: { ...concert, ...words, ...links, image: 7, featured: true, status: 'draft' } })
  const cleared = { description: null, excerpt: '', cost: '', website: null, image: '', featured: null, status: null }
  const { body } = await ask('PUT /events/3', {
    json: { ...cleared, categories: '', tags: [], venue: [], organizer: null },
  })
  expect(body).toMatchObject({
    description: '',
    excerpt: '',
    cost: '',
    image: false,
    featured: false,
    status: 'publish',
  })
  expect(body).toMatchObject({ categories: [], tags: [], venue: [], organizer: [] })
  for (const name of ['title', 'start_date', 'end_date'])
    expect(await ask('PUT /events/3', { json: { [name]: null } })).toMatchObject({ status: 400 })
})

test('a second venue or organizer with the same name is a new record', async () => {
  const { ask } = testService()
  expect((await ask('POST /venues', { json: { venue: 'Sala' } })).body).toMatchObject({ id: 1, slug: 'sala' })
  expect((await ask('POST /venues', { json: { venue: 'Sala' } })).body).toMatchObject({ id: 2, slug: 'sala-2' })
  expect((await ask('POST /venues/2', { json: { city: 'Vic', show_map: 'false' } })).body).toMatchObject({
    ...{ venue: 'Sala', city: 'Vic', show_map: false, show_map_link: true },
  })
})

test.each([
  ['Concert', 'concert'],
  ['My Slug! À/b', 'my-slug-a-b'],
  ["Festa de la Mercè: l'Àngel i l·lusió", 'festa-de-la-merce-langel-i-l%c2%b7lusio'],
  ['Sala <i>Çà</i> & l·l 🎉 "q"', 'sala-ca-l%c2%b7l-%f0%9f%8e%89-q'],
  ['がっこう', '%e3%81%8c%e3%81%a3%e3%81%93%e3%81%86'],
  ['12345', '12345'],
  ['<b></b>', '1'],
])('the slug of %s is %s', async (title, slug) => {
  const { ask } = testService()
  expect((await ask('POST /events', { json: { ...concert, title } })).body.slug).toBe(slug)
  expect((await ask(`GET /events/by-slug/${slug}`)).status).toBe(200)
})

test('slugs that are not ASCII can be requested encoded once or twice', async () => {
  const { ask } = testService()
  await ask('POST /venues', { json: { venue: 'Col·legi' } })
  expect((await ask('GET /venues/by-slug/col%C2%B7legi')).status).toBe(200)
  expect((await ask('GET /venues/by-slug/col%25c2%25b7legi')).status).toBe(200)
})

test('equal slugs are numbered, also given ones, and a new title does not change them', async () => {
  const { ask } = testService()
  const slugs: string[] = []
  for (let n = 0; n < 6; n++) slugs.push((await ask('POST /events', { json: concert })).body.slug)
  expect(slugs).toEqual(['concert', 'concert-2', 'concert-3', 'concert-4', 'concert-5', 'concert-6'])
  expect((await ask('POST /events/1', { json: { title: 'Òpera' } })).body.slug).toBe('concert')
  expect((await ask('POST /events/1', { json: { slug: 'Concert 2' } })).body.slug).toBe('concert-2-2')
  expect((await ask('POST /events/1', { json: { slug: '' } })).body.slug).toBe('opera')
  const long = await ask('POST /events', { json: { ...concert, title: 'à·'.repeat(200) } })
  expect(long.body.slug).toMatch(/^(a%c2%b7)+a?$/)
  expect(long.body.slug.length).toBeLessThanOrEqual(200)
})

test('a published event with a later date is scheduled', async () => {
  const { ask } = testService()
  const statusOf = async (json: object) => (await ask('POST /events', { json: { ...concert, ...json } })).body.status
  expect(await statusOf({ status: 'future' })).toBe('publish')
  expect(await statusOf({ status: 'future', date: '2027-01-01 00:00:00' })).toBe('future')
  expect(await statusOf({ status: 'publish', date_utc: '2027-01-01 00:00:00' })).toBe('future')
  expect(await statusOf({ status: 'draft', date: '2027-01-01 00:00:00' })).toBe('draft')
})

test('a scheduled event is published when its date has come', async () => {
  let now = new Date('2026-11-21T02:00:00Z')
  const { ask } = testService({ now: () => now })
  await ask('POST /events', { json: { ...concert, date: '2026-12-01 10:00:00' } })
  await ask('POST /venues', { json: { venue: 'Sala', date: '2026-12-02 10:00:00' } })
  now = new Date('2026-12-01T08:59:59Z')
  expect((await ask('GET /events?status=publish')).body.total).toBe(0)
  now = new Date('2026-12-01T09:00:00Z')
  expect((await ask('GET /events?status=publish')).body.total).toBe(1)
  expect((await ask('GET /events/1')).body).toMatchObject({ status: 'publish', modified: '2026-11-21 03:00:00' })
  expect((await ask('GET /venues/2')).body.status).toBe('future')
})

test('a read-only calendar does not publish scheduled events', async () => {
  let now = new Date('2026-11-21T02:00:00Z')
  const { ask, store } = testService({ now: () => now })
  await ask('POST /events', { json: { ...concert, date: '2026-12-01 10:00:00' } })
  now = new Date('2026-12-02T00:00:00Z')
  const refuse = async () => {
    throw new Refusal(403, 'read_only', 'This calendar can only be read.')
  }
  const reading = testService({ now: () => now, store: { ...store, write: refuse } })
  expect((await reading.ask('GET /events/1')).body.status).toBe('future')
})

test('delete moves to the trash, frees the slug, and works once', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: { ...concert, status: 'draft' } })
  expect(await ask('DELETE /events/1')).toMatchObject({
    status: 200,
    body: { id: 1, status: 'trash', slug: 'concert__trashed' },
  })
  const gone = { status: 410, body: { code: 'event-is-in-trash', message: 'The event is already trashed' } }
  expect(await ask('DELETE /events/1')).toMatchObject(gone)
  expect(await ask('DELETE /events/by-slug/concert__trashed')).toMatchObject(gone)
  expect(await ask('POST /events/1', { json: { title: 'Òpera' } })).toMatchObject(gone)
  expect(await ask('POST /events/1', { json: { status: 'trash' } })).toMatchObject(gone)
  expect((await ask('DELETE /events/by-slug/concert')).status).toBe(404)
  expect((await ask('POST /events', { json: concert })).body.slug).toBe('concert')
  expect((await ask('POST /events/1', { json: { status: 'pending' } })).body).toMatchObject({
    ...{ id: 1, status: 'pending', slug: 'concert-2' },
  })
})

test('setting the status to trash is a delete', async () => {
  const { ask } = testService()
  expect((await ask('POST /venues', { json: { venue: 'Sala', status: 'trash' } })).body).toMatchObject({
    ...{ status: 'trash', slug: 'sala__trashed' },
  })
  await ask('POST /organizers', { json: { organizer: 'Casal' } })
  expect((await ask('PUT /organizers/2', { json: { phone: '1', status: 'trash' } })).body).toMatchObject({
    ...{ status: 'trash', phone: '1', slug: 'casal__trashed' },
  })
  expect((await ask('DELETE /organizers/2')).status).toBe(410)
})

test('IDs are never used twice', async () => {
  const { ask } = testService()
  await ask('POST /tags', { json: { name: 'Jazz' } })
  await ask('DELETE /tags/1')
  expect((await ask('POST /tags', { json: { name: 'Rock' } })).body.id).toBe(2)
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Sala' }, image: 'https://example.org/a.png' } })
  expect((await ask('POST /organizers', { json: { organizer: 'Casal' } })).body.id).toBe(4)
})
