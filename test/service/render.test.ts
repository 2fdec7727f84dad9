import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'
import { usersOf } from '../support/users.ts'

const users = usersOf('editor')
const editor = { authorization: `Basic ${btoa('editor:secret')}` }

test('an event has every key, in the order of production', async () => {
  const { ask } = testService()
  const { body } = await ask('POST /events', { json: concert })
  expect(body).toEqual({
    id: 1,
    global_id: 'calendar.test?id=1',
    global_id_lineage: ['calendar.test?id=1'],
    author: '1',
    status: 'publish',
    date: '2026-11-21 03:00:00',
    date_utc: '2026-11-21 02:00:00',
    modified: '2026-11-21 03:00:00',
    modified_utc: '2026-11-21 02:00:00',
    url: 'http://calendar.test/event/concert/',
    rest_url: 'http://calendar.test/calendar/events/v1/events/1',
    title: 'Concert',
    description: '',
    excerpt: '',
    slug: 'concert',
    image: false,
    all_day: false,
    start_date: '2026-12-05 19:00:00',
    start_date_details: { year: '2026', month: '12', day: '05', hour: '19', minutes: '00', seconds: '00' },
    end_date: '2026-12-05 21:00:00',
    end_date_details: { year: '2026', month: '12', day: '05', hour: '21', minutes: '00', seconds: '00' },
    utc_start_date: '2026-12-05 18:00:00',
    utc_start_date_details: { year: '2026', month: '12', day: '05', hour: '18', minutes: '00', seconds: '00' },
    utc_end_date: '2026-12-05 20:00:00',
    utc_end_date_details: { year: '2026', month: '12', day: '05', hour: '20', minutes: '00', seconds: '00' },
    timezone: 'Europe/Madrid',
    timezone_abbr: 'CET',
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: '',
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    event_status: '',
    event_status_reason: '',
    cost_description: '',
    date_time_separator: '',
    time_range_separator: '',
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    lang_code: 'ca',
  })
  expect(Object.keys(body).slice(0, 4)).toEqual(['id', 'global_id', 'global_id_lineage', 'author'])
  expect(Object.keys(body).slice(-4)).toEqual(['venue', 'organizer', 'custom_fields', 'lang_code'])
})

test('texts are rendered as they were stored', async () => {
  const { ask } = testService()
  const texts = { title: '«A» & B -- <b>c</b>', description: 'Dues\n\nlínies & més', excerpt: '"Curt"' }
  expect((await ask('POST /events', { json: { ...concert, ...texts } })).body).toMatchObject(texts)
})

test('a venue and an organizer have no keys for empty fields', async () => {
  const { ask } = testService()
  const { body: venue } = await ask('POST /venues', { json: { venue: 'Sala', city: 'Vic', province: 'Barcelona' } })
  expect(Object.keys(venue)).toEqual([
    ...['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue', 'slug'],
    ...[
      'city',
      'province',
      'stateprovince',
      'show_map',
      'show_map_link',
      'global_id',
      'global_id_lineage',
      'lang_code',
    ],
  ])
  expect(venue).toMatchObject({ stateprovince: 'Barcelona', url: 'http://calendar.test/venue/sala/' })
  const { body: organizer } = await ask('POST /organizers', { json: { organizer: 'Cor' } })
  expect(Object.keys(organizer)).toEqual([
    ...['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'organizer', 'slug'],
    ...['global_id', 'global_id_lineage', 'lang_code'],
  ])
})

test('a category has its links, its parent, and the count of its published events', async () => {
  const { ask } = testService()
  await ask('POST /categories', { json: { name: 'Música' } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })
  await ask('POST /events', { json: { ...concert, categories: [2] } })
  await ask('POST /events', { json: { ...concert, categories: [2], status: 'draft' } })
  const { body } = await ask('GET /categories/2')
  expect(body).toEqual({
    id: 2,
    count: 1,
    description: '',
    name: 'Jazz',
    slug: 'jazz',
    taxonomy: 'tribe_events_cat',
    parent: 1,
    meta: [],
    url: 'http://calendar.test/events/category/musica/jazz/',
    urls: {
      self: 'http://calendar.test/calendar/events/v1/categories/2',
      collection: 'http://calendar.test/calendar/events/v1/categories',
      up: 'http://calendar.test/calendar/events/v1/categories/1',
    },
    lang_code: 'ca',
    _links: {
      self: [{ href: 'http://calendar.test/calendar/events/v1/categories/2' }],
      collection: [{ href: 'http://calendar.test/calendar/events/v1/categories' }],
      up: [{ href: 'http://calendar.test/calendar/events/v1/categories/1' }],
    },
  })
})

test('an event has its terms by name, its venue, and its organizers in the given order', async () => {
  const { ask } = testService()
  await ask('POST /tags', { json: { name: 'zebra' } })
  await ask('POST /tags', { json: { name: 'Àliga' } })
  await ask('POST /organizers', { json: { organizer: 'Primer' } })
  const { body } = await ask('POST /events', {
    json: { ...concert, tags: [1, 2], venue: { venue: 'Sala' }, organizer: [{ organizer: 'Segon' }, 1] },
  })
  expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['Àliga', 'zebra'])
  expect(body.tags[0]).toMatchObject({ id: 2, taxonomy: 'post_tag', parent: 0, count: 1, filter: 'raw' })
  expect(body.venue).toMatchObject({ venue: 'Sala', show_map: true })
  expect(body.organizer.map(({ organizer }: { organizer: string }) => organizer)).toEqual(['Segon', 'Primer'])
})

