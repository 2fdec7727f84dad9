import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, onTestFinished, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'

const likeSite = '--quirks --namespace tribe/events/v1 --base-path /wp-json --timezone Europe/Madrid --port 0'

async function serve(options: string, now?: Date) {
  const server = await startServe(options, now && { now })
  if (!('stop' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  const { origin } = new URL(server.url)
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const answer = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: { connection: 'close', ...headers },
    })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
  const create = async (values: object): Promise<{ id: number; url: string }> => {
    const body = JSON.stringify(values)
    const headers = { 'content-type': 'application/json', connection: 'close' }
    return (await (await fetch(`${server.url}/tribe/events/v1/events`, { method: 'POST', headers, body })).json()) as {
      id: number
      url: string
    }
  }
  return { ...server, origin, get, create }
}

test('with quirks, no answer depends on a header that the site ignores', async () => {
  const { get } = await serve(`--demo --open ${likeSite} --now 2026-12-01T09:00:00Z`)
  const { events } = JSON.parse((await get('/wp-json/tribe/events/v1/events?per_page=1')).body)
  const [{ id, url }] = events
  const page = new URL(url).pathname
  const paths = [
    '/',
    '/wp-json',
    '/wp-json/',
    '/events/',
    '/events/?ical=1',
    page,
    `${page}?ical=1`,
    '/event/nothing/',
    `/?p=${id}&post_type=tribe_events`,
    `/?rest_route=/tribe/events/v1/events/${id}`,
    '/calendar.ics',
    '/nothing',
    `/wp-json${page}`,
    `/wp-json/tribe/events/v1/events/${id}`,
    '/wp-json/tribe/events/v1/events?search=x',
    '/wp-json/tribe/events/v1/doc',
    '/wp-json/wp/v2/types',
    '/wp-json/nothing',
  ]
  const headers = fc.record(
    {
      accept: fc.constantFrom(
        '*/*',
        'text/html',
        'application/json',
        'text/calendar',
        'application/json, text/html;q=0.9',
        'x',
      ),
      'accept-language': fc.constantFrom('ca', 'en-GB,en;q=0.8', '*'),
      'user-agent': fc.constantFrom('curl/8.5', 'Mozilla/5.0 (X11; Linux x86_64)', ''),
      'x-requested-with': fc.constantFrom('XMLHttpRequest', 'calctl'),
    },
    { requiredKeys: [] },
  )
  const shown = async (path: string, sent: Readonly<Record<string, string>> = {}) => {
    const { status, headers, body } = await get(path, sent)
    const { date: _, ...others } = Object.fromEntries(headers)
    return { status, headers: others, body }
  }
  const plain = new Map<string, object>()
  for (const path of paths) plain.set(path, await shown(path))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), headers, async (path, sent) => {
      expect(await shown(path, sent), path).toEqual(plain.get(path))
    }),
    { numRuns: 150 },
  )
})

test.each(['', '--quirks'])('the index at the base path is JSON, whatever is accepted (%s)', async quirks => {
  const { get, url } = await serve(`--memory --open --base-path /wp-json --port 0 ${quirks}`)
  for (const path of ['/wp-json', '/wp-json/'])
    for (const accept of ['*/*', 'text/html', 'text/html,application/xhtml+xml']) {
      const { headers, body } = await get(path, { accept })
      expect(headers.get('content-type')).toBe('application/json; charset=UTF-8')
      expect(JSON.parse(body)).toHaveProperty('namespaces')
    }
  expect((await get('/', { accept: 'text/html' })).headers.get('content-type')).toContain('text/html')
  expect(url).toMatch(/\/wp-json$/)
})

/** The answer of the site, which was cut off after 4,000 characters; its port is that of the server. */
const recorded: string = readFileSync(new URL('../replay/recorded/fourth.ndjson', import.meta.url), 'utf8')
  .split('\n')
  .flatMap(line => (line.startsWith('{"name":"ical-events"') ? JSON.parse(line).response.body : []))[0]

