import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastAnswer, sendRaw } from '../support/raw-http.ts'
import { type Serving, startServe } from '../support/start-serve.ts'

let cwd: string
const started: Serving[] = []
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'calctl-'))
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(server => server.stop()))
  await rm(cwd, { recursive: true })
})

/** Serves on a free port until the test ends. */
async function serve(line: string, env: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const server = await startServe(`${line} --port 0`, { cwd, env })
  if ('status' in server) throw new Error(server.err)
  started.push(server)
  return server
}

const api = (server: Serving, path: string) => `${server.url}/calendar/events/v1${path}`
const bodyOf = async (answer: Response) => JSON.parse(await answer.text())
const getJson = async (url: string) => bodyOf(await fetch(url))
const post = (url: string, values: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(values),
  })
const titleOf = ({ title }: { readonly title: string }) => title
const portOf = (server: Serving) => Number(new URL(server.url).port)

test('stdout has only the base URL, and stopping ends with status 0', async () => {
  const server = await serve('--memory')
  expect(server.out()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  const created = await post(api(server, '/tags'), { name: 'Open air' })
  expect([created.status, (await bodyOf(created)).urls.self]).toEqual([201, api(server, '/tags/1')])
  expect(await getJson(api(server, '/tags?hide_empty=false'))).toMatchObject({ total: 1, tags: [{ name: 'Open air' }] })
  expect(await server.stop()).toBe(0)
  await expect(fetch(server.url)).rejects.toThrow()
  expect(server.out()).toBe(`${server.url}\n`)
})

test('with --json one line says where the server is, and how to control it', async () => {
  const server = await serve('--file town.json --json')
  const ready = JSON.parse(server.out())
  expect(server.out().split('\n')).toHaveLength(2)
  expect(ready).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: process.pid,
    file: join(cwd, 'town.json'),
    token: expect.stringMatching(/^[\w-]{12}$/),
  })
  const reset = await post(`${ready.url}/__calctl/reset`, {}, { 'x-calctl-token': ready.token })
  expect(reset.status).toBe(200)
  expect(JSON.parse((await serve('--demo --json --token secret')).out())).toMatchObject({ file: null, token: 'secret' })
})

test('the demo can be kept in a new file, with its images', async () => {
  const first = await serve('--demo --file town.json')
  const { events } = await getJson(api(first, '/events?per_page=50'))
  const image = events.find((event: { image: unknown }) => event.image).image.url.replace(/^.*(?=\/wp-content)/, '')
  await first.stop()
  const again = await serve('--file town.json')
  expect((await getJson(api(again, '/events?per_page=50'))).events.map(titleOf)).toEqual(events.map(titleOf))
  expect((await fetch(again.url + image)).status).toBe(200)
})

test('a page whose writes are refused is told of once', async () => {
  const server = await serve('--memory')
  const write = (origin: string) => post(api(server, '/tags'), { name: 'Jazz' }, { origin })
  expect((await write('https://app.example')).status).toBe(403)
  expect((await write('https://app.example')).status).toBe(403)
  expect(server.err().match(/refused a write of a page of https:\/\/app\.example/g)).toHaveLength(1)
})

test('a missing file is created, and keeps what was written', async () => {
  const first = await serve('--file fresh.json --timezone Europe/Lisbon --lang es')
  await post(api(first, '/tags'), { name: 'Jazz' })
  await first.stop()
  expect(await readFile(join(cwd, 'fresh.json'), 'utf8')).toContain('"Jazz"')
  const again = await serve('--file fresh.json')
  expect(await getJson(api(again, '/tags/1'))).toMatchObject({ name: 'Jazz', lang_code: 'es' })
})

test('an existing file keeps its language, and --lang overrides it for one run', async () => {
  const first = await serve('--file town.json')
  await post(api(first, '/tags'), { name: 'Jazz' })
  await first.stop()
  const english = await serve('--file town.json --lang en')
  await post(api(english, '/tags'), { name: 'Open air' })
  expect(await getJson(api(english, '/tags/2'))).toMatchObject({ name: 'Open air', lang_code: 'en' })
  expect(await getJson(api(english, '/tags/1?lang_code=ca'))).toMatchObject({ name: 'Jazz', lang_code: 'ca' })
  await english.stop()
  expect(await readFile(join(cwd, 'town.json'), 'utf8')).toContain('"site": {"language":"ca"')
})

