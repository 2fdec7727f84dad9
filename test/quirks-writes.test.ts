import { expect, test } from 'vitest'
import { asking, concert } from './asking.ts'

/** A calendar that follows production, with a picture that has the id 1. */
const site = () =>
  asking({
    quirks: true,
    site: { timezone: 'UTC+0' },
    rows: { images: [{ id: 1, url: 'https://example.org/poster.png' }] },
  })

const full = {
  ...concert,
  description: 'Long',
  excerpt: 'Short',
  status: 'private',
  timezone: 'Europe/Madrid',
  cost: '15',
  website: 'https://example.org/',
  image: '1',
  show_map: true,
  show_map_link: true,
  hide_from_listings: true,
  sticky: true,
  featured: true,
  all_day: true,
  categories: ['Music'],
  tags: ['free'],
  venue: { venue: 'Hall' },
  organizer: [{ organizer: 'Choir' }],
  date: '2026-01-02 03:04:05',
}

test('an update resets what it leaves out', async () => {
  const { ask } = site()
  const { body: before } = await ask('POST /events', { json: full })
  const { body: after } = await ask(`PATCH /events/${before.id}`, { json: { title: 'Recital' } })
  expect(before).toMatchObject({ status: 'private', timezone: 'Europe/Madrid', cost: '$15', featured: true })
  expect(after).toMatchObject({
    ...{ title: 'Recital', status: 'publish', timezone: 'UTC+0', cost: '', website: '', image: false, all_day: false },
    ...{ show_map: false, show_map_link: false, hide_from_listings: false, sticky: false, featured: false },
    ...{ organizer: [], date: '2026-11-21 02:00:00' },
  })
  for (const kept of ['description', 'excerpt', 'slug', 'start_date', 'utc_start_date', 'end_date', 'author'])
    expect([kept, after[kept]]).toEqual([kept, before[kept]])
  expect([after.venue.venue, after.categories[0].name, after.tags[0].name]).toEqual(['Hall', 'Music', 'free'])
})

test('an update that sends all again changes nothing', async () => {
  const { ask } = site()
  const { body: before } = await ask('POST /events', { json: full })
  const links = { venue: before.venue.id, organizer: [before.organizer[0].id], categories: [1], tags: [2] }
  const { body: after } = await ask(`PUT /events/${before.id}`, { json: { ...full, ...links } })
  expect(after).toEqual(before)
})

test('an update resets less of venues and organizers', async () => {
  const { ask } = site()
  const given = { status: 'draft', image: '1', phone: '1', description: 'Long' }
  const venue = { venue: 'Hall', province: 'Girona', show_map: '0', show_map_link: '0', ...given }
  expect((await ask('POST /venues', { json: venue })).body).toMatchObject({ stateprovince: 'Girona', show_map: false })
  const { body: hall } = await ask('PATCH /venues/2', { json: { phone: '2' } })
  expect(hall).toMatchObject({ status: 'publish', phone: '2', description: '<p>Long</p>', province: 'Girona' })
  expect(hall).toMatchObject({ show_map: true, show_map_link: true })
  expect(hall).not.toHaveProperty('image')
  expect(hall).not.toHaveProperty('stateprovince')
  await ask('POST /organizers', { json: { organizer: 'Choir', email: 'nope', ...given } })
  const { body: choir } = await ask('PATCH /organizers/3', { json: {} })
  expect(choir).toMatchObject({ status: 'publish', phone: '1', email: 'nope', description: '<p>Long</p>' })
  expect(choir).not.toHaveProperty('image')
})

test('a start or an end alone is ignored, and both together are not', async () => {
  const { ask } = site()
  await ask('POST /events', { json: concert })
  for (const json of [{ start_date: '2026-12-07 09:00:00' }, { end_date: '2026-12-08 09:00:00' }])
    expect((await ask('POST /events/2', { json })).body).toMatchObject(concert)
  const moved = { start_date: '2026-12-07 09:00:00', end_date: '2026-12-07 10:00:00' }
  expect((await ask('POST /events/2', { json: moved })).body).toMatchObject(moved)
})

test('an end before the start becomes the start, though not in UTC', async () => {
  const { ask } = site()
  const json = { title: 'Backwards', start_date: '2026-12-05 12:00:00', end_date: '2026-12-05 10:00:00' }
  expect(await ask('POST /events', { json })).toMatchObject({
    status: 201,
    body: { end_date: '2026-12-05 12:00:00', utc_end_date: '2026-12-05 10:00:00' },
  })
})

test.each([
  ['2026-12-05T10:00:00Z', '2026-12-05 10:00:00'],
  ['2026-12-05T10:00:00+02:00', '2026-12-05 10:00:00'],
  ['2027-02-30 10:00:00', '2027-03-02 10:00:00'],
  ['5 December 2026 7pm', '2026-12-05 19:00:00'],
  ['12/05/2026 10:00', '2026-12-05 10:00:00'],
  ['tomorrow 9am', '2026-11-22 09:00:00'],
  ['1796464800', '2026-12-05 10:00:00'],
  ['1890-01-01', '1890-01-01 00:00:00'],
])('the date %s is read as %s', async (written, read) => {
  const { ask } = site()
  const json = { title: 'Dated', start_date: written, end_date: '9999-12-31 10:00:00' }
  expect(await ask('POST /events', { json })).toMatchObject({ status: 201, body: { start_date: read } })
})

