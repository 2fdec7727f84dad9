import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { trustedCertificates } from '../../src/cli/connect/certificates.ts'
import { proxiesIn } from '../../src/client/http/sender.ts'
import { createHttpTransport, type HttpOptions } from '../../src/client/http/transport.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const pem = (name: string) => resolve(import.meta.dirname, '../support/tls', name)

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A proxy that records its requests, answers plain ones itself, and connects every tunnel to this port. */
async function proxy(tunnelTo = 0) {
  const requests: string[] = []
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    response.end('by proxy')
  })
  server.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`)
    if (tunnelTo === 0) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const far = connect(tunnelTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(socket).pipe(far)
    })
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  return { requests, url: `http://127.0.0.1:${await listen(server)}` }
}

const secureSite = () =>
  createHttpsServer({ key: readFileSync(pem('key.pem')), cert: readFileSync(pem('certificate.pem')) }, (_, response) =>
    response.end('securely'),
  )

async function get(baseUrl: string, options: Omit<HttpOptions, 'baseUrl'> = {}) {
  const transport = await createHttpTransport({ baseUrl, timeout: 60_000, ...options })
  open.push(transport)
  return transport({ method: 'GET', path: '/tags', query: 'page=2' })
}

test('plain http goes through the proxy of HTTP_PROXY', async () => {
  const { requests, url } = await proxy()
  const proxies = proxiesIn({ HTTP_PROXY: url.replace('//', '//ada:secret@') })
  expect(await get('http://calendar.invalid/wp-json', { proxies })).toMatchObject({ body: 'by proxy' })
  expect(requests).toEqual(['GET http://calendar.invalid/wp-json/tags?page=2 Basic YWRhOnNlY3JldA=='])
})

test('NO_PROXY excludes hosts, and the lower-case variables win', async () => {
  const { requests, url } = await proxy()
  const proxies = proxiesIn({
    http_proxy: url,
    HTTP_PROXY: 'http://other.invalid',
    NO_PROXY: 'example.org,site.invalid',
  })
  await expect(get('http://site.invalid', { proxies })).rejects.toMatchObject({
    message: expect.stringMatching(/^(no such host:|cannot look up the host) site\.invalid$/),
  })
  expect(await get('http://calendar.invalid', { proxies })).toMatchObject({ body: 'by proxy' })
  expect(requests).toEqual(['GET http://calendar.invalid/tags?page=2'])
})

test('https goes through a tunnel of HTTPS_PROXY, not of HTTP_PROXY', async () => {
  const port = await listen(secureSite())
  const { requests, url } = await proxy(port)
  const trusted = await trustedCertificates(pem('certificate.pem'))
  expect(await get('https://calendar.test', { proxies: proxiesIn({ https_proxy: url }), trusted })).toMatchObject({
    body: 'securely',
  })
  expect(requests).toEqual(['CONNECT calendar.test:443'])
  const direct = { proxies: proxiesIn({ http_proxy: url }), trusted }
  expect(await get(`https://127.0.0.1:${port}`, direct)).toMatchObject({ body: 'securely' })
  expect(requests.length).toBe(1)
})

test('a proxy that is unreachable or refuses is named', async () => {
  const { url } = await proxy()
  await expect(get('https://calendar.test', { proxies: proxiesIn({ HTTPS_PROXY: url }) })).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'the proxy refused to connect to calendar.test: it answered 407',
    details: { done: 'no', hint: `check the proxy ${url}, through which the request goes` },
  })
  const nowhere = proxiesIn({ HTTP_PROXY: '127.0.0.1:9' })
  await expect(get('http://calendar.invalid', { proxies: nowhere })).rejects.toMatchObject({
    kind: 'unreachable',
    details: { done: 'no', hint: 'check the proxy http://127.0.0.1:9, through which the request goes' },
  })
})

test('an invalid proxy address is refused', () => {
  expect(() => proxiesIn({ HTTPS_PROXY: 'http://ada:secret@:x' })).toThrow(
    expect.objectContaining({ kind: 'settings', message: 'HTTPS_PROXY: expected the URL of a proxy' }),
  )
})

test('an untrusted certificate is refused, and accepted with --ca-file', async () => {
  const baseUrl = `https://127.0.0.1:${await listen(secureSite())}`
  await expect(get(baseUrl)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(
      /^no secure connection to 127\.0\.0\.1:\d+: its certificate is not signed by an authority that this machine trusts$/,
    ),
    details: { done: 'no', hint: expect.stringContaining('add: --ca-file PATH') },
  })
  expect(await get(baseUrl, { trusted: await trustedCertificates(pem('certificate.pem')) })).toMatchObject({
    body: 'securely',
  })
})

test('--ca-file refuses a file without certificates, and one that cannot be read', async () => {
  await expect(trustedCertificates(pem('key.pem'))).rejects.toMatchObject({
    kind: 'settings',
    message: `--ca-file: no certificates in ${pem('key.pem')}`,
  })
  await expect(trustedCertificates(pem('nothing.pem'))).rejects.toMatchObject({
    kind: 'settings',
    message: expect.stringContaining(`--ca-file: cannot read ${pem('nothing.pem')}: no such file`),
  })
})
