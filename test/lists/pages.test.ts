import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

const root = 'http://calendar.test/calendar/events/v1'

async function manyEvents(count: number) {
  const { ask } = testService()
  for (let n = 1; n <= count; n++) await ask('POST /events', { json: { ...concert, title: `Concert ${n}` } })
  return ask
}

test('a list has a page, the totals, and links to the next and previous page', async () => {
  const ask = await manyEvents(5)
  const { status, headers, body } = await ask('GET /events?per_page=2&page=2')
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'x-tec-total': '5', 'x-tec-totalpages': '3' })
  expect(body).toEqual({
    events: [expect.objectContaining({ id: 3 }), expect.objectContaining({ id: 4 })],
    rest_url: `${root}/events/?per_page=2&page=2`,
    next_rest_url: `${root}/events/?per_page=2&page=3`,
    previous_rest_url: `${root}/events/?per_page=2&page=1`,
    total: 5,
    total_pages: 3,
  })
})

test('page links repeat every parameter', async () => {
  const ask = await manyEvents(3)
  const query = 'strict_dates=1&search=con&featured=false&starts_after=2026-01-01+00%3A00&lang_code=ca'
  const { body } = await ask(`GET /events?${query}&per_page=1`)
  expect(body.next_rest_url).toBe(`${root}/events/?${query}&per_page=1&page=2`)
  const next = await ask(`GET ${body.next_rest_url.slice(root.length)}`)
  expect(next.body.events).toEqual([expect.objectContaining({ id: 2 })])
})

test('a page has 30 records by default and 50 at most', async () => {
  const ask = await manyEvents(52)
  expect((await ask('GET /events')).body.events).toHaveLength(30)
  expect((await ask('GET /events?per_page=100')).body).toMatchObject({ total: 52, total_pages: 2 })
  expect((await ask('GET /events?per_page=100')).body.events).toHaveLength(50)
})

test('past the last page, lists of posts are 404 and lists of terms are empty', async () => {
  const ask = await manyEvents(1)
  await ask('POST /tags', { json: { name: 'Jazz' } })
  for (const kind of ['event', 'venue', 'organizer'])
    expect(await ask(`GET /${kind}s?page=2`)).toMatchObject({
      status: 404,
      body: { code: `${kind}-archive-page-not-found`, data: { status: 404 } },
    })
  expect((await ask('GET /tags?page=9&hide_empty=0')).body).toEqual({
    rest_url: `${root}/tags/?page=9&hide_empty=0`,
    total: 1,
    total_pages: 1,
    tags: [],
    previous_rest_url: `${root}/tags/?hide_empty=0&page=8`,
  })
})

test('an empty list has one empty page', async () => {
  expect(await testService().ask('GET /venues')).toMatchObject({
    status: 200,
    headers: { 'x-tec-total': '0', 'x-tec-totalpages': '0' },
    body: { venues: [], rest_url: `${root}/venues/`, total: 0, total_pages: 0 },
  })
})

for (const value of ['0', '-1', 'abc', '1.5', ''])
  test(`page=${value} is refused`, async () => {
    const { status, body } = await testService().ask(`GET /events?page=${value}&per_page=${value}`)
    expect(status).toBe(400)
    expect(Object.keys(body.data.params)).toEqual(['page', 'per_page'])
  })

test('HEAD returns the totals without a body', async () => {
  const ask = await manyEvents(1)
  expect(await ask('HEAD /events')).toMatchObject({ status: 200, headers: { 'x-tec-total': '1' }, body: undefined })
})

test('a list includes what was just written', async () => {
  const ask = await manyEvents(2)
  const titles = async () => (await ask('GET /events')).body.events.map(({ title }: { title: string }) => title)
  expect(await titles()).toEqual(['Concert 1', 'Concert 2'])
  await ask('PATCH /events/1', { json: { start_date: '2026-12-31', end_date: '2026-12-31', title: 'Cap d’any' } })
  expect(await titles()).toEqual(['Concert 2', 'Cap d’any'])
  await ask('DELETE /events/2')
  expect(await titles()).toEqual(['Cap d’any'])
})