test.each(['32/13/2026', 'zzz', '', 'never'])('the date %j is refused', async start_date => {
  const { ask } = site()
  expect(await ask('POST /events', { json: { ...concert, start_date } })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { start_date: 'Invalid parameter.' }, details: [] } },
  })
})

test('a whole day lasts to its last second, turned on alone too, and stays so when turned off', async () => {
  const { ask } = site()
  await ask('POST /events', { json: concert })
  const day = { start_date: '2026-12-05 00:00:00', end_date: '2026-12-05 23:59:59' }
  expect((await ask('POST /events/2', { json: { all_day: true } })).body).toMatchObject({ all_day: true, ...day })
  expect((await ask('POST /events/2', { json: { all_day: false } })).body).toMatchObject({ all_day: false, ...day })
})

test('the time zone is reset without the dates in UTC, which go out of step', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, timezone: 'America/New_York' } })
  const { body } = await ask('POST /events/2', { json: { title: 'Later' } })
  expect(body).toMatchObject({ timezone: 'UTC+0', start_date: '2026-12-05 19:00:00' })
  expect(body.utc_start_date).toBe('2026-12-06 00:00:00')
})

test.each([
  ['CET', 'CET'],
  ['europe/madrid', 'CET'],
  ['UTC+5:30', 'UTC+5:30'],
  ['+02:00', '+02:00'],
])('the time zone %s is kept as typed and abbreviated %s', async (timezone, timezone_abbr) => {
  const { ask } = site()
  const { body } = await ask('POST /events', { json: { ...concert, timezone } })
  expect(body).toMatchObject({ timezone, timezone_abbr })
})

test('a venue or organizer of a name that exists is the old one, written over', async () => {
  const { ask } = site()
  await ask('POST /venues', { json: { venue: 'Hall', city: 'Vic' } })
  const again = await ask('POST /venues', { json: { venue: 'HALL', city: 'Olot' } })
  expect(again).toMatchObject({ status: 201, body: { id: 2, venue: 'Hall', city: 'Olot' } })
  const event = await ask('POST /events', { json: { ...concert, venue: { venue: 'hall', phone: '9' } } })
  expect(event.body.venue).toMatchObject({ id: 2, city: 'Olot', phone: '9' })
  await ask('DELETE /venues/2')
  expect((await ask('POST /venues', { json: { venue: 'Hall' } })).body.id).toBe(4)
})

test('a tag given by the name it has becomes a new tag named after its id; unknown ids are passed over', async () => {
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

test('terms given as objects break the site', async () => {
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

test('a venue cannot be unset, nor a description, nor an excerpt', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Hall' }, description: 'Long', excerpt: 'Short' } })
  for (const venue of ['', [], {}, '0', 0, false, null])
    expect((await ask('POST /events/3', { json: { venue } })).body.venue.venue).toBe('Hall')
  for (const json of [{ description: '' }, { excerpt: '' }, { description: null }])
    expect((await ask('POST /events/3', { json })).status).toBe(400)
})

test('a create that fails leaves the venue that was made on the way', async () => {
  const { ask } = site()
  await ask('POST /organizers', { json: { organizer: 'Choir' } })
  const json = { ...concert, venue: { venue: 'Orphan' }, organizer: '2,2' }
  expect((await ask('POST /events', { json })).body.code).toBe('could-not-create-organizer')
  expect((await ask('GET /venues')).body.venues).toMatchObject([{ venue: 'Orphan' }])
  expect((await ask('GET /events')).body.total).toBe(0)
})

test('drafts have no slug and no address, and get both when they are published', async () => {
  const { ask } = site()
  const { body: draft } = await ask('POST /events', { json: { ...concert, status: 'draft' } })
  const address = 'http://calendar.test/?post_type=tribe_events&p=2'
  expect(draft).toMatchObject({ slug: '', date_utc: '0000-00-00 00:00:00', url: address, website: address })
  expect((await ask('POST /events/2', { json: {} })).body).toMatchObject({ status: 'publish', slug: 'concert' })
  expect((await ask('POST /venues', { json: { venue: 'Hall', status: 'draft' } })).body.slug).toBe('hall')
})

test.each(['auto-draft', 'inherit'])('the status %s, which WordPress gives by itself, is accepted', async status => {
  const { ask } = site()
  expect((await ask('POST /events', { json: { ...concert, status } })).body).toMatchObject({
    status,
    url: 'http://calendar.test/?post_type=tribe_events&p=2',
  })
  expect((await ask('GET /events')).body.total).toBe(0)
})

test('an update brings a trashed event back as published', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, status: 'private' } })
  expect((await ask('DELETE /events/2')).body.slug).toBe('concert__trashed')
  expect((await ask('POST /events/2', { json: {} })).body).toMatchObject({ status: 'publish', slug: 'concert' })
})

