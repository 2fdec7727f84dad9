import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import type { ServerOutcome } from '../../src/service/http/faults.ts'
import { createGateway, type GatewayOptions } from '../../src/service/http/gateway.ts'
import { createHostCheck } from '../../src/service/http/origins.ts'
import { type HttpServer, listen, type ServerOptions } from '../../src/service/http/server.ts'
import { lastAnswer, sendRaw } from '../support/raw-http.ts'

let server: HttpServer
afterEach(() => server.stop())

const echo = async (request: Request): Promise<Response> => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify({ ...request, headers: undefined, body: request.body?.length }),
})

/** A server whose service returns the request it received. */
async function start(site: Partial<GatewayOptions> = {}, options: Partial<ServerOptions> = {}): Promise<number> {
  server = await listen({ host: '127.0.0.1', port: 0, ...options })
  server.begin(
    createGateway({
      basePath: '',
      service: echo,
      welcome: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'welcome' }),
      control: async () => ({ status: 200, headers: {}, body: 'control' }),
      isOwnHost: createHostCheck('127.0.0.1', server.port, ['calendar.local']),
      cors: { origins: new Set(['https://app.example']), quirks: false },
      ...site,
    }),
  )
  return server.port
}

const request = (line: string, port: number, headers: readonly string[] = [], body = '') =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers, '', body].join('\r\n')

const ask = async (port: number, line: string, headers: readonly string[] = [], body = '') =>
  lastAnswer(await sendRaw(port, request(line, port, headers, body)))

test('the service sees the path below the base path, the query as text, and the bytes of the body', async () => {
  const port = await start({ basePath: '/wp-json' })
  const seen = async (line: string, headers: string[] = [], body = '') => {
    const { method, path, query, body: length } = JSON.parse((await ask(port, line, headers, body)).body)
    return [method, path, query, length]
  }
  expect(await seen('GET /wp-json/tribe/events/v1/events?page=2&search=a%20b')).toEqual([
    'GET',
    '/tribe/events/v1/events',
    'page=2&search=a%20b',
    undefined,
  ])
  expect(await seen('GET /en/wp-json/tribe/events/v1/events')).toEqual([
    'GET',
    '/en/tribe/events/v1/events',
    '',
    undefined,
  ])
  expect(await seen('GET /wp-json/en/tribe/events/v1/events')).toEqual([
    'GET',
    '/en/tribe/events/v1/events',
    '',
    undefined,
  ])
  expect(await seen(`GET http://127.0.0.1:${port}/wp-json/x`)).toEqual(['GET', '/x', '', undefined])
  expect(await seen('GET /EN/wp-json/x')).toEqual(['GET', '/EN/x', '', undefined])
  expect(await seen('POST /wp-json/x', ['Content-Length: 5'], 'àèb')).toEqual(['POST', '/x', '', 5])
  expect(await seen('POST /wp-json/x', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n')).toEqual([
    'POST',
    '/x',
    '',
    3,
  ])
})

test.each(['/tribe/events/v1/events', '/en/tribe/events/v1/events', '/wp-jsonx/events', '/fr/wp-json/x'])(
  '%s is not found, because it is not below the base path',
  async path => {
    const port = await start({ basePath: '/wp-json' })
    const { status, body } = await ask(port, `GET ${path}`)
    expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 404, code: 'rest_no_route' })
  },
)

test('the root answers the welcome page, and the base path the index of the API', async () => {
  const port = await start({ basePath: '/wp-json' })
  for (const path of ['/wp-json', '/wp-json/'])
    expect((await ask(port, `GET ${path}`, ['Accept: text/html'])).body).toContain('"path":"/"')
  for (const path of ['/', '/?x=1']) expect((await ask(port, `GET ${path}`)).body).toBe('welcome')
  expect((await ask(port, 'GET /?rest_route=/x')).body).toContain('"path":"/"')
  expect((await ask(port, 'POST /wp-json/__calctl/reset')).body).toBe('control')
})