test('with quirks, the files of events are those of the plugin', async () => {
  const { get, create, origin } = await serve(`--memory --open ${likeSite} --now 2026-11-28T09:12:40Z`)
  const at = (day: string) => ({ start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00`, status: 'publish' })
  await create({ ...at('2026-11-27'), title: 'Over' })
  const { id, url } = await create({ ...at('2027-03-01'), title: 'Rec 01' })
  await create({ ...at('2027-03-02'), title: 'New York', timezone: 'America/New_York' })
  await create({ ...at('2027-03-03'), title: 'Draft', status: 'draft' })
  const { status, headers, body } = await get('/events/?ical=1')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=UTF-8'])
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+-[0-9a-f]{11}\.ics"$/)
  const host = new URL(origin).hostname
  const names = (text: string) => text.replaceAll('http://calendar.test', origin).replaceAll('calendar.test', host)
  const zones = /BEGIN:VTIMEZONE.*?TZID:America\/New_York.*?END:VTIMEZONE\r\n/s
  expect(zones.exec(body)?.[0]).toBe(zones.exec(recorded)?.[0])
  const event = /BEGIN:VEVENT.*?END:VEVENT\r\n/s
  expect(event.exec(body)?.[0]).toBe(names(event.exec(recorded)?.[0] ?? '').replace('UID:53-', `UID:${id}-`))
  const head = (text: string) => text.split('BEGIN:VTIMEZONE')[0]
  expect(head(body)).toBe(names(head(recorded) ?? '').replaceAll('Agenda de prova', new URL(origin).host))
  expect(body.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Rec 01', 'SUMMARY:New York'])
  expect(new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent')).toHaveLength(2)

  const moved = await get(`/?p=${id}&post_type=tribe_events&ical=1`)
  expect([moved.status, moved.headers.get('location'), moved.body]).toEqual([301, `${url}?ical=1`, ''])
  expect((await get(`${new URL(url).pathname}?ical=1`)).body.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Rec 01'])
  expect((await get('/event/draft/?ical=1')).status).toBe(404)
  expect((await get('/events/')).headers.get('content-type')).toBe('text/html; charset=UTF-8')
})

test('with quirks, Access-Control-Allow-Origin repeats the origin of the caller', async () => {
  const { get } = await serve(`--memory ${likeSite}`)
  for (const origin of ['http://other.test', 'null'])
    expect((await get('/wp-json/tribe/events/v1/events', { origin })).headers.get('access-control-allow-origin')).toBe(
      origin,
    )
})

test('with quirks, a GET of a page of another site neither writes nor reads as the owner, with or without an origin', async () => {
  const { get, create } = await serve(`--memory --open ${likeSite}`)
  const dates = { start_date: '2030-03-01 19:00:00', end_date: '2030-03-01 21:00:00' }
  const { id } = await create({ ...dates, title: 'Open', status: 'publish' })
  const draft = await create({ ...dates, title: 'Draft', status: 'draft' })
  const path = `/wp-json/tribe/events/v1/events/${id}`
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    // To hosts of plain http that are not this machine, browsers do not say of which site a page is.
    { referer: 'http://evil.test/page' },
    { referer: 'no address' },
  ]
  for (const headers of foreign) {
    for (const query of ['_method=DELETE', '_%6dethod=delete', `rest_route=/wp/v2/tribe_events/${id}&.method=DELETE`])
      expect(await get(`${path}?${query}`, headers)).toMatchObject({ status: 403 })
    expect(await get(path, { ...headers, 'X-Http-Method-Override': 'DELETE' })).toMatchObject({ status: 403 })
    const script = await get(`/wp-json/tribe/events/v1/events/${draft.id}?_jsonp=f`, headers)
    expect(script).toMatchObject({ status: 403, body: expect.stringContaining('event-not-accessible') })
  }
  expect(JSON.parse((await get(path)).body).status).toBe('publish')
  expect(JSON.parse((await get(`${path}?_method=DELETE`, { 'sec-fetch-site': 'same-origin' })).body).status).toBe(
    'trash',
  )
})

test('with quirks, what a page could send without a trace is answered as for the public; programs are not', async () => {
  const { get, create, origin } = await serve(`--memory --open ${likeSite}`)
  const dates = { start_date: '2030-03-01 19:00:00', end_date: '2030-03-01 21:00:00' }
  const { id } = await create({ ...dates, title: 'Draft', status: 'draft' })
  const path = `/wp-json/tribe/events/v1/events/${id}`
  for (const query of ['_jsonp=f', '.jsonp=f', '_method=DELETE', '_method=POST&title=Image', '_method='])
    expect(await get(`${path}?${query}`), query).toMatchObject({ status: 403 })
  const [withPassword, ofPage] = [{ authorization: 'Basic YTpi' }, { referer: `${origin}/` }]
  expect((await get(`${path}?_jsonp=f`, ofPage)).status).toBe(200)
  expect((await get(path)).status).toBe(200)
  expect((await get(`${path}?_method=POST&title=Program`, {}, 'POST')).status).toBe(200)
  expect((await get(path, { 'x-http-method-override': 'POST' })).status).toBe(200)
  // A wrong password is refused as such.
  expect((await get(`${path}?_method=DELETE`, withPassword)).body).not.toContain('rest_cross_origin')
})
