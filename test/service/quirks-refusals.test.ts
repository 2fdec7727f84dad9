import { expect, test } from 'vitest'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'
import { concert, testService } from '../support/test-service.ts'

const site = () => testService({ quirks: true, site: { timezone: 'UTC+0' } })

test.each([
  [{ image: 1 }, 'image is not of type string.'],
  [{ image: false }, 'image is not of type string.'],
  [{ image: '' }, 'Invalid parameter.'],
  [{ image: '0' }, 'Invalid parameter.'],
  [{ image: 'nope' }, 'Invalid parameter.'],
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

test('wrong types are reported only if nothing else is wrong', async () => {
  const { ask } = site()
  const { body } = await ask('POST /events', { json: { ...concert, image: 5, all_day: 'yes', title: '' } })
  expect(body.data).toEqual({ status: 400, params: { title: 'Invalid parameter.' }, details: [] })
})

test('a name of spaces passes the check of parameters and fails later', async () => {
  const { ask } = site()
  expect(await ask('POST /events', { json: { ...concert, title: '  ' } })).toMatchObject({
    status: 500,
    body: { code: 'empty_content', message: 'Content, title, and excerpt are empty.', data: null },
  })
  expect((await ask('POST /tags', { json: { name: ' ' } })).body).toMatchObject({ code: 'empty_term_name', data: null })
  expect((await ask('POST /venues', { json: { venue: ' ' } })).body.code).toBe('could-not-create-venue')
  expect((await ask('POST /organizers', { json: { organizer: ' ' } })).body.code).toBe('could-not-create-organizer')
})

test('venues require texts where events accept true and false', async () => {
  const { ask } = site()
  const { body } = await ask('POST /venues', { json: { venue: 'Hall', show_map: false, zip: 8500 } })
  expect(body.data.params).toEqual({
    show_map: 'show_map is not of type string.',
    zip: 'zip is not of type string.',
  })
})

test('a term may take the name of another, but not its slug', async () => {
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

test('a category cannot lose its parent or be moved below itself', async () => {
  const { ask } = site()
  await ask('POST /categories', { json: { name: 'Music' } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })
  expect((await ask('POST /categories/2', { json: { parent: 0 } })).body.data.params).toHaveProperty('parent')
  expect((await ask('POST /categories/2', { json: { parent: 2 } })).body).toMatchObject({ parent: 1 })
  expect((await ask('POST /categories/2', { json: { description: '' } })).status).toBe(400)
})

const root = (options: Parameters<typeof testService>[0]) => {
  const { service } = testService({ baseUrl: 'http://calendar.test/wp-json', namespace: 'tribe/events/v1', ...options })
  return async (path: string, query = '') => {
    const { status, body } = await service({ method: 'GET', path, query })
    return { status, body: JSON.parse(String(body)) }
  }
}

test('the index of a site names its APIs, and the page where a person allows an application', async () => {
  const get = root({ quirks: true, site: { timezone: 'UTC+2' } })
  expect((await get('/')).body).toMatchObject({
    home: 'http://calendar.test',
    gmt_offset: '2',
    timezone_string: '',
    namespaces: ['tribe/events/v1', 'wp/v2'],
    authentication: {
      'application-passwords': {
        endpoints: { authorization: 'http://calendar.test/wp-admin/authorize-application.php' },
      },
    },
  })
  expect((await get('/', '_fields=namespaces')).body).toEqual({ namespaces: ['tribe/events/v1', 'wp/v2'] })
})

test('a site can be without wp/v2', async () => {
  const get = root({ quirks: true, noWordPress: true })
  expect((await get('/')).body).toMatchObject({ namespaces: ['tribe/events/v1'] })
  expect(await get('/wp/v2/types')).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
  expect((await get('/tribe/events/v1/events')).status).toBe(200)
})

/** Values that production accepts and the documentation does not. */
const events = [
  { status: 'inherit', website: 'ftp://example.org/programme', timezone: '+02:00', image: 'https://[' },
  { status: 'auto-draft' },
  { status: 'pending', title: ' ', description: 'Without a title' },
]

test('the file of a calendar that follows production can be edited by hand', async () => {
  const { open, edit } = tempCalendarFile()
  const store = await open({ site: { timezone: 'Europe/Madrid', quirks: true } })
  const { ask } = testService({ store, quirks: true })
  for (const event of events) expect((await ask('POST /events', { json: { ...concert, ...event } })).status).toBe(201)
  await ask('POST /venues', { json: { venue: 'Hall', website: 'gopher://example.org' } })
  const before = store.snapshot()
  await store.close()
  edit(text => text.replace('Without a title', 'Without a name'))
  const again = await open({ site: {} })
  expect(again.snapshot()).toEqual({
    ...before,
    rows: {
      ...before.rows,
      events: before.rows.events.map(event => ({
        ...event,
        description: event.description.replace('Without a title', 'Without a name'),
      })),
    },
  })
  await again.close()
})

test('the file of a calendar whose places lost their names over wp/v2 can be edited by hand', async () => {
  const { open, edit } = tempCalendarFile()
  const store = await open({ site: { timezone: 'Europe/Madrid', quirks: true } })
  const { ask, service } = testService({ store, quirks: true })
  await ask('POST /venues', { json: { venue: 'Hall', description: 'By the river' } })
  await ask('POST /organizers', { json: { organizer: 'Choir', description: 'Since 1904' } })
  for (const path of ['/wp/v2/tribe_venue/1', '/wp/v2/tribe_organizer/2']) {
    const headers = { 'content-type': 'application/json' }
    expect(await service({ method: 'POST', path, headers, body: '{"title":""}' })).toMatchObject({ status: 200 })
  }
  await store.close()
  edit(text => text.replace('Since 1904', 'Since 1905'))
  const again = await open({ site: {} })
  expect(again.snapshot().rows).toMatchObject({
    venues: [{ venue: '', description: 'By the river' }],
    organizers: [{ organizer: '', description: 'Since 1905' }],
  })
  await again.close()
})