test('linked records are rendered as they are now', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Sala' }, tags: ['jazz'] } })
  const carried = async () => {
    const { body } = await ask('GET /events/2')
    return { venue: body.venue.venue, name: body.tags[0].name, count: body.tags[0].count }
  }
  expect(await carried()).toEqual({ venue: 'Sala', name: 'jazz', count: 1 })
  await ask('PATCH /venues/1', { json: { venue: 'Sala Gran' } })
  await ask('PATCH /tags/1', { json: { name: 'Jazz!' } })
  await ask('POST /events', { json: { ...concert, tags: [1] } })
  expect(await carried()).toEqual({ venue: 'Sala Gran', name: 'Jazz!', count: 2 })
})

test('an event does not show a trashed venue or organizer', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Sala' }, organizer: { organizer: 'Cor' } } })
  await ask('DELETE /venues/1')
  await ask('DELETE /organizers/2')
  expect((await ask('GET /events/3')).body).toMatchObject({ venue: [], organizer: [] })
})

test('drafts and trashed records have no page, and the trash renames slugs', async () => {
  const { ask } = testService()
  const { body: draft } = await ask('POST /events', { json: { ...concert, status: 'draft' } })
  expect(draft).toMatchObject({
    slug: 'concert',
    url: 'http://calendar.test/?post_type=tribe_events&p=1',
    date_utc: '0000-00-00 00:00:00',
  })
  expect((await ask('DELETE /events/1')).body).toMatchObject({ status: 'trash', slug: 'concert__trashed' })
})

test('an image has the properties that are known', async () => {
  const { ask } = testService()
  const { body } = await ask('POST /events', { json: { ...concert, image: 'https://example.org/Poster.PNG?v=2' } })
  expect(body.image).toEqual({
    url: 'https://example.org/Poster.PNG?v=2',
    id: 1,
    extension: 'png',
    width: null,
    height: null,
    filesize: null,
    sizes: null,
  })
})

for (const [cost, symbol, position, values] of [
  ['15', '', '', ['15']],
  ['20 €', '€', 'postfix', ['20']],
  ['€20', '€', 'prefix', ['20']],
  ['20 EUR', 'EUR', 'postfix', ['20']],
  ['10 - 20', '', '', ['10', '20']],
  ['12,50 €', '€', 'postfix', ['12.50']],
  ['1,234.56', '', '', ['1234.56']],
  ['Gratuït', '', '', ['gratuit']],
] as const)
  test(`the cost ${cost} is split into parts`, async () => {
    const { body } = await testService().ask('POST /events', { json: { ...concert, cost } })
    expect(body.cost).toBe(cost)
    expect(body.cost_details).toEqual({
      currency_symbol: symbol,
      currency_code: '',
      currency_position: position,
      values,
    })
  })

test('other languages have URLs of their own, also below a base path', async () => {
  const { ask } = testService({ baseUrl: 'https://example.org/wp-json' })
  const { body } = await ask('POST /events?lang_code=en', { json: concert })
  expect(body).toMatchObject({
    url: 'https://example.org/en/event/concert/',
    rest_url: 'https://example.org/wp-json/en/calendar/events/v1/events/1',
    global_id: 'example.org?id=1',
  })
})

test('public lists show only the dates of an event with a password', async () => {
  const { ask, store } = testService({ users })
  await ask('POST /events', { headers: editor, json: { ...concert, description: 'Sorpresa', tags: ['jazz'] } })
  const row = store.table('events').get(1)
  if (row) await store.write(({ put }) => put('events', { ...row, post_password: 'sesam' }))
  const { body } = await ask('GET /events')
  expect(body.events[0]).toMatchObject({
    title: 'Concert',
    start_date: '2026-12-05 19:00:00',
    description: '',
    tags: [],
  })
  expect(body.events[0].featured).toBeNull()
  expect((await ask('GET /events?search=sorpresa')).body.total).toBe(0)
  expect((await ask('GET /events/1?password=sesam')).body.description).toBe('Sorpresa')
  expect((await ask('GET /events', { headers: editor })).body.events[0].description).toBe('Sorpresa')
})

test('_fields selects keys of a response, also nested ones, but not within the rows of a list', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Sala', city: 'Girona' }, tags: ['jazz'] } })
  expect((await ask('GET /events/2?_fields=title,id,venue.city')).body).toEqual({
    ...{ id: 2, title: 'Concert', venue: { city: 'Girona' } },
  })
  expect((await ask('GET /events/2?_fields=tags.id,unheard_of')).body).toEqual({ tags: [] })
  expect((await ask('GET /events?_fields=total,events.id')).body).toEqual({ events: [], total: 1 })
  expect((await ask('PUT /events/2?_fields=title', { json: { title: 'Òpera' } })).body).toEqual({ title: 'Òpera' })
})

test('_envelope puts status and headers into the body, and _pretty indents it', async () => {
  const { ask, send } = testService()
  expect(await ask('POST /tags?_envelope', { json: { name: 'Jazz' } })).toMatchObject({
    status: 200,
    body: { body: { id: 1, name: 'Jazz' }, status: 201, headers: { Allow: 'GET, POST' } },
  })
  expect((await send('GET /tags/1?_pretty=1&_fields=id')).body).toBe('{\n    "id": 1\n}')
})
