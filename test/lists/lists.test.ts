import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { concert, testService } from '../support/test-service.ts'
import { undoLine } from '../support/world.ts'
import { town } from './town.ts'

const terminal = { terminal: 100, env: { NO_COLOR: '1' } }

test('a list gives the room to titles, and shows a status only where it is not publish', async () => {
  const { calctl } = await town(terminal)
  const { out } = await calctl('events list --from 2026-11-22 --to 2026-11-22')
  expect(out).toBe(`ID  Start date        Title                Venue             Categories  Status
5   Thu 5 Nov 10:00   Exhibition           Teatre Principal
4   Fri 20 Nov        Fair                                   Fairs
3   Sat 21 Nov 22:30  Late session         Teatre Principal  Music
6   Sun 22 Nov 18:00  日本語の音楽祭り 🎉                    Music
7   Sun 22 Nov 20:00  Rehearsal                                          draft
`)
  expect((await calctl('events list --status publish')).out).not.toContain('Status')
})

test('an empty list of events says how many were before', async () => {
  const seen: string[] = []
  const calctl = calendar({ ...terminal, seen })
  expect((await calctl('events list')).err).toBe('no events found; create one with: calctl events create\n')
  for (const day of [1, 2])
    await calctl(`events create --title Old --start-date 2026-11-0${day} --end-date 2026-11-0${day} -q -o ids`)
  seen.length = 0
  expect((await calctl('events list')).err).toBe('no events found from today on; 2 before: add --all-dates\n')
  expect((await calctl('events list --all --search old')).err).toContain('; 2 before: add --all-dates\n')
  expect((await calctl('events list --search new')).err).toBe(
    'no events found; leave out a filter, or list the others with: calctl events list\n',
  )
  expect(seen).toHaveLength(6)
  expect((await calctl('events list --starts-after 2026-12-01')).err).toBe(
    'no events found; leave out a filter, or list the others with: calctl events list\n',
  )
  expect((await calctl('events list --on tomorrow')).err).toBe(
    'no events found; leave out a filter, or list the others with: calctl events list\n',
  )
})

test('an empty list of terms says how many are hidden', async () => {
  const calctl = calendar(terminal)
  expect((await calctl('venues list')).err).toBe('no venues found; create one with: calctl venues create\n')
  expect((await calctl('categories list')).err).toBe('no categories found; create one with: calctl categories create\n')
  await calctl('categories create --name Jazz -q -o ids')
  expect((await calctl('categories list')).err).toBe(
    'no categories found; 1 empty category is hidden: add --no-hide-empty\n',
  )
  await calctl('categories create --name Folk -q -o ids')
  expect((await calctl('categories list')).err).toContain('2 empty categories are hidden')
  expect((await calctl('categories list --no-hide-empty --search rock')).err).toBe(
    'no categories found; leave out a filter, or list the others with: calctl categories list\n',
  )
})

test('programs get no such notice, and send no request for it', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  expect(await calctl('events list')).toEqual({ status: 0, out: '', err: '' })
  const atTerminal = calendar({ ...terminal, seen })
  expect(await atTerminal('events list --json')).toEqual({ status: 0, out: '[]\n', err: '' })
  expect(await atTerminal('tags list -q')).toMatchObject({ status: 0, err: '' })
  expect(seen).toHaveLength(3)
})

const create = 'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" -q'
const errorOf = async (calctl: ReturnType<typeof calendar>, line: string) => (await calctl(line)).err

test('--fields refuses an unknown name, and suggests the nearest one', async () => {
  const calctl = calendar()
  await calctl(`${create} --venue '{"venue":"Sala"}'`)
  for (const output of ['json', 'ndjson', 'csv', 'tsv', 'yaml', 'table', 'ids', 'count']) {
    const { status, out, err } = await calctl(`events list --fields title,titel -o ${output}`)
    expect({ status, out }, output).toEqual({ status: 2, out: '' })
    expect(err, output).toContain('--fields: no field')
  }
  expect(await errorOf(calctl, 'events list --fields titel')).toBe(
    'error: --fields: no field "titel" in events\nhint: did you mean title?\n',
  )
  expect(await errorOf(calctl, 'events list --fields nonsense')).toBe(
    'error: --fields: no field "nonsense" in events\nhint: list all fields with: calctl events list --limit 1 --json\n',
  )
  expect(await errorOf(calctl, 'events list --fields venue.cty')).toBe(
    'error: --fields: no field "venue.cty" in events\nhint: did you mean venue.city?\n',
  )
  expect(await calctl('events list --fields start_date_details.yeer')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('events list --all --fields titel -q')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('doc --fields openapi,inf')).toMatchObject({
    status: 2,
    out: '',
    err: 'error: --fields: no field "inf"\nhint: did you mean info?\n',
  })
})

test('a write with an unknown name in --fields sends nothing', async () => {
  const calctl = calendar()
  expect(await calctl(`${create} --fields titel`)).toMatchObject({ status: 2, out: '' })
  expect(await calctl('events list --all-dates -o count')).toMatchObject({ out: '0\n' })
})

test('--fields accepts a name of the contract that no record has', async () => {
  const calctl = calendar()
  for (const fields of ['id,venue.city', 'organizer.email', 'image.sizes', 'utc_start_date', 'password'])
    expect(await errorOf(calctl, `events list --fields ${fields}`), fields).toBe('')
  await calctl(create)
  await calctl('venues create --venue Sala')
  for (const fields of ['venue.city', 'organizer.email', 'image.sizes', 'start_date_details.year'])
    expect(await errorOf(calctl, `events list --fields ${fields}`), fields).toBe('')
  expect(await errorOf(calctl, 'venues list --fields phone,geo_lat')).toBe('')
})

test('a page after the last has a notice', async () => {
  expect(await calendar()('events list --page 99')).toEqual({ status: 0, out: '', err: 'no page 99\n' })
  expect(await calendar()('tags list --page 2')).toMatchObject({ status: 0, err: 'no page 2\n' })
})

test('--data - on a terminal says that it reads stdin', async () => {
  const { status, err } = await calendar({ terminal: 80 })(['tags', 'create', '--data', '-'], '{"name":"Jazz"}')
  const [notice, ...more] = err.split(/(?<=\n)/)
  expect({ status, notice }).toEqual({ status: 0, notice: 'reading JSON from the terminal; press Ctrl-D to end\n' })
  expect(more.join('')).toMatch(undoLine('Created tag "Jazz" (1)'))
})

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
