import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createSender } from '../../src/client/http/sender.ts'
import { createHttpTransport, type HttpOptions, type HttpTransport } from '../../src/client/http/transport.ts'
import { passTime } from '../support/pass-time.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A site on a free port; its base URL, and the requests that it received. */
async function site(listener: RequestListener): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  return { url: await listen(server), seen }
}

async function listen(server: TcpServer): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

async function transportTo(baseUrl: string, options: Omit<HttpOptions, 'baseUrl'> = {}): Promise<HttpTransport> {
  const transport = await createHttpTransport({ baseUrl, ...options })
  open.push(transport)
  return transport
}

const get = { method: 'GET', path: '/calendar/events/v1/tags' }
const credentials = async () => ({ authorization: 'Basic YWRhOnNlY3JldA==', 'x-key': 'sesame' })

test('a request is sent below the base URL with its query, headers and body, and returns the response', async () => {
  const { url, seen } = await site(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'X-TEC-Total': '3' }).end(`${request.method} ${request.url} ${body}`)
  })
  const transport = await transportTo(`${url}/wp-json`)
  const answer = await transport({
    ...get,
    method: 'POST',
    query: 'a=1',
    headers: { 'content-type': 'text/plain' },
    body: 'bon dia',
  })
  expect(answer).toMatchObject({
    status: 201,
    headers: { 'x-tec-total': '3' },
    body: 'POST /wp-json/calendar/events/v1/tags?a=1 bon dia',
  })
  expect(seen[0]?.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': '7' })
})

test('credentials are fetched once, with the first request', async () => {
  const { url, seen } = await site((_, response) => response.end('{}'))
  let fetched = 0
  const transport = await transportTo(url, {
    credentials: async () => {
      fetched += 1
      return credentials()
    },
  })
  expect(fetched).toBe(0)
  await transport(get)
  await transport(get)
  expect(fetched).toBe(1)
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Basic YWRhOnNlY3JldA==', 'Basic YWRhOnNlY3JldA=='])
})

test('cookies are not stored', async () => {
  const { url, seen } = await site((_, response) => response.writeHead(200, { 'set-cookie': 'a=1' }).end('{}'))
  const transport = await transportTo(url)
  await transport(get)
  await transport(get)
  expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
})

test('a redirect of a read is followed; on the same origin with credentials', async () => {
  const { url, seen } = await site((request, response) =>
    request.url === '/new/tags?a=1'
      ? response.end('here')
      : response.writeHead(301, { location: '/new/tags?a=1' }).end(),
  )
  const transport = await transportTo(url, { credentials })
  expect(await transport(get)).toMatchObject({ status: 200, body: 'here' })
  expect(seen[1]?.headers).toMatchObject({ authorization: 'Basic YWRhOnNlY3JldA==', 'x-key': 'sesame' })
})

test('a redirect to another origin is followed only if it is allowed, and never with credentials', async () => {
  const elsewhere = await site((_, response) => response.end('here'))
  const { url } = await site((_, response) => response.writeHead(307, { location: `${elsewhere.url}/tags` }).end())
  const careful = await transportTo(url, { credentials })
  await expect(careful(get)).rejects.toMatchObject({
    kind: 'settings',
    message: `${url} redirects to ${elsewhere.url}/tags: nothing was read from there`,
  })
  const transport = await transportTo(url, { credentials, follow: [elsewhere.url] })
  expect(await transport(get)).toMatchObject({ status: 200, body: 'here' })
  expect(elsewhere.seen[0]?.headers).not.toHaveProperty('authorization')
  expect(elsewhere.seen[0]?.headers).not.toHaveProperty('x-key')
})

test('a write is not redirected', async () => {
  const elsewhere = await site((_, response) => response.end('here'))
  const { url } = await site((_, response) => response.writeHead(308, { location: `${elsewhere.url}/tags` }).end())
  const transport = await transportTo(url)
  await expect(transport({ ...get, method: 'POST', body: '{}' })).rejects.toMatchObject({
    kind: 'settings',
    message: `${url} redirects writes to ${elsewhere.url}/tags: nothing was written`,
  })
  expect(elsewhere.seen).toEqual([])
})

test('a redirect loop ends with an error', async () => {
  const { url, seen } = await site((_, response) => response.writeHead(302, { location: '/again' }).end())
  const transport = await transportTo(url)
  await expect(transport(get)).rejects.toMatchObject({ kind: 'settings', message: `too many redirects from ${url}` })
  expect(seen.length).toBe(6)
})

