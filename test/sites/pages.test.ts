import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { calendarAt } from '../../src/client/calendar.ts'
import type { Page } from '../../src/client/client.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { readPages } from '../../src/client/find/whole-lists.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Transport } from '../../src/contract/exchange.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { worldOf } from '../support/world.ts'

const [events, venues, tags] = [resourceNamed('events'), resourceNamed('venues'), resourceNamed('tags')]

const clientOf = (transport: Transport) =>
  calendarApi({
    transport,
    calendar: calendarAt('https://example.org', 'calendar/events/v1'),
    namespace: 'calendar/events/v1',
  })

const json = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) })

const pastTheEnd = {
  code: 'event-archive-page-not-found',
  message: 'The requested event archive page does not exist',
  data: { status: 404 },
}

/** A site with these pages of events that records every requested page. */
function site(pages: number[][], queries: string[] = []): Transport {
  return async ({ query = '' }) => {
    queries.push(query)
    const records = pages[Number(new URLSearchParams(query).get('page') ?? 1) - 1]
    if (!records) return json(404, pastTheEnd)
    return json(200, { events: records.map(id => ({ id })), total: pages.flat().length, total_pages: pages.length })
  }
}

async function idsOf(transport: Transport, filters = {}, wanted?: number): Promise<number[]> {
  const ids: number[] = []
  for await (const page of clientOf(transport).pages(events, filters, wanted))
    ids.push(...page.records.map(({ id }) => id))
  return ids
}

test('a list has its records and the total counts', async () => {
  expect(await clientOf(site([[1, 2], [3]])).list(events, {})).toEqual({
    records: [{ id: 1 }, { id: 2 }],
    total: 3,
    pages: 2,
  })
})

test('a page past the end is empty, not a failure', async () => {
  const nothing = { records: [], total: 0, pages: 0 }
  expect(await clientOf(site([[1]])).list(events, { page: 9 })).toEqual(nothing)
  const terms = clientOf(async () => json(200, { tags: [], total: 9, total_pages: 1 }))
  expect(await terms.list(tags, { page: 9 })).toEqual({ records: [], total: 9, pages: 1 })
})

test('pages are read by number with the same filters, from the first page requested', async () => {
  const queries: string[] = []
  expect(await idsOf(site([[1, 2], [3, 4], [5]], queries), { search: 'jazz', per_page: 2, page: 2 })).toEqual([3, 4, 5])
  expect(queries).toEqual(['search=jazz&per_page=2&page=2', 'search=jazz&per_page=2&page=3'])
})

test('links in an answer are not followed', async () => {
  const misleading: Transport = async request => {
    const answer = await site([[1], [2]])(request)
    return { ...answer, body: String(answer.body).replace('{', '{"next_rest_url":"https://elsewhere.example/",') }
  }
  expect(await idsOf(misleading)).toEqual([1, 2])
})

test('the next page is prefetched, but none beyond the records needed', async () => {
  const queries: string[] = []
  const pages = clientOf(site([[1, 2], [3, 4], [5]], queries))
    .pages(events, {}, 4)
    [Symbol.asyncIterator]()
  await pages.next()
  expect(queries).toEqual(['page=1', 'page=2'])
  await pages.next()
  expect(queries).toEqual(['page=1', 'page=2'])
})

test('reading ends at the last page if records vanish meanwhile', async () => {
  const pages = [[1, 2], [3, 4], [5]]
  const shrinking = site(pages)
  expect(
    await idsOf(async request => {
      const answer = await shrinking(request)
      pages.pop()
      return answer
    }),
  ).toEqual([1, 2, 3, 4])
})

test('an empty page with a total is not an empty list', async () => {
  const promising: Transport = async () => json(200, { events: [], total: 20, total_pages: 2 })
  const failure = { kind: 'partial', message: 'https://example.org lists 0 events and counts 20' }
  await expect(idsOf(promising)).rejects.toMatchObject(failure)
  await expect(clientOf(promising).list(events, {})).rejects.toMatchObject(failure)
})

test('a page whose total is right when it is read again is taken', async () => {
  let answers = 0
  const counting: Transport = async () =>
    json(200, { events: [{ id: 1 }], total: ++answers === 1 ? 2 : 1, total_pages: 1 })
  expect(await idsOf(counting)).toEqual([1])
})

test('a search for venues that finds none is empty, though the site counts all of them', async () => {
  const all = [{ id: 1, venue: 'Teatre' }]
  const searching: Transport = async ({ query = '' }) =>
    json(200, { venues: query.includes('search') ? [] : all, total: 1, total_pages: 1 })
  const client = clientOf(searching)
  expect(await client.list(venues, { search: 'sala' })).toEqual({ records: [], total: 0, pages: 0 })
  await expect(client.list(venues, { search: 'teatre' })).rejects.toMatchObject({ kind: 'partial' })
})

test('records read before a failure are returned before the failure', async () => {
  const ids: number[] = []
  const failing: Transport = async request =>
    request.query === 'page=2' ? json(503, { code: 'down', message: 'Down.', data: null }) : site([[1], [2]])(request)
  await expect(async () => {
    for await (const { records } of clientOf(failing).pages(events, {})) ids.push(...records.map(({ id }) => id))
  }).rejects.toMatchObject({ kind: 'unreachable', message: 'https://example.org answered 503: Down' })
  expect(ids).toEqual([1])
})

/**
 * A site that returns inconsistent pages of venues: without a status in the query, every page has a different order. `statuses`
 * are those that it can list separately.
 */
