import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'
import { usersOf } from '../support/users.ts'

const users = usersOf('editor')
const editor = { authorization: `Basic ${btoa('editor:secret')}` }

/** The IDs of a list, or the names of the refused parameters. */
async function idsOf(answer: Promise<{ body: Record<string, unknown> }>) {
  const { body } = await answer
  const list = Object.values(body).find(Array.isArray)
  const data = body.data as { params?: object } | undefined
  return list ? list.map(({ id }) => id) : Object.keys(data?.params ?? {})
}

/** Two venues, two organizers, a category with a child, two tags, and five events that use them differently. */
async function agenda() {
  const { ask, store } = testService()
  await ask('POST /categories', { json: { name: 'Música' } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })
  await ask('POST /tags', { json: { name: 'Gratuït', description: 'No costa res' } })
  await ask('POST /tags', { json: { name: 'nit', slug: 'de-nit' } })
  await ask('POST /venues', { json: { venue: 'Auditori', city: 'Girona' } })
  await ask('POST /venues', { json: { venue: 'Plaça', city: 'Olot' } })
  await ask('POST /organizers', { json: { organizer: 'Cor', email: 'cor@example.org' } })
  await ask('POST /organizers', { json: { organizer: 'Orquestra' } })
  const create = (title: string, more: object = {}) => ask('POST /events', { json: { ...concert, title, ...more } })
  await create('Gospel', { venue: 1, organizer: [3], categories: [1], tags: [3], description: 'Cançons de l’ànima' })
  await create('Blues', { venue: 2, organizer: [3, 4], categories: [2], tags: [3, 4], featured: true })
  await create('Teatre', { venue: 1, organizer: [4] })
  await create('Esborrany', { status: 'draft', categories: [2] })
  await create('Amagat', { hide_from_listings: true })
  const list = (line: string) => idsOf(ask(`GET ${line}`))
  return { ask, store, list }
}

test('events match any value of a filter of linked records, and all such filters', async () => {
  const { list } = await agenda()
  expect(await list('/events?venue=1')).toEqual([5, 7])
  expect(await list('/events?venue=1,2')).toEqual([5, 6, 7])
  expect(await list('/events?venue[]=1&venue[]=2&organizer=4')).toEqual([6, 7])
  expect(await list('/events?tags=3,4')).toEqual([5, 6])
  expect(await list('/events?tags=de-nit')).toEqual([6])
  expect(await list('/events?organizer=3&tags=gratuït&featured=false')).toEqual([5])
})

test('filtering by a category includes those below it', async () => {
  const { list } = await agenda()
  expect(await list('/events?categories=1')).toEqual([5, 6, 8])
  expect(await list('/events?categories=Música')).toEqual([5, 6, 8])
  expect(await list('/events?categories=jazz')).toEqual([6, 8])
})

test('events are filtered by flags and by search', async () => {
  const { list } = await agenda()
  expect(await list('/events?featured=1')).toEqual([6])
  expect(await list('/events?search=ANIMA')).toEqual([5])
  expect(await list('/events?search=gospel cançons')).toEqual([5])
  expect(await list('/events?search=gospel jazz')).toEqual([])
  expect(await list('/events?ticketed=true')).toEqual([])
  expect(await list('/events?ticketed=false')).toHaveLength(5)
  expect(await list('/events?include=9,5,99')).toEqual([5, 9])
  expect(await list('/events?include=5&starts_after=2030-01-01')).toEqual([5])
})

test('events are filtered by status', async () => {
  const { ask, list } = await agenda()
  await ask('DELETE /events/7')
  expect(await list('/events')).toEqual([5, 6, 8, 9])
  expect(await list('/events?status=draft')).toEqual([8])
  expect(await list('/events?status=trash,draft')).toEqual([7, 8])
  expect(await list('/events?status=any')).toEqual(['status'])
})

test('events are filtered by whether their venue has coordinates, and by distance', async () => {
  const { list, store } = await agenda()
  const row = store.table('venues').get(2)
  if (row) await store.write(({ put }) => put('venues', { ...row, geo_lat: 42.18, geo_lng: 2.49 }))
  expect(await list('/events?geoloc=true')).toEqual([6])
  expect(await list('/events?geoloc=false')).toEqual([5, 7, 8, 9])
  expect(await list('/events?geoloc_lat=42.2&geoloc_lng=2.5')).toEqual([6])
  expect(await list('/events?geoloc_lat=41.4&geoloc_lng=2.2')).toEqual([])
  expect(await list('/events?geoloc_lat=42.2')).toEqual(['geoloc_lat', 'geoloc_lng'])
})