test('a compressed response is decompressed', async () => {
  const { url, seen } = await site((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"total":3}')),
  )
  const transport = await transportTo(url)
  expect(await transport(get)).toMatchObject({ body: '{"total":3}' })
  expect(seen[0]?.headers['accept-encoding']).toBe('gzip')
})

test('a response that does not arrive ends with a timeout', async () => {
  const { url } = await site(() => {})
  const transport = await transportTo(url, { timeout: 50 })
  await expect(transport(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `no answer from ${url} within 0.05 s`,
    details: { hint: 'wait longer with: --timeout 2m', method: 'GET', url: `${url}/calendar/events/v1/tags` },
  })
})

test('a response that never ends, ends with a timeout', async () => {
  const { url } = await site((_, response) => response.writeHead(200).write('{"tags":['))
  const transport = await transportTo(url, { timeout: 50 })
  await expect(transport(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `no answer from ${url} within 0.05 s`,
  })
})

test('a closed port is reported', async () => {
  const server = createServer()
  const url = await listen(server)
  await new Promise(resolve => server.close(resolve))
  const transport = await transportTo(url)
  await expect(transport(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `connection refused by ${url}`,
    details: { hint: 'check that the server is running, and the port' },
  })
})

test('an unknown host is reported', async () => {
  const transport = await transportTo('http://calendar.invalid')
  await expect(transport(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/^(no such host:|cannot look up the host) calendar\.invalid$/),
  })
})

test('a broken connection is reported', async () => {
  const { url } = await site(request => request.socket.destroy())
  const transport = await transportTo(url)
  await expect(transport(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `the connection to ${url} was lost`,
  })
})

test('an unanswered write may have been done, one that was never sent cannot', async () => {
  const post = { ...get, method: 'POST', body: '{}' }
  const { url: silent, seen } = await site(() => {})
  const toSilent = await transportTo(silent, { timeout: 1000 })
  const unanswered = passTime(
    1000,
    () => seen.length > 0,
    () => toSilent(post),
  )
  await expect(unanswered).rejects.toMatchObject({ details: { done: 'late' } })
  const { url: breaking } = await site(request => request.socket.destroy())
  await expect((await transportTo(breaking))(post)).rejects.toMatchObject({ details: { done: 'unknown' } })
  await expect((await transportTo(breaking))(get)).rejects.toMatchObject({ details: { done: 'no' } })
  for (const unreachable of ['http://127.0.0.1:9', 'http://calendar.invalid', breaking.replace('http:', 'https:')])
    await expect((await transportTo(unreachable))(post)).rejects.toMatchObject({ details: { done: 'no' } })
})

test('a write that waits too long for a connection is never sent', async () => {
  const pending: (() => void)[] = []
  const { url: origin, seen } = await site((_, response) => pending.push(() => response.end('{}')))
  const sender = createSender({ timeout: 180_000 })
  open.push(sender)
  const write = (path: string, timeout: number) => sender.send({ origin, method: 'POST', path, body: '{}' }, timeout)
  const slow = Array.from({ length: 8 }, (_, n) => write(`/${n}`, 180_000))
  await expect.poll(() => pending).toHaveLength(8)
  await expect(write('/waiting', 50)).rejects.toMatchObject({ details: { done: 'no' } })
  for (const answer of pending.splice(0)) answer()
  await Promise.all(slow)
  const after = write('/after', 180_000)
  await expect.poll(() => pending).toHaveLength(1)
  pending[0]?.()
  await after
  expect(seen.map(({ url }) => url)).not.toContain('/waiting')
})

test('https to an http port, and an answer that is not HTTP, are reported', async () => {
  const { url } = await site((_, response) => response.end('{}'))
  const secure = await transportTo(url.replace('http:', 'https:'))
  await expect(secure(get)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/^no secure connection to 127\.0\.0\.1:\d+: /),
  })
  const other = await listen(createTcpServer(socket => socket.end('220 mail.example.org ESMTP\r\n')))
  const transport = await transportTo(other)
  await expect(transport(get)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('closing cancels requests in progress and those about to start', async () => {
  const { url, seen } = await site(() => {})
  const transport = await transportTo(url)
  const first = expect(transport(get)).rejects.toMatchObject({ kind: 'interrupted' })
  while (seen.length === 0) await new Promise(setImmediate)
  const second = expect(transport(get)).rejects.toMatchObject({ kind: 'interrupted' })
  await transport.close()
  await Promise.all([first, second])
})
