import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

const site = (timezone = 'UTC+0') => testService({ quirks: true, site: { timezone }, perPage: 10 })

type Ask = ReturnType<typeof site>['ask']

const event = (title: string, start_date: string, more: object = {}) => ({
  title,
  start_date,
  end_date: `${start_date.slice(0, 10)} 23:00:00`,
  ...more,
})

async function create(ask: Ask, ...events: object[]) {
  for (const json of events) expect((await ask('POST /events', { json })).status).toBe(201)
}

const titles = async (ask: Ask, query: string): Promise<string[]> =>
  (await ask(`GET /events?${query}`)).body.events.map(({ title }: { title: string }) => title)

test('page links of events carry parsed dates, and drop categories, tags and strict_dates', async () => {
  const { ask } = site()
  await create(ask, ...[1, 2, 3].map(n => event(`${n}`, `2026-12-0${n} 10:00:00`, { categories: ['Jazz'] })))
  const base = 'http://calendar.test/calendar/events/v1/events/'
  expect((await ask('GET /events?categories=jazz&per_page=1&page=2')).body).toMatchObject({
    rest_url: `${base}?page=2&per_page=1&start_date=2026-11-20 00:00:00&end_date=2028-11-21 23:59:59&status=any`,
    next_rest_url: `${base}?per_page=1&start_date=2026-11-20+00%3A00%3A00&end_date=2028-11-21+23%3A59%3A59&status=any&page=3`,
    previous_rest_url: `${base}?per_page=1&start_date=2026-11-20+00%3A00%3A00&end_date=2028-11-21+23%3A59%3A59&status=any`,
  })
})

test('filtering by venue or featured encodes the URL of a list', async () => {
  const { ask } = site()
  await ask('POST /venues', { json: { venue: 'Hall' } })
  const base = 'http://calendar.test/calendar/events/v1/events/?page=1&per_page=10'
  const window = 'start_date=2026-11-20+00%3A00%3A00&end_date=2028-11-21+23%3A59%3A59'
  expect((await ask('GET /events?venue=1')).body.rest_url).toBe(`${base}&${window}&status=any&venue=1`)
  expect((await ask('GET /events?featured=true')).body.rest_url).toBe(`${base}&${window}&status=any&featured=1`)
  expect((await ask('GET /events?featured=false')).body.rest_url).toBe(`${base}&${window}&status=any`)
})

test('page links of terms carry only the page, and those of venues drop the search', async () => {
  const { ask } = site()
  for (const name of ['a', 'b', 'c']) await ask('POST /tags', { json: { name } })
  expect((await ask('GET /tags?hide_empty=0&per_page=1')).body).toMatchObject({
    rest_url: 'http://calendar.test/calendar/events/v1/tags/',
    next_rest_url: 'http://calendar.test/calendar/events/v1/tags/?page=2',
  })
  for (const venue of ['Hall one', 'Hall two']) await ask('POST /venues', { json: { venue } })
  expect((await ask('GET /venues?search=hall&per_page=1&has_events=0')).body).toMatchObject({
    rest_url: 'http://calendar.test/calendar/events/v1/venues/?page=1&per_page=1&has_events=0&status=any',
    next_rest_url: 'http://calendar.test/calendar/events/v1/venues/?per_page=1&has_events=0&status=any&page=2',
  })
})

test('include does not lift the default dates; only relative date filters do', async () => {
  const { ask } = site()
  await create(
    ask,
    event('Past', '2026-01-01 10:00:00'),
    event('Yesterday', '2026-11-20 10:00:00'),
    event('Next', '2026-12-01 10:00:00'),
  )
  expect(await titles(ask, 'include=1,2,3')).toEqual(['Next'])
  expect(await titles(ask, 'include=1,2,3&start_date=2025-01-01')).toEqual(['Next'])
  expect(await titles(ask, 'include=1,2,3&starts_after=2025-01-01')).toEqual(['Past', 'Yesterday', 'Next'])
  expect(await titles(ask, '')).toEqual(['Yesterday', 'Next'])
})

test('starts_after overrides start_date', async () => {
  const { ask } = site()
  await create(ask, event('Soon', '2026-12-02 10:00:00'), event('Later', '2026-12-20 10:00:00'))
  expect(await titles(ask, 'starts_after=2026-12-01&start_date=2026-12-10')).toEqual(['Soon', 'Later'])
  expect(await titles(ask, 'start_date=2026-12-10')).toEqual(['Later'])
})

test('hidden events are in no list, and can be read by ID', async () => {
  const { ask } = site()
  await create(ask, { ...concert, hide_from_listings: true })
  expect(await titles(ask, '')).toEqual([])
  expect(await titles(ask, 'include=1')).toEqual([])
  expect((await ask('GET /events/1')).status).toBe(200)
})

test.each(['venues', 'organizers'])(
  'a search for %s without a match tells the total without the search',
  async name => {
    const { ask } = site()
    const field = name.slice(0, -1)
    for (const n of [1, 2]) await ask(`POST /${name}`, { json: { [field]: `Number ${n}` } })
    expect((await ask(`GET /${name}?search=zzz&per_page=1`)).body).toMatchObject({
      [name]: [],
      total: 2,
      total_pages: 2,
      next_rest_url: expect.stringContaining('page=2'),
    })
    expect((await ask(`GET /${name}?search=zzz&per_page=1&page=2`)).status).toBe(404)
  },
)

