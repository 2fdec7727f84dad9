import { expect, onTestFinished, test, vi } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

/** A calendar in the production dialect, with an image that has the ID 1. */
const site = () =>
  testService({
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

test('false and null among terms count as none, as in PHP', async () => {
  const { ask } = site()
  await ask('POST /events', { json: full })
  const { status, body } = await ask('POST /events', { json: { ...concert, categories: [null, true], tags: false } })
  expect({ status, categories: body.categories, tags: body.tags }).toMatchObject({
    ...{ status: 201, categories: [{ id: 1 }], tags: [] },
  })
})

test.each([{ tags: ['a\0'] }, { categories: 'Jazz,\ud800' }, { cost: ['15', '\0'] }, { image: '9007199254740993' }])(
  'what a file cannot hold is refused: %j',
  async value => {
    const { ask } = site()
    const { body } = await ask('POST /events', { json: { ...concert, ...value } })
    expect(Object.keys(body.data.params)).toEqual(Object.keys(value))
  },
)

test('dates must be between the years 1 and 9999, in the time zone and in UTC', async () => {
  const { ask } = site()
  const dates = { start_date: '0001-01-01', end_date: '9999-12-31 23:59:59' }
  expect((await ask('POST /events', { json: { ...dates, title: 'Long', timezone: 'UTC-3' } })).body).toMatchObject({
    utc_start_date: '0001-01-01 03:00:00',
    utc_end_date: '9999-12-31 23:59:59',
  })
})

test('an update that sends everything again changes nothing', async () => {
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

test('a start or an end alone is ignored', async () => {
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

/** A wall time that does not exist in the zone, because its clocks skip it. */
const skippedTimes = [
  ['America/New_York', '14 March 2027 2:30am', '2027-03-14 02:30:00'],
  ['Europe/Madrid', '28 March 2027 2:30am', '2027-03-28 02:30:00'],
  ['Europe/Madrid', '5 January 1890 2:30am', '1890-01-05 02:30:00'],
]

test.each(skippedTimes)('on a machine in %s, the date %s is read as %s', async (zone, written, read) => {
  vi.stubEnv('TZ', zone)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { ask } = site()
  const json = { title: 'At night', start_date: written, end_date: '9999-12-31 10:00:00' }
  expect(await ask('POST /events', { json })).toMatchObject({ status: 201, body: { start_date: read } })
  expect(process.env.TZ).toBe(zone)
  expect(new Date(2027, 0, 1).getHours()).toBe(0)
  expect(new Date(2027, 0, 1).getTimezoneOffset()).not.toBe(0)
})

test.each(['32/13/2026', 'zzz', '', 'never'])('the date %j is refused', async start_date => {
  const { ask } = site()
  expect(await ask('POST /events', { json: { ...concert, start_date } })).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { start_date: 'Invalid parameter.' }, details: [] } },
  })
})

test('all_day extends an event to whole days, and turning it off keeps the dates', async () => {
  const { ask } = site()
  await ask('POST /events', { json: concert })
  const day = { start_date: '2026-12-05 00:00:00', end_date: '2026-12-05 23:59:59' }
  expect((await ask('POST /events/2', { json: { all_day: true } })).body).toMatchObject({ all_day: true, ...day })
  expect((await ask('POST /events/2', { json: { all_day: false } })).body).toMatchObject({ all_day: false, ...day })
})

test('an update resets the time zone but not the dates in UTC', async () => {
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

test('drafts have no slug and no URL, and get both when they are published', async () => {
  const { ask } = site()
  const { body: draft } = await ask('POST /events', { json: { ...concert, status: 'draft' } })
  const address = 'http://calendar.test/?post_type=tribe_events&p=2'
  expect(draft).toMatchObject({ slug: '', date_utc: '0000-00-00 00:00:00', url: address, website: address })
  expect((await ask('POST /events/2', { json: {} })).body).toMatchObject({ status: 'publish', slug: 'concert' })
  expect((await ask('POST /venues', { json: { venue: 'Hall', status: 'draft' } })).body.slug).toBe('hall')
})

test.each(['auto-draft', 'inherit'])('the status %s, which WordPress assigns itself, is accepted', async status => {
  const { ask } = site()
  expect((await ask('POST /events', { json: { ...concert, status } })).body).toMatchObject({
    status,
    url: 'http://calendar.test/?post_type=tribe_events&p=2',
  })
  expect((await ask('GET /events')).body.total).toBe(0)
})

test('an update restores a trashed event as published', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, status: 'private' } })
  expect((await ask('DELETE /events/2')).body.slug).toBe('concert__trashed')
  expect((await ask('POST /events/2', { json: {} })).body).toMatchObject({ status: 'publish', slug: 'concert' })
})

test('an id or a slug in the body overrides the path', async () => {
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
