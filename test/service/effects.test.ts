/**
 * What a request does to other records than its own, as it was seen on a real site, where every table of the database was compared before and
 * after: each row is a request, and the changes of all other records.
 */
import { expect, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { testTime } from '../support/world.ts'

const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`

/** A site in which records of all kinds and of all statuses use one another. */
async function site() {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true })
  const service = createService({
    store,
    now: () => testTime,
    baseUrl: 'http://calendar.test/wp-json',
    namespace: 'tribe/events/v1',
  })
  const send = async (line: string, body?: object) => {
    const [method = '', target = ''] = line.split(' ')
    const [path = '', query = ''] = target.split('?')
    const answer = await service({
      method,
      path: path.startsWith('/wp/v2') ? path : `/tribe/events/v1${path}`,
      query,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    })
    if (answer.status >= 400) throw new Error(`${line}: ${answer.status} ${answer.body}`)
    return JSON.parse(String(answer.body))
  }
  const places = ['publish', 'draft', 'private'].map(status => ({ status }))
  for (const { status } of places) await send('POST /venues', { venue: `Hall ${status}`, status })
  for (const { status } of places) await send('POST /organizers', { organizer: `Club ${status}`, status })
  await send('POST /categories', { name: 'Music' })
  await send('POST /categories', { name: 'Jazz', parent: 1 })
  await send('POST /categories', { name: 'Swing', parent: 2 })
  await send('POST /tags', { name: 'Open air' })
  const image = await service({
    method: 'POST',
    path: '/wp/v2/media',
    query: '',
    headers: { authorization, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' },
    body: onePixel,
  })
  const { id } = JSON.parse(String(image.body))
  for (const status of ['publish', 'draft', 'private', 'pending'])
    for (const venue of [1, 2])
      await send('POST /events', {
        title: `${status} ${venue}`,
        start_date: '2027-02-01 10:00:00',
        end_date: '2027-02-01 11:00:00',
        status,
        venue,
        organizer: [4, 5],
        categories: [2],
        tags: [4],
        image: String(id),
      })
  const rows = () => {
    const all: Record<string, Record<string, unknown>> = {}
    for (const [table, list] of Object.entries(store.snapshot().rows))
      for (const row of list) all[`${table} ${row.id}`] = { ...row }
    return all
  }
  return { send, rows, image: id as number }
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The rows that differ, with the names of their columns. */
function changes(before: Record<string, Record<string, unknown>>, after: Record<string, Record<string, unknown>>) {
  const changed: Record<string, string[]> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [then = {}, now = {}] = [before[key], after[key]]
    const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].filter(
      name => JSON.stringify(then[name]) !== JSON.stringify(now[name]),
    )
    if (!(key in after)) changed[key] = ['gone']
    else if (!(key in before)) changed[key] = ['new']
    else if (names.length > 0) changed[key] = names
  }
  return changed
}

const event = (title: string) => ({
  title,
  start_date: '2027-02-01 10:00:00',
  end_date: '2027-02-01 11:00:00',
})

/** The request, the record that it is about, what changes in others, and the body. */
type Effect = [request: string, own: string, others: Readonly<Record<string, string[]>>, body?: object]

const effects: readonly Effect[] = [
  // Links of public and private events; drafts and pending events keep theirs.
  ['DELETE /venues/1', 'venues 1', { 'events 8': ['venue'], 'events 12': ['venue'] }],
  ['DELETE /wp/v2/tribe_venue/1', 'venues 1', { 'events 8': ['venue'], 'events 12': ['venue'] }],
  [
    'DELETE /organizers/4',
    'organizers 4',
    Object.fromEntries([8, 9, 12, 13].map(id => [`events ${id}`, ['organizer']])),
  ],
  // On a real site these IDs stay and lead nowhere, which a calendar file does not allow.
  [
    'DELETE /wp/v2/tribe_venue/1?force=true',
    'venues 1',
    Object.fromEntries([8, 10, 12, 14].map(id => [`events ${id}`, ['venue']])),
  ],
  [
    'DELETE /wp/v2/tribe_organizer/4?force=true',
    'organizers 4',
    Object.fromEntries([8, 9, 10, 11, 12, 13, 14, 15].map(id => [`events ${id}`, ['organizer']])),
  ],
  // A published event publishes what it had before the request, whatever is updated.
  ['POST /events/9', 'events 9', { 'venues 2': ['status'], 'organizers 5': ['status'] }, { title: 'New' }],
  ['POST /wp/v2/tribe_events/9', 'events 9', { 'venues 2': ['status'], 'organizers 5': ['status'] }, { title: 'New' }],
  [
    'POST /wp/v2/tribe_events/11',
    'events 11',
    { 'venues 2': ['status'], 'organizers 5': ['status'] },
    { status: 'publish' },
  ],
  ['POST /wp/v2/tribe_events/8', 'events 8', { 'organizers 5': ['status'] }, { meta: { _EventVenueID: 3 } }],
  ['POST /wp/v2/tribe_events/11', 'events 11', {}, { title: 'New' }],
  ['POST /wp/v2/tribe_events/9', 'events 9', {}, { status: 'private' }],
  ['POST /wp/v2/tribe_events/9', 'events 9', {}, { status: 'pending' }],
  ['POST /events/13', 'events 13', {}, { title: 'New', status: 'private' }],
  ['DELETE /events/9', 'events 9', {}],
  ['DELETE /wp/v2/tribe_events/9?force=true', 'events 9', {}],
  ['POST /events', 'events 16', {}, { ...event('New'), venue: 2, organizer: [5] }],
  // The children of a category move to its parent.
  [
    'DELETE /categories/2',
    'categories 2',
    {
      'categories 3': ['parent'],
      ...Object.fromEntries([8, 9, 10, 11, 12, 13, 14, 15].map(id => [`events ${id}`, ['categories']])),
    },
  ],
  [
    'DELETE /tags/4',
    'tags 4',
    Object.fromEntries([8, 9, 10, 11, 12, 13, 14, 15].map(id => [`events ${id}`, ['tags']])),
  ],
  [
    'DELETE /wp/v2/media/7?force=true',
    'images 7',
    Object.fromEntries([8, 9, 10, 11, 12, 13, 14, 15].map(id => [`events ${id}`, ['image']])),
  ],
  // A venue of a known name is overwritten, not doubled.
  [
    'POST /events',
    'events 16',
    { 'venues 1': ['city'] },
    { ...event('New'), venue: { venue: 'Hall publish', city: 'Olot' } },
  ],
  ['POST /wp/v2/tribe_venue/1', 'venues 1', {}, { title: 'New' }],
  ['POST /venues/2', 'venues 2', {}, { venue: 'New', status: 'publish' }],
]

test.each<Effect>([...effects])('%s changes %s, and in other records %o', async (request, own, others, body) => {
  const { send, rows } = await site()
  const before = rows()
  await send(request, body)
  const changed = changes(before, rows())
  const found = Object.entries(changed).flatMap(([key, names]) => {
    // When a record was saved is no change of its content.
    const named = names.filter(name => !name.startsWith('modified'))
    return key === own || named.length === 0 ? [] : [[key, named] as const]
  })
  expect(Object.fromEntries(found)).toEqual(others)
  expect(Object.keys(changed)).toContain(own)
})