test('on a site outside UTC, wall times are compared, and the default dates may begin today', async () => {
  const { ask } = site('Europe/Madrid')
  await create(ask, event('Tokyo', '2028-01-11 05:00:00', { timezone: 'Asia/Tokyo' }))
  await create(ask, event('New York', '2028-01-10 22:00:00', { timezone: 'America/New_York' }))
  expect(await titles(ask, 'start_date=2028-01-11&end_date=2028-01-11')).toEqual(['Tokyo'])
  expect((await ask('GET /events')).body.rest_url).toContain('start_date=2026-11-21 00:00:00')
})

test('on a site in UTC, instants are compared', async () => {
  const { ask } = site()
  await create(ask, event('Tokyo', '2028-01-11 05:00:00', { timezone: 'Asia/Tokyo' }))
  await create(ask, { ...event('New York', '2028-01-10 22:00:00', { timezone: 'America/New_York' }) })
  expect(await titles(ask, 'start_date=2028-01-11&end_date=2028-01-11')).toEqual(['New York'])
})

test.each([
  ['start_date=2026', '1970-01-01 00:00:00'],
  ['start_date=2027-02-30', '2027-03-02 00:00:00'],
  ['start_date=%2B1%20week', '2026-11-28 00:00:00'],
  ['start_date=2026-12-01T00:00:00%2B05:00&strict_dates=1', '2026-11-30 19:00:00'],
])('%s means %s', async (query, start) => {
  const { ask } = site()
  expect((await ask(`GET /events?${query}`)).body.rest_url).toContain(`start_date=${start}`)
})

test('a search understands "phrases" and -exclusions', async () => {
  const { ask } = site()
  await create(ask, { ...concert, title: 'Jazz night' }, { ...concert, title: 'Night of jazz', excerpt: 'With paella' })
  expect(await titles(ask, 'search=%22jazz%20night%22')).toEqual(['Jazz night'])
  expect(await titles(ask, 'search=jazz%20-paella')).toEqual(['Jazz night'])
  expect(await titles(ask, 'search=paella')).toEqual(['Night of jazz'])
})

test('of several tags the first counts, of several categories any', async () => {
  const { ask } = site()
  await create(
    ask,
    { ...concert, tags: ['a'], categories: ['a'] },
    { ...concert, title: 'Opera', tags: ['b'], categories: ['b'] },
  )
  expect(await titles(ask, 'tags=a,b')).toEqual(['Concert'])
  expect(await titles(ask, 'categories=a,b')).toEqual(['Concert', 'Opera'])
})

test('only_with_upcoming looks only at the first page of upcoming events', async () => {
  const { ask } = testService({ quirks: true, site: { timezone: 'UTC+0' }, perPage: 1 })
  await create(ask, event('First', '2026-12-01 10:00:00', { venue: { venue: 'Hall' } }))
  await create(ask, event('Second', '2026-12-02 10:00:00', { venue: { venue: 'Barn' } }))
  expect((await ask('GET /venues?only_with_upcoming=1&per_page=50')).body.venues).toMatchObject([{ venue: 'Hall' }])
})

test.each([
  ['/events?ticketed=true', 'ticketed', 'Event Tickets plugin is not activated.'],
  ['/events?featured=', 'featured', 'featured is not of type boolean.'],
  ['/events?categories=nope', 'categories', 'Invalid parameter.'],
  ['/events?venue=99', 'venue', 'Invalid parameter.'],
  ['/events?include=abc', 'include', 'Invalid parameter.'],
  ['/events?include=0', 'include', 'Invalid parameter.'],
  ['/events?status=any', 'status', 'Invalid parameter.'],
  ['/events?search=', 'search', 'Invalid parameter.'],
  ['/events?start_date=', 'start_date', 'Invalid parameter.'],
  ['/events?strict_dates=', 'strict_dates', 'Invalid parameter.'],
  ['/events?post_parent=0', 'post_parent', 'Invalid parameter.'],
  ['/events?page=1.5', 'page', 'Invalid parameter.'],
  ['/tags?hide_empty=maybe', 'hide_empty', 'hide_empty is not of type boolean.'],
  ['/tags?include=99', 'include', 'Invalid parameter.'],
  ['/categories?parent=0', 'parent', 'Invalid parameter.'],
])('GET %s is refused for %s: %s', async (path, name, problem) => {
  const { ask } = site()
  expect(await ask(`GET ${path}`)).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { [name]: problem } } },
  })
})

test.each([
  '/events?include=99',
  '/events?geoloc=true',
  '/events?per_page=%2B5',
  '/tags?parent=0',
  '/tags?order=sideways',
  '/tags?orderby=bogus',
  '/venues?slug=nope',
])('GET %s is answered', async path => {
  const { ask } = site()
  expect((await ask(`GET ${path}`)).status).toBe(200)
})

test("one dialect's cached lists are not answered in the other", async () => {
  const { ask, store } = testService()
  await create(ask, event('Concert', '2026-12-01 10:00:00', { excerpt: 'jazz' }))
  const quirky = testService({ store, quirks: true })
  expect([await titles(ask, 'search=jazz'), await titles(quirky.ask, 'search=jazz')]).toEqual([[], ['Concert']])
})