test('an id or a slug in the body says which record is meant', async () => {
  const { ask } = site()
  await ask('POST /events', { json: concert })
  await ask('POST /events', { json: { ...concert, title: 'Opera' } })
  expect((await ask('POST /events/3', { json: { id: 2, title: 'Other' } })).body).toMatchObject({
    id: 2,
    title: 'Other',
  })
  expect(await ask('POST /events/by-slug/opera', { json: { slug: 'other' } })).toMatchObject({
    status: 404,
    body: { code: 'rest-event-not-found', message: 'Event with ID 0 does not exist.' },
  })
})

test.each([
  [{ image: 1 }, 'image is not of type string.'],
  [{ image: false }, 'image is not of type string.'],
  [{ image: '' }, 'Invalid parameter.'],
  [{ image: '99' }, 'Invalid parameter.'],
  [{ title: '' }, 'Invalid parameter.'],
  [{ title: '0' }, 'Invalid parameter.'],
  [{ title: 5 }, 'Invalid parameter.'],
  [{ slug: '' }, 'Invalid parameter.'],
  [{ description: '' }, 'Invalid parameter.'],
  [{ description: null }, 'description is not of type string.'],
  [{ excerpt: '' }, 'Invalid parameter.'],
  [{ status: '' }, 'Invalid parameter.'],
  [{ author: 'admin' }, 'Invalid parameter.'],
  [{ start_date: 1796464800 }, 'start_date is not of type string.'],
  [{ all_day: 'yes' }, 'all_day is not of type boolean.'],
  [{ featured: [] }, 'featured is not of type boolean.'],
  [{ timezone: 'Mars/Olympus' }, 'Invalid parameter.'],
  [{ website: 'example.org' }, 'Invalid parameter.'],
  [{ website: 'javascript:alert(1)' }, 'Invalid parameter.'],
  [{ website: 'https://example.org/è' }, 'Invalid parameter.'],
])('%j is refused: %s', async (json, problem) => {
  const { ask } = site()
  const [name] = Object.keys(json)
  const { status, body } = await ask('POST /events', { json: { ...concert, ...json } })
  expect([status, body.code, body.message]).toEqual([400, 'rest_invalid_param', `Invalid parameter(s): ${name}`])
  expect(body.data.params).toEqual({ [`${name}`]: problem })
})

test('wrong types are only told when nothing else is wrong', async () => {
  const { ask } = site()
  const { body } = await ask('POST /events', { json: { ...concert, image: 5, all_day: 'yes', title: '' } })
  expect(body.data).toEqual({ status: 400, params: { title: 'Invalid parameter.' }, details: [] })
})

test('names of spaces are noticed too late', async () => {
  const { ask } = site()
  expect(await ask('POST /events', { json: { ...concert, title: '  ' } })).toMatchObject({
    status: 500,
    body: { code: 'empty_content', message: 'Content, title, and excerpt are empty.', data: null },
  })
  expect((await ask('POST /tags', { json: { name: ' ' } })).body).toMatchObject({ code: 'empty_term_name', data: null })
  expect((await ask('POST /venues', { json: { venue: ' ' } })).body.code).toBe('could-not-create-venue')
  expect((await ask('POST /organizers', { json: { organizer: ' ' } })).body.code).toBe('could-not-create-organizer')
})

test('venues want texts where events take true and false', async () => {
  const { ask } = site()
  const { body } = await ask('POST /venues', { json: { venue: 'Hall', show_map: false, zip: 8500 } })
  expect(body.data.params).toEqual({
    show_map: 'show_map is not of type string.',
    zip: 'zip is not of type string.',
  })
})

test('terms may take the name of another, but not its slug', async () => {
  const { ask } = site()
  for (const name of ['Jazz', 'Rock']) await ask('POST /tags', { json: { name } })
  expect((await ask('POST /tags/1', { json: { name: 'Rock' } })).body).toMatchObject({ name: 'Rock', slug: 'jazz' })
  expect(await ask('POST /tags/1', { json: { slug: 'rock' } })).toMatchObject({
    status: 500,
    body: { code: 'duplicate_term_slug', data: null },
  })
  expect((await ask('POST /tags', { json: { name: 'rock' } })).body).toMatchObject({ code: 'term_exists' })
  expect((await ask('POST /tags', { json: { name: 'Blues', slug: 'rock' } })).body.slug).toBe('rock-2')
  expect((await ask('POST /tags', { json: { name: 'Soul', parent: 1 } })).body.code).toBe(
    'rest_taxonomy_not_hierarchical',
  )
})

test('a category cannot go back to the top, nor below itself', async () => {
  const { ask } = site()
  await ask('POST /categories', { json: { name: 'Music' } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })
  expect((await ask('POST /categories/2', { json: { parent: 0 } })).body.data.params).toHaveProperty('parent')
  expect((await ask('POST /categories/2', { json: { parent: 2 } })).body).toMatchObject({ parent: 1 })
  expect((await ask('POST /categories/2', { json: { description: '' } })).status).toBe(400)
})