test('connections are kept alive, and HEAD answers no body', async () => {
  const port = await start()
  const first = `HEAD /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const received = await sendRaw(port, first, request('GET /x', port))
  expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(received.split('\r\n\r\n')[1]).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('only requests to known hosts are answered', async () => {
  const port = await start()
  const statusFor = async (host: string) =>
    lastAnswer(await sendRaw(port, `GET /x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status
  expect(await statusFor(`localhost:${port}`)).toBe(200)
  expect(await statusFor(`LOCALHOST:${port}`)).toBe(200)
  expect(await statusFor(`[::1]:${port}`)).toBe(200)
  expect(await statusFor('calendar.local')).toBe(200)
  expect(await statusFor('calendar.local:80')).toBe(200)
  expect(await statusFor('localhost:1')).toBe(421)
  expect(await statusFor(`evil.example:${port}`)).toBe(421)
  expect(await statusFor('')).toBe(400)
})

test('a request with two Host headers is refused', async () => {
  const port = await start()
  const answer = await ask(port, 'GET /events', ['Host: calendar.local'])
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('"code":"rest_two_hosts"') })
})

test('pages of other sites may not write unless their origin is allowed', async () => {
  const port = await start()
  const write = (origin: string) => ask(port, 'POST /x', [`Origin: ${origin}`])
  expect((await write(`http://127.0.0.1:${port}`)).status).toBe(200)
  expect((await write('https://app.example')).status).toBe(200)
  expect((await write('https://evil.example')).status).toBe(403)
  expect((await write('null')).status).toBe(403)
  expect((await write(`http://localhost:${port}`)).status).toBe(403)
  expect(JSON.parse((await write('https://evil.example')).body)).toEqual({
    code: 'rest_cross_origin',
    message:
      'Pages of other sites may not write to this calendar. To allow one, start the server with --cors and its origin.',
    data: { status: 403 },
  })
  expect((await ask(port, 'GET /x', ['Origin: https://evil.example'])).status).toBe(200)
})

test('pages of this machine, or of every site, may write if that was asked for', async () => {
  const status = async (allowed: string, origin: string) => {
    const port = await start({ cors: { origins: new Set([allowed]), quirks: false } })
    return (await ask(port, 'POST /x', [`Origin: ${origin}`])).status
  }
  expect(await status('localhost', 'http://localhost:5173')).toBe(200)
  expect(await status('localhost', 'http://127.0.0.1:3000')).toBe(200)
  expect(await status('localhost', 'http://localhost.evil.example')).toBe(403)
  expect(await status('localhost', 'null')).toBe(403)
  expect(await status('*', 'https://evil.example')).toBe(200)
})

test('CORS headers name the origins that may read', async () => {
  const port = await start()
  const allowed = 'access-control-allow-origin: https://app.example'
  const preflight = await ask(port, 'OPTIONS /x', ['Origin: https://app.example', 'Access-Control-Request-Method: PUT'])
  expect(preflight.status).toBe(204)
  expect(preflight.headers).toContain(allowed)
  expect(preflight.headers).toContain('access-control-allow-methods: options, get, post, put, patch, delete')
  expect((await ask(port, 'GET /x', ['Origin: https://app.example'])).headers).toContain(allowed)
  expect((await ask(port, 'GET /x', ['Origin: https://evil.example'])).headers.join()).not.toContain('access-control')
  expect((await ask(port, 'GET /x')).headers.join()).not.toContain('access-control')
})

test('with quirks every origin may read, as in production, and still none may write', async () => {
  const port = await start({ cors: { origins: new Set(), quirks: true } })
  const { headers } = await ask(port, 'GET /x', ['Origin: https://evil.example'])
  expect(headers).toContain('access-control-allow-origin: https://evil.example')
  expect(headers).toContain('access-control-allow-credentials: true')
  expect((await ask(port, 'POST /x', ['Origin: https://evil.example'])).status).toBe(403)
})