test('events are filtered by post_parent', async () => {
  const { list, store } = await agenda()
  const row = store.table('events').get(6)
  if (row) await store.write(({ put }) => put('events', { ...row, post_parent: 5 }))
  expect(await list('/events?post_parent=5')).toEqual([6])
  expect(await list('/events?post_parent=99')).toEqual(['post_parent'])
})

test('filters that name unknown records are refused, all in one answer', async () => {
  const { list } = await agenda()
  expect(await list('/events?venue=99&organizer=1&categories=nothing&tags=77')).toEqual([
    ...['categories', 'tags', 'venue', 'organizer'],
  ])
})

test('venues and organizers are listed newest first, and filtered by event, by whether they have events, and by search', async () => {
  const { list } = await agenda()
  expect(await list('/venues')).toEqual([2, 1])
  expect(await list('/venues?event=6')).toEqual([2])
  expect(await list('/organizers?event=6')).toEqual([4, 3])
  expect(await list('/venues?has_events=0')).toEqual([])
  expect(await list('/organizers?has_events=1&only_with_upcoming=1')).toEqual([4, 3])
  expect(await list('/venues?search=OLOT placa')).toEqual([2])
  expect(await list('/organizers?search=example.org')).toEqual([3])
})

test('terms are listed by name, only those that events have', async () => {
  const { list } = await agenda()
  expect(await list('/tags')).toEqual([3, 4])
  expect(await list('/categories')).toEqual([2, 1])
  expect(await list('/categories?parent=1')).toEqual([2])
  expect(await list('/tags?search=res')).toEqual([3])
  expect(await list('/tags?slug=de-nit')).toEqual([4])
  expect(await list('/tags?slug=res')).toEqual([])
  expect(await list('/tags?event=6')).toEqual([3, 4])
  expect(await list('/tags?post=7')).toEqual([])
  expect(await list('/tags?include=4')).toEqual([4])
  expect(await list('/tags?exclude=4')).toEqual([3])
})

test('the public does not learn what an unpublished event links to', async () => {
  const { ask } = testService({ users })
  await ask('POST /events', {
    json: { ...concert, status: 'draft', venue: { venue: 'Auditori' }, tags: ['Jazz'] },
    headers: editor,
  })
  for (const path of ['/venues?event=2', '/tags?event=2&hide_empty=0']) {
    expect(await idsOf(ask(`GET ${path}`))).toEqual([])
    expect(await idsOf(ask(`GET ${path}`, { headers: editor }))).toHaveLength(1)
  }
})

test('terms are listed in the order of orderby', async () => {
  const { ask, list } = await agenda()
  await ask('POST /tags', { json: { name: 'Àvia', slug: 'zzz' } })
  expect(await list('/tags?hide_empty=false')).toEqual([5, 3, 4])
  expect(await list('/tags?hide_empty=0&order=desc')).toEqual([4, 3, 5])
  expect(await list('/tags?hide_empty=0&orderby=id')).toEqual([3, 4, 5])
  expect(await list('/tags?hide_empty=0&orderby=slug')).toEqual([4, 3, 5])
  expect(await list('/tags?hide_empty=0&orderby=count&order=desc')).toEqual([3, 4, 5])
  expect(await list('/tags?hide_empty=0&orderby=description')).toEqual([5, 4, 3])
})

test('the public lists only published events that are not hidden, and may not filter by another status', async () => {
  const { ask } = testService({ users })
  for (const more of [{}, { status: 'draft' }, { hide_from_listings: true }])
    await ask('POST /events', { headers: editor, json: { ...concert, ...more } })
  expect(await idsOf(ask('GET /events'))).toEqual([1])
  expect(await idsOf(ask('GET /events?include=1,2,3'))).toEqual([1])
  expect(await idsOf(ask('GET /events?status=publish'))).toEqual([1])
  expect(await idsOf(ask('GET /events?status=publish,draft'))).toEqual(['status'])
  expect(await idsOf(ask('GET /events', { headers: editor }))).toEqual([1, 2, 3])
})

test('a list contains one language', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: concert })
  await ask('POST /events?lang_code=en', { json: concert })
  expect(await idsOf(ask('GET /events'))).toEqual([1])
  expect(await idsOf(ask('GET /en/events'))).toEqual([2])
  expect(await idsOf(ask('GET /events?lang_code=es'))).toEqual([])
  expect(await idsOf(ask('GET /en/events?include=1,2'))).toEqual([2])
})
