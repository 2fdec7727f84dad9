import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Language } from '../../src/contract/languages.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const [events, venues, tags] = [resourceNamed('events'), resourceNamed('venues'), resourceNamed('tags')]

/** Clients of one empty calendar in this process. */
function calendar() {
  const transport = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const calendar = calendarAt('http://calendar.test', 'calendar/events/v1')
  return (language?: Language) =>
    calendarApi({ transport, calendar, namespace: 'calendar/events/v1', ...(language && { language }) })
}

const concert = { title: 'Concert', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

test('a record is created, read, changed and deleted by id and by slug', async () => {
  const client = calendar()()
  const { id } = await client.create(venues, { venue: 'Sala Gran', show_map: false })
  expect(await client.get(venues, { slug: 'sala-gran' })).toMatchObject({ id, venue: 'Sala Gran', show_map: false })
  expect(await client.update(venues, { id }, { city: 'Girona' })).toMatchObject({ venue: 'Sala Gran', city: 'Girona' })
  expect(await client.delete(venues, { slug: 'sala-gran' })).toMatchObject({ id, status: 'trash' })
  await expect(client.delete(venues, { id })).rejects.toMatchObject({
    kind: 'missing',
    message: `venue ${id} is in the trash of http://calendar.test`,
  })
})

test('every page of a list is read', async () => {
  const client = calendar()()
  for (let n = 1; n <= 7; n++) await client.create(events, { ...concert, title: `Concert ${n}` })
  const pages: number[][] = []
  for await (const { records } of client.pages(events, { per_page: 3 })) pages.push(records.map(({ id }) => id))
  expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  expect(await client.list(events, { page: 4, per_page: 3 })).toEqual({ records: [], total: 0, pages: 0 })
})

test('a client reads and writes one language', async () => {
  const client = calendar()
  const { id } = await client('en').create(tags, { name: 'Open air' })
  expect(await client('en').get(tags, { id })).toMatchObject({ name: 'Open air', lang_code: 'en' })
  await expect(client().get(tags, { id })).rejects.toMatchObject({
    kind: 'missing',
    message: `no tag ${id} at http://calendar.test in this language; it is in English`,
    details: { hint: 'add: --lang en' },
  })
})

test('the service describes itself and links to its document', async () => {
  const client = calendar()()
  expect(await client.routes({})).toMatchObject({ namespace: 'calendar/events/v1' })
  expect(await client.doc()).toMatchObject({ openapi: expect.any(String) })
})

const create = 'events create --title Jazz --start-date 2027-12-05 --end-date 2027-12-05 --post-password sesame -o ids'

test('--debug prints each request with its answer and its time, without secrets', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  const { status, err } = await calctl(`${create} --debug`)
  expect(status).toBe(0)
  expect(err).toMatch(`POST ${baseUrl}/tribe/events/v1/events → 20`)
  expect(err).toMatch(/ → 20\d, \d+ bytes, \d+ ms\n {2}\{.*"title":"Jazz"/)
  expect(err).not.toMatch(/sesame|secret|Basic/)
})

test('--print-curl prints a line that does the same when it is pasted, with variables for secrets', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  const { err } = await calctl(
    `events create --title "It's Jazz" --start-date 2027-12-05 --end-date 2027-12-05 --print-curl -q -o ids`,
  )
  const line = err.split('\n').find(text => text.includes('-X POST')) ?? ''
  expect(line).toContain('"$AUTHORIZATION"')
  const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: { ...process.env, AUTHORIZATION: authorization, NO_PROXY: '*' },
  })
  expect(JSON.parse(stdout)).toMatchObject({
    id: 2,
    title: expect.stringContaining('Jazz'),
    url: expect.stringContaining(new URL(baseUrl).host),
  })
})

test('--print-curl prints a line for HEAD that does not wait for a body', async () => {
  const { calctl } = await wordpressSite()
  const { err } = await calctl('api HEAD events --print-curl')
  expect(err).toMatch(/^curl --head /)
})

test('a category with an ampersand is found by its name, although search does not decode', async () => {
  const { json, seen } = await productionSite()
  const { id } = await json('categories create --name "Música & Dansa" --json')
  const before = seen.length
  const event = await json(`events create --title Ball ${dates} --categories "Música & Dansa" --json`)
  expect(event.categories.map((category: { id: number }) => category.id)).toEqual([id])
  expect(seen.slice(before)).toEqual(['GET /categories', 'GET /events', 'POST /events'])
})

test.each(['L’aire "lliure" & gratis', 'R&B', "D'estiu <3 gratis", 'Rock & roll; jazz > blues'])(
  'a tag called %s is found by its name',
  async name => {
    const { json } = await productionSite()
    const { id } = await json(['tags', 'create', '--name', name, '--json'])
    const words = ['events', 'create', '--title', 'Ball', '--start-date', '2026-12-05 19:00']
    const event = await json([
      ...words,
      '--end-date',
      '2026-12-05 21:00',
      '--tags',
      `"${name.replaceAll('"', '""')}"`,
      '--json',
    ])
    expect(event.tags.map((tag: { id: number }) => tag.id)).toEqual([id])
  },
)

test('a venue with an ampersand and quotes is found by its name', async () => {
  const { json } = await productionSite()
  const name = `Bar "Ca l'Enric" & Grill`
  const { id } = await json(['venues', 'create', '--venue', name, '--json'])
  const line = ['events', 'create', '--title', 'Ball', '--start-date', '2026-12-05 19:00']
  const event = await json([...line, '--end-date', '2026-12-05 21:00', '--venue', name, '--json'])
  expect(event.venue.id).toBe(id)
})

test('a name that stands on the second page of a search is found', async () => {
  const venues = Array.from({ length: 60 }, (_, number) => ({ venue: `Sala ${number}`, address: 'Sala Gran' }))
  const { json, calctl, file } = await productionSite()
  const { id } = await json('venues create --venue "Sala" --json')
  expect((await calctl(`venues create --from ${file('venues.json', JSON.stringify({ venues }))} --yes`)).status).toBe(0)
  const event = await json(`events create --title Ball ${dates} --venue Sala --json`)
  expect(event.venue.id).toBe(id)
})

test('names with an ampersand are found in bulk and in files', async () => {
  const { json, calctl, file } = await productionSite()
  const { id } = await json('categories create --name "Música & Dansa" --json')
  const { id: event } = await json(`events create --title Ball ${dates} --json`)
  expect((await calctl('events update - --add-categories "Música & Dansa" --yes', `${event}\n`)).status).toBe(0)
  const sheet = 'title,start_date,end_date,categories\nFira,2026-12-06 19:00,2026-12-06 20:00,Música & Dansa\n'
  expect((await calctl(`apply ${file('events.csv', sheet)} --yes`)).status).toBe(0)
  const rows = await json('events list --all-dates --json')
  expect(rows.map((row: { categories: { id: number }[] }) => row.categories.map(one => one.id))).toEqual([[id], [id]])
})
