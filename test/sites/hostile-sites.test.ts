import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { worldOf } from '../support/world.ts'

const open: { close(): unknown; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) {
    one.close()
    one.closeAllConnections()
  }
})

const pem = (name: string) => resolve(import.meta.dirname, '../support/tls', name)
const tls = { key: readFileSync(pem('key.pem')), cert: readFileSync(pem('certificate.pem')) }

/** A site on a free port; its origin. */
async function site(listener: RequestListener, isSecure = false): Promise<string> {
  const server = isSecure ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  open.push(server)
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

const tag = { id: 1, name: 'Jazz', slug: 'jazz', description: '', count: 1 }
const page = { tags: [tag], total: 1, total_pages: 1 }

const calctl = (env: Record<string, string> = {}) => worldOf({ env })

test('a read that is redirected to another origin is refused, and followed if --follow names that origin', async () => {
  const seen: (string | undefined)[] = []
  const elsewhere = await site((request, response) => {
    seen.push(request.headers.authorization)
    json(page)(request, response)
  })
  const base = await site((_, response) => response.writeHead(302, { location: `${elsewhere}/tags` }).end())
  const run = calctl({ CALCTL_BASE_URL: base, CALCTL_USER: 'ada', CALCTL_PASSWORD: 'secret' })
  expect(await run('tags list -o ids')).toEqual({
    status: 3,
    out: '',
    err: `error: ${base} redirects to ${elsewhere}/tags: nothing was read from there\nhint: if you trust it, use it as the base URL; or, for reads alone, add: --follow ${elsewhere}\n`,
  })
  expect(seen).toEqual([])
  expect(await run(`tags list -o ids --follow ${elsewhere}`)).toMatchObject({ status: 0, out: '1\n' })
  expect(seen).toEqual([undefined])
  expect(await run('tags list --follow example')).toMatchObject({
    status: 2,
    err: expect.stringContaining('error: --follow: expected an origin: scheme, host and port, got "example"'),
  })
})

test('a site that moved to https, or to a name with www., is refused with the base URL to use', async () => {
  const base = await site((request, response) =>
    response.writeHead(301, { location: `https://www.town.example${request.url}` }).end(),
  )
  const { err, status } = await calctl()(`tags list --base-url ${base}/wp-json --namespace tribe/events/v1`)
  expect([status, err]).toEqual([3, expect.stringContaining('use --base-url https://www.town.example/wp-json;')])
  const write = await calctl()(`tags create --name Jazz --base-url ${base}/wp-json`)
  expect([write.status, write.err]).toEqual([
    3,
    expect.stringMatching(/use --base-url https:..www.town.example.wp-json$/m),
  ])
})

test('a site with a certificate of its own is read and written with --ca-file', async () => {
  const secure = await site((request, response) => json(request.method === 'GET' ? page : tag)(request, response), true)
  const trust = `--ca-file ${pem('certificate.pem')}`
  expect(await calctl()(`tags list -o ids --base-url ${secure} ${trust}`)).toMatchObject({ status: 0, out: '1\n' })
  expect(await calctl()(`tags create --name Jazz --base-url ${secure} ${trust}`)).toMatchObject({ status: 0 })
})

test('a redirect from https to http is refused, and so is that of a feed', async () => {
  const plain = await site(json(page))
  const secure = await site((_, response) => response.writeHead(301, { location: `${plain}/tags` }).end(), true)
  const run = calctl()
  const trust = `--ca-file ${pem('certificate.pem')}`
  const refusal = { status: 3, err: expect.stringContaining(`${secure} redirects to ${plain}/tags`) }
  expect(await run(`tags list --base-url ${secure} ${trust}`)).toMatchObject(refusal)
  const feed = await run(`diff --exit-code ${secure}/town.ics --base-url ${plain} ${trust}`)
  expect(feed).toMatchObject(refusal)
  expect(feed.err).toContain(`if you trust it, read ${plain}/tags, or add: --follow ${plain}`)
})

test('a write is never redirected, not even with --follow', async () => {
  const elsewhere = await site(json(tag))
  const base = await site((_, response) => response.writeHead(307, { location: `${elsewhere}/tags` }).end())
  expect(await calctl()(`tags create --name Jazz --base-url ${base} --follow ${elsewhere}`)).toMatchObject({
    status: 3,
    err: expect.stringContaining(`redirects writes to ${elsewhere}/tags: nothing was written`),
  })
})

test('a proxy of the environment is not used for this machine', async () => {
  let proxied = 0
  const proxy = await site((_, response) => {
    proxied += 1
    response.end('by proxy')
  })
  const base = await site(json(page))
  const run = calctl({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
  for (const host of ['127.0.0.1', 'localhost'])
    expect(await run(`tags list -o ids --base-url ${base.replace('127.0.0.1', host)}`)).toMatchObject({ out: '1\n' })
  expect(proxied).toBe(0)
})

test('an answer has a largest size, which the error names', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
  const base = await site((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
  expect(await calctl()(`tags list --base-url ${base} --retries 0`)).toEqual({
    status: 5,
    out: '',
    err: `error: the answer of ${base} is larger than 64 MB\nhint: request fewer records with: --per-page 10\n`,
  })
})

test.each(['the same page', 'an endless number of pages of the same records'])('list --all ends at %s', async what => {
  let requests = 0
  const base = await site((request, response) => {
    requests += 1
    const number = Number(new URL(request.url ?? '', base).searchParams.get('page') ?? 1)
    const records = what === 'the same page' ? [tag] : [{ ...tag, id: (number % 3) + 1 }]
    json({ tags: records, total: 1e9, total_pages: 1e9 })(request, response)
  })
  const { status } = await calctl()(`tags list --all --base-url ${base}`)
  expect(status).toBe(6)
  expect(requests).toBeLessThan(30)
})