test('serve without a file serves the embedded calendar', async () => {
  const server = await serve('', { XDG_DATA_HOME: join(cwd, 'data') })
  await post(api(server, '/tags'), { name: 'Jazz' })
  await server.stop()
  expect(await readFile(join(cwd, 'data', 'calctl', 'calendar.json'), 'utf8')).toContain('"Jazz"')
})

test('--memory with a file serves a copy and does not write to it', async () => {
  const first = await serve('--file town.json')
  await post(api(first, '/tags'), { name: 'Jazz' })
  await first.stop()
  const before = await readFile(join(cwd, 'town.json'), 'utf8')
  const copy = await serve('--file town.json --memory')
  expect(await getJson(api(copy, '/tags/1'))).toMatchObject({ name: 'Jazz' })
  expect((await post(api(copy, '/tags'), { name: 'Opera' })).status).toBe(201)
  await copy.stop()
  expect(await readFile(join(cwd, 'town.json'), 'utf8')).toBe(before)
})

test('--demo has events in three languages', async () => {
  const server = await serve('--demo')
  for (const language of ['ca', 'en', 'es'])
    expect((await getJson(`${server.url}/${language}/calendar/events/v1/events`)).total).toBeGreaterThan(5)
})

test('--base-path and --namespace set the URL of the API', async () => {
  const server = await serve('--memory --base-path /wp-json --namespace tribe/events/v1')
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/wp-json$/)
  const { rest_url } = await getJson(`${server.url}/tribe/events/v1/events?starts_after=2000-01-01`)
  expect(rest_url).toBe(`${server.url}/tribe/events/v1/events/?starts_after=2000-01-01`)
  const before = server.url.replace('/wp-json', '/en/wp-json')
  expect((await fetch(`${before}/tribe/events/v1/tags`)).status).toBe(200)
  expect((await fetch(`${server.url}/en/tribe/events/v1/tags`)).status).toBe(200)
  expect((await fetch(`${server.url}/calendar/events/v1/tags`)).status).toBe(404)
})

test('the base URL answers a page that describes the API', async () => {
  const server = await serve('--memory')
  const page = await fetch(server.url)
  expect(page.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
  const text = await page.text()
  expect(text).toContain(`Routes     ${server.url}/calendar/events/v1\n`)
  expect(text).toContain(`  curl '${server.url}/calendar/events/v1/events?per_page=5'\n`)
  const html = await fetch(server.url, { headers: { accept: 'text/html,*/*' } })
  expect(html.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(await html.text()).toContain('<script type="module" src="/__page/page.js"></script>')
  expect(html.headers.get('link')).toBe(`<${server.url}/>; rel="https://api.w.org/"`)
})

test('with --user, only named users can write', async () => {
  const server = await serve('--memory --user editor:secret', { CALCTL_SERVE_USERS: 'ana:one,eva:two' })
  const write = (user?: string) =>
    post(api(server, '/tags'), { name: `by ${user}` }, user ? { authorization: `Basic ${btoa(user)}` } : {})
  expect((await write()).status).toBe(401)
  for (const user of ['editor:secret', 'ana:one', 'eva:two']) expect((await write(user)).status).toBe(201)
  expect((await write('ana:two')).status).toBe(401)
})

test('--read-only refuses writes', async () => {
  const answer = await post(api(await serve('--memory --read-only'), '/tags'), { name: 'Jazz' })
  expect([answer.status, (await bodyOf(answer)).code]).toEqual([403, 'read_only'])
})

test('--now stops the clock, and --per-page sets the default page size', async () => {
  const server = await serve('--memory --now 2026-11-21T02:00:00Z --timezone UTC --per-page 2')
  for (const title of ['One', 'Two', 'Three'])
    await post(api(server, '/events'), { title, start_date: '2026-11-21 10:00', end_date: '2026-11-21 11:00' })
  const { events, total } = await getJson(api(server, '/events'))
  expect([events.length, total, events[0].date]).toEqual([2, 3, '2026-11-21 02:00:00'])
  const { headers } = await fetch(api(server, '/events'))
  expect(headers.get('date')).toBe('Sat, 21 Nov 2026 02:00:00 GMT')
})

test('--log writes a line for each request', async () => {
  const server = await serve('--memory --log --token known')
  await fetch(api(server, '/tags?page=1'))
  await post(api(server, '/tags'))
  await expect
    .poll(() => server.err().replace(/\d+ms/g, 'Nms'))
    .toBe('GET /calendar/events/v1/tags?page=1 200 Nms\nPOST /calendar/events/v1/tags 400 Nms\n')
})

test('--fail and --latency affect only the API', async () => {
  const server = await serve('--memory --fail 100%:503 --latency 1ms --seed 7')
  expect((await fetch(server.url)).status).toBe(200)
  const answer = await fetch(api(server, '/tags'))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(server.err()).toContain('injecting failures; repeat them with --seed 7\n')
})

test('test suites restore the calendar with the printed token', async () => {
  const server = await serve('--memory')
  const token = /^token for http:\S+\/__calctl\/: (\S+)$/m.exec(server.err())?.[1] ?? ''
  const control = (action: string, given: string) =>
    post(`${server.url}/__calctl/${action}`, {}, { 'x-calctl-token': given })
  await post(api(server, '/tags'), { name: 'Jazz' })
  expect((await control('reset', 'guessed')).status).toBe(403)
  expect((await fetch(api(server, '/tags/1'))).status).toBe(200)
  expect((await control('reset', token)).status).toBe(200)
  expect((await fetch(api(server, '/tags/1'))).status).toBe(404)
})

test('a token from the environment is not printed', async () => {
  const server = await serve('--memory', { CALCTL_SERVE_TOKEN: 'known' })
  expect(server.err()).toBe('')
  expect((await post(`${server.url}/__calctl/reset`, {}, { 'x-calctl-token': 'known' })).status).toBe(200)
})

test('other machines may write without a password only after --open, with a warning', async () => {
  const server = await serve('--memory --host 0.0.0.0 --open --token known')
  expect(server.err()).toBe('warning: every machine that can reach 0.0.0.0 can write to this calendar\n')
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await fetch(api(server, '/tags'))).status).toBe(200)
})