test('a body of up to 8 MiB is accepted', async () => {
  const port = await start()
  const most = 'x'.repeat(8 * 1024 * 1024)
  expect((await ask(port, 'POST /x', [`Content-Length: ${most.length}`], most)).status).toBe(200)
  const tooMuch = await ask(port, 'POST /x', [`Content-Length: ${most.length + 1}`], `${most}x`)
  expect([tooMuch.status, JSON.parse(tooMuch.body).code]).toEqual([413, 'request_too_large'])
  const chunk = `${most.length.toString(16)}\r\n${most}\r\n`
  expect((await ask(port, 'POST /x', ['Transfer-Encoding: chunked'], `${chunk}1\r\nx\r\n0\r\n\r\n`)).status).toBe(413)
})

test('a client that sends Expect: 100-continue is answered before the body', async () => {
  const port = await start()
  const waiting = (length: number) => ['Expect: 100-continue', `Content-Length: ${length}`]
  expect(await sendRaw(port, request('POST /x', port, waiting(3)), 'abc')).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
  )
  expect(await sendRaw(port, request('POST /x', port, waiting(9_000_000)))).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['an HTTP version that does not exist', 'GET / HTTP/9.9\r\n\r\n', 400],
  ['a method that does not exist', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ['a length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n', 400],
  ['a header that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ['a URL that is too long', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
])('%s is refused in the form of an API error, and the server goes on', async (_, text, status) => {
  const port = await start()
  const answer = lastAnswer(await sendRaw(port, text))
  expect(answer.status).toBe(status)
  if (answer.body !== '') expect(JSON.parse(answer.body)).toMatchObject({ data: { status } })
  expect((await ask(port, 'GET /x')).status).toBe(200)
})

test('a request that does not arrive in time is answered with 408', async () => {
  const port = await start({}, { requestTimeout: 50 })
  expect(await sendRaw(port, 'GET /x HTTP/1.1\r\nHo')).toMatch(/^HTTP\/1\.1 408 /)
  expect(await sendRaw(port, request('POST /x', port, ['Content-Length: 5']), 'ab')).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client that disconnects early does no harm', async () => {
  const bugs: unknown[] = []
  const port = await start({}, { onBug: error => bugs.push(error) })
  const socket = (await import('node:net')).connect(port, '127.0.0.1')
  socket.write(request('POST /x', port, ['Content-Length: 5'], 'ab'))
  await new Promise(resolve => setTimeout(resolve, 20))
  socket.destroy()
  expect((await ask(port, 'GET /x')).status).toBe(200)
  expect(bugs).toEqual([])
})

test('a bug in the service is answered with a 500 without details, and reported', async () => {
  const bugs: unknown[] = []
  const port = await start(
    {
      service: async () => {
        throw new TypeError('secret of the house')
      },
    },
    { onBug: error => bugs.push(error) },
  )
  const answer = await ask(port, 'GET /x')
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([500, 'internal_server_error'])
  expect(answer.body).not.toContain('secret')
  expect(bugs).toEqual([new TypeError('secret of the house')])
})

test('a request can be reset, or left unanswered', async () => {
  let outcome: ServerOutcome = 'reset'
  let asked = 0
  const lines: string[] = []
  const port = await start(
    {
      async service() {
        asked += 1
        return outcome
      },
    },
    { onAnswered: (method, url, status) => lines.push(`${method} ${url} ${status}`) },
  )
  await expect(ask(port, 'GET /x?page=1')).rejects.toThrow('ECONNRESET')
  outcome = 'timeout'
  const pending = ask(port, 'GET /y')
  await expect.poll(() => asked).toBe(2)
  await expect.poll(() => lines).toEqual(['GET /x?page=1 undefined'])
  await server.stop()
  expect((await pending).status).toBeNaN()
  await expect.poll(() => lines).toEqual(['GET /x?page=1 undefined', 'GET /y undefined'])
  server = await listen({ host: '127.0.0.1', port: 0 })
})

test('stopping finishes requests in flight and accepts no new ones', async () => {
  let finish = () => {}
  const working = new Promise<void>(resolve => {
    finish = resolve
  })
  let arrived = () => {}
  const arrival = new Promise<void>(resolve => {
    arrived = resolve
  })
  const port = await start({
    async service(request) {
      arrived()
      await working
      return echo(request)
    },
  })
  const inFlight = sendRaw(port, `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await arrival
  const stopped = server.stop()
  await expect(ask(port, 'GET /x')).rejects.toThrow('ECONNREFUSED')
  finish()
  const answer = lastAnswer(await inFlight)
  expect([answer.status, answer.headers.includes('connection: close')]).toEqual([200, true])
  await stopped
  server = await listen({ host: '127.0.0.1', port: 0 })
})

test('stopping waits for no connection on which nothing was asked', async () => {
  const port = await start()
  // Browsers open some in advance.
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  expect((await ask(port, 'GET /x')).status).toBe(200)
  const started = performance.now()
  await server.stop()
  expect(performance.now() - started).toBeLessThan(3000)
  silent.destroy()
  server = await listen({ host: '127.0.0.1', port: 0 })
})

test('a client that sends requests and reads no answers gets few of them prepared, and cannot send them all', async () => {
  let answered = 0
  const body = 'x'.repeat(100_000)
  const port = await start({
    async service() {
      answered += 1
      return { status: 200, headers: {}, body }
    },
  })
  const greedy = connect(port, '127.0.0.1')
    .on('error', () => {})
    .pause()
  greedy.write(`GET /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(1_000_000))
  await expect.poll(() => answered).toBeGreaterThan(0)
  await new Promise(resolve => setTimeout(resolve, 500))
  // What the system takes of an answer counts as read.
  expect(answered).toBeLessThan(200)
  expect(greedy.writableLength).toBeGreaterThan(0)
  expect((await ask(port, 'GET /x')).status).toBe(200)
  greedy.destroy()
})

test('of hundreds of requests that are sent at once on a connection, few are read before others have their turn', async () => {
  let read = 0
  const count = () => {
    read += 1
  }
  subscribe('http.server.request.start', count)
  onTestFinished(() => void unsubscribe('http.server.request.start', count))
  const readByThen: number[] = []
  const port = await start({
    async service() {
      await new Promise(resolve => setImmediate(resolve))
      readByThen.push(read)
      return { status: 200, headers: {}, body: 'x' }
    },
  })
  const host = `Host: 127.0.0.1:${port}\r\n`
  const last = `GET /x HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  const received = await sendRaw(port, `GET /x HTTP/1.1\r\n${host}\r\n`.repeat(399) + last)
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(400)
  expect(readByThen[0]).toBeLessThan(100)
})

test('requests that are sent at once on a connection are answered one after another, in their order', async () => {
  let busy = 0
  const seen: string[] = []
  const port = await start({
    async service({ path, body }) {
      busy += 1
      seen.push(`${path} ${body?.length ?? 0} ${busy}`)
      await new Promise(resolve => setTimeout(resolve, path === '/1' ? 50 : 0))
      busy -= 1
      return { status: 200, headers: {}, body: path }
    },
  })
  const host = `Host: 127.0.0.1:${port}\r\n`
  const post = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\n${host}Content-Length: ${length}\r\n\r\n${'y'.repeat(length)}`
  const last = `GET /4 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  const received = await sendRaw(port, post('/1', 0), post('/2', 200_000), post('/3', 3), last)
  expect(received.match(/\/\d$|\/\d(?=HTTP)/g)).toEqual(['/1', '/2', '/3', '/4'])
  expect(seen).toEqual(['/1 0 1', '/2 200000 1', '/3 3 1', '/4 0 1'])
})