function inconsistentSite(ids: readonly number[], statuses: readonly string[], queries: string[] = []): Transport {
  return async ({ query = '' }) => {
    queries.push(query)
    const parameters = new URLSearchParams(query)
    const [page, perPage] = [Number(parameters.get('page') ?? 1), Number(parameters.get('per_page'))]
    const status = parameters.get('status')
    const listed = status === null || statuses.includes(status) ? ids : []
    const turned = status === null ? [...listed.slice(page % 3), ...listed.slice(0, page % 3)] : listed
    const records = turned.slice((page - 1) * perPage, page * perPage).map(id => ({ id }))
    const pages = Math.ceil(listed.length / perPage)
    return json(200, { venues: records, total: listed.length, total_pages: pages })
  }
}

async function venuesOf(transport: Transport): Promise<number[]> {
  const ids: number[] = []
  for await (const { records } of clientOf(transport).pages(venues, { per_page: 3 }))
    ids.push(...records.map(({ id }) => id))
  return ids
}

test('venues that a site repeats are listed once, and omitted ones are fetched by status', async () => {
  const queries: string[] = []
  const ids = await venuesOf(inconsistentSite([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], ['publish'], queries))
  expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(queries).toContain('per_page=3&page=4')
  expect(queries).toContain('per_page=3&status=publish&page=1')
})

test('a list ends with a failure if omitted venues cannot be fetched', async () => {
  await expect(venuesOf(inconsistentSite([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], []))).rejects.toMatchObject({
    kind: 'partial',
    message: '8 of 10 venues could be read: https://example.org returned inconsistent pages',
  })
})

test('a record that moved to another page meanwhile is fetched at the end', async () => {
  const ids = [1, 2, 3, 4, 5]
  const shifting: Transport = async request => {
    const answer = await site([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])(request)
    if (ids[0] === 1) ids.shift()
    return answer
  }
  expect(await idsOf(shifting)).toEqual([1, 2, 4, 5, 3])
})

test('a site that counts more records than it lists has not listed them all', async () => {
  const counting: Transport = async () => json(200, { venues: [{ id: 1 }, { id: 2 }], total: 3, total_pages: 1 })
  await expect(venuesOf(counting)).rejects.toMatchObject({
    kind: 'partial',
    message: 'https://example.org lists 2 venues and counts 3',
  })
})

test.each([
  ['http://calendar.test', 4],
  [undefined, 1],
])('the pages of %s come in order, at most %i at once, and none that nobody wants', async (baseUrl, most) => {
  const perPage = 10
  let [open, widest, asked] = [0, 0, 0]
  const pages = readPages({
    resource: events,
    filters: { per_page: perPage },
    wanted: 85,
    calendar: { id: 'x', label: 'x', ...(baseUrl && { baseUrl }) },
    async list({ page }) {
      asked += 1
      widest = Math.max(widest, ++open)
      // The later a page is, the sooner it comes.
      await sleep(20 - Number(page))
      open -= 1
      const records = Array.from({ length: perPage }, (_, index) => ({ id: (Number(page) - 1) * perPage + index + 1 }))
      return { records, total: 200, pages: 20 } as Page
    },
  })
  const ids: number[] = []
  for await (const { records } of pages) ids.push(...records.map(({ id }) => id))
  expect(ids).toEqual(Array.from({ length: 90 }, (_, index) => index + 1))
  expect([widest, asked]).toEqual([most, 9])
})

/** A site with 40 pages that answers in 30 ms, unless more than two requests are open; and how many were open at each. */
function overloadedSite(open: number[]): Transport {
  let count = 0
  return async ({ query = '' }) => {
    count += 1
    open.push(count)
    await sleep(count > 2 ? 300 : 30)
    count -= 1
    const page = Number(new URLSearchParams(query).get('page') ?? 1)
    return json(200, { events: [{ id: page }], total: 40, total_pages: 40 })
  }
}

test('fewer pages are requested at once from a site that becomes slow by it, and none is missed', async () => {
  const open: number[] = []
  const ids = await idsOf(overloadedSite(open))
  expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  expect(Math.max(...open)).toBe(4)
  const crowded = open.filter(count => count > 2).length
  expect(crowded).toBeLessThan(20)
})

test('galleries that a list numbers differently are neither drift nor a change meanwhile, and undo takes all of it back', async () => {
  const site = await wordpressSite({ options: '--no-wp' })
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const { id } = await site.ask('POST /events', {
      title,
      start_date: '2027-03-04 18:30:00',
      end_date: '2027-03-04 20:00:00',
      image: 'https://pictures.example/fair.jpg',
      description: 'Pictures: [gallery]',
    })
    ids.push(id)
  }
  expect((await site.ask(`GET /events/${ids[0]}`)).description).toContain('gallery-')
  const changed = await site.calctl(
    ['events', 'update', '-', '--website', 'https://example.org', '--yes'],
    ids.join('\n'),
  )
  expect([changed.status, changed.err]).toEqual([0, expect.not.stringContaining('differs')])
  const undone = await site.calctl('undo --yes')
  expect([undone.status, undone.out + undone.err]).toEqual([0, expect.not.stringContaining('kept')])
  for (const id of ids) expect((await site.ask(`GET /events/${id}`)).website).not.toBe('https://example.org')
})

test('a prefetched page that is not needed is cancelled silently', async () => {
  const events = Array.from({ length: 50 }, (_, index) => ({ id: index + 1 }))
  const server = createServer(({ url = '' }, response) => {
    // The second page is never answered.
    if (!url.endsWith('page=2')) response.end(JSON.stringify({ events, total: 51, total_pages: 2 }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const calctl = worldOf({})
  expect(await calctl(`events list --all --base-url http://127.0.0.1:${port} -o count`)).toEqual({
    status: 0,
    out: '51\n',
    err: '',
  })
})