test('unknown hosts are refused unless allowed', async () => {
  const server = await serve('--memory --allow-host calendar.local')
  const statusFor = async (host: string) =>
    lastAnswer(
      await sendRaw(
        portOf(server),
        `GET /calendar/events/v1/tags HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ),
    ).status
  expect(await statusFor('calendar.local')).toBe(200)
  expect(await statusFor('rebound.example')).toBe(421)
})

test('a port in use by another calctl is an error that names it', async () => {
  const port = portOf(await serve('--memory'))
  const hint = `hint: use another port with --port ${port + 1}, or any free port with --port 0\n`
  expect(await startServe(`--memory --port ${port}`)).toEqual({
    status: 3,
    err: `error: port ${port} is in use by calctl/0.1.0 (pid ${process.pid})\n${hint}`,
  })
})

test('a port in use by another program is an error', async () => {
  const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  expect(await startServe(`--memory --port ${port}`)).toEqual({
    status: 3,
    err: `error: port ${port} is in use\nhint: use another port with --port ${port + 1}, or any free port with --port 0\n`,
  })
  other.close()
})

test('an address of another machine is an error', async () => {
  expect(await startServe('--memory --port 0 --host 192.0.2.1 --open')).toEqual({
    status: 3,
    err: 'error: 192.0.2.1 is not an address of this machine\nhint: leave out --host to serve this machine only, or pass one of its addresses\n',
  })
})

test('with --quirks the public sees no drafts, and the demo says who may sign in', async () => {
  const server = await serve('--demo --quirks')
  const drafts = api(server, '/events?status=draft')
  const basic = { authorization: `Basic ${Buffer.from('author:demo').toString('base64')}` }
  expect((await fetch(drafts)).status).toBe(400)
  expect((await fetch(drafts, { headers: basic })).status).toBe(200)
  expect(
    (await fetch(api(server, '/tags'), { method: 'POST', body: new URLSearchParams({ name: 'Jazz' }) })).status,
  ).toBe(401)
  expect(server.err()).toContain(
    'users: admin, editor, author, contributor and subscriber, each with the password "demo"',
  )
})

test('without users, a server with --quirks says that nobody can write, and --open lets everyone write', async () => {
  const closed = await serve('--memory --quirks')
  expect(closed.err()).toContain('no users: everyone can read public records, and no one can write')
  const open = await serve('--memory --quirks --open')
  const created = await fetch(api(open, '/tags'), { method: 'POST', body: new URLSearchParams({ name: 'Jazz' }) })
  expect(created.status).toBe(201)
})
