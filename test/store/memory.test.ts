import { expect, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore, withSettings } from '../../src/service/store/memory-store.ts'
import type { TermRow } from '../../src/service/store/rows.ts'
import { addTag } from '../support/temp-calendar-file.ts'

const site = { language: 'ca', timezone: 'Europe/Madrid', quirks: false } as const
const jazz: TermRow = { id: 1, lang_code: 'ca', slug: 'jazz', name: 'Jazz', description: '' }
const opera: TermRow = { id: 2, lang_code: 'ca', slug: 'opera', name: 'Òpera', description: '' }

test('a stored row is found by ID and by slug', async () => {
  const store = memoryStore(site)
  expect(await store.write(addTag('Jazz'))).toEqual(jazz)
  expect(store.table('tags').get(1)).toEqual(jazz)
  expect([...store.table('tags').values()]).toEqual([jazz])
  expect(store.bySlug('tags', 'ca', 'JAZZ')).toEqual(jazz)
  expect(store.bySlug('tags', 'en', 'jazz')).toBeUndefined()
  expect(store.bySlug('categories', 'ca', 'jazz')).toBeUndefined()
})

test('IDs continue from the highest one, separately for posts and terms', async () => {
  const store = memoryStore(site, { tags: [jazz, opera], images: [{ id: 7, url: 'https://example.org/a.jpg' }] })
  const ids = await store.write(writing => [writing.nextId('term'), writing.nextId('term'), writing.nextId('post')])
  expect(ids).toEqual([3, 4, 8])
})

test('a write that throws changes nothing, not even the next ID', async () => {
  const store = memoryStore(site, { tags: [jazz, opera] })
  const before = store.snapshot()
  const write = store.write(writing => {
    writing.put('tags', { ...jazz, slug: 'swing' })
    writing.delete('tags', 2)
    addTag('Blues')(writing)
    throw new Error('no')
  })
  await expect(write).rejects.toThrow('no')
  expect(store.snapshot()).toEqual(before)
  expect(store.bySlug('tags', 'ca', 'jazz')).toBe(jazz)
  expect(store.bySlug('tags', 'ca', 'swing')).toBeUndefined()
})

test('two rows can swap slugs in one write', async () => {
  const store = memoryStore(site, { tags: [jazz, opera] })
  expect(store.bySlug('tags', 'ca', 'jazz')?.id).toBe(1)
  await store.write(writing => {
    writing.put('tags', { ...jazz, slug: 'opera' })
    writing.put('tags', { ...opera, slug: 'jazz' })
  })
  expect(store.bySlug('tags', 'ca', 'jazz')?.id).toBe(2)
  expect(store.bySlug('tags', 'ca', 'opera')?.id).toBe(1)
})

test('listeners are notified of every change, and of its rollback', async () => {
  const store = memoryStore(site, { tags: [jazz] })
  const events: string[] = []
  store.onChange(({ table, id, before, after }) =>
    events.push(`${table} ${id} ${before ? 'had' : 'new'} ${after ? 'put' : 'gone'}`),
  )
  await store.write(writing => writing.delete('tags', 1))
  await store
    .write(writing => {
      addTag('Blues')(writing)
      throw new Error('no')
    })
    .catch(() => undefined)
  expect(events).toEqual(['tags 1 had gone', 'tags 2 new put', 'tags 2 had gone'])
})

test('a snapshot restores everything, including the next ID', async () => {
  const store = memoryStore(site, { tags: [jazz] })
  const snapshot = store.snapshot()
  await store.write(addTag('Blues'))
  await store.write(writing => writing.delete('tags', 1))
  await store.restore(snapshot)
  expect(store.snapshot()).toEqual(snapshot)
  expect((await store.write(addTag('Swing'))).id).toBe(2)
})

test('the version increases with every change', async () => {
  const store = memoryStore(site)
  const before = store.version
  await store.write(addTag('Jazz'))
  expect(store.version).toBeGreaterThan(before)
})

test('with other settings, an answer is remembered until the next write, as with its own', async () => {
  const store = withSettings(memoryStore(site, { tags: [jazz] }), { language: 'ca', timezone: 'Europe/Lisbon' })
  const now = () => new Date('2026-09-14T08:00:00Z')
  const service = createService({ store, now, baseUrl: 'http://calendar.test', namespace: 'calendar/events/v1' })
  const list = async () =>
    (await service({ method: 'GET', path: '/calendar/events/v1/tags', query: 'hide_empty=false' })).body
  expect(store.site.timezone).toBe('Europe/Lisbon')
  const first = await list()
  expect(await list()).toBe(first)
  await store.write(addTag('Blues'))
  expect(await list()).not.toEqual(first)
})
