import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import type { World } from '../../src/cli/world.ts'
import { withReconciliation } from '../../src/client/adapters/lost-writes.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { pauseOf } from '../../src/client/http/open-site.ts'
import { type RetryOptions, withRetries } from '../../src/client/http/retry.ts'
import { createHttpTransport } from '../../src/client/http/transport.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A command line that reaches a site over the network only. */
const calctl = (line: string, env: Record<string, string> = {}) =>
  worldOf({ transport: () => Promise.reject(new Error('no embedded calendar here')), env })(line)

async function serve(options: string): Promise<string> {
  const server = await startServe(`--memory --port 0 ${options}`)
  if (!('url' in server)) throw new Error(server.err)
  open.push({ close: () => server.stop() })
  return server.url
}

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

const events = resourceNamed('events')

/** A client that retries without delays. */
async function retryingClient(baseUrl: string, retries: number, timeout = 60_000) {
  const retryOptions: RetryOptions = {
    retries,
    now: Date.now,
    random: () => 0,
    pause: () => new Promise(setImmediate),
    notice: async () => {},
  }
  const transport = await createHttpTransport({ baseUrl, timeout })
  open.push(transport)
  const retrying = withRetries(transport, baseUrl, retryOptions)
  return withReconciliation(
    calendarApi({
      transport: retrying,
      calendar: calendarAt(baseUrl, 'calendar/events/v1'),
      namespace: 'calendar/events/v1',
    }),
    retryOptions,
  )
}

describe.each(['', '--quirks --open'])('serve %s', flags => {
  test.each([
    '--fail 30%:reset --seed 7',
    '--fail 20%:reset --fail 4%:timeout --seed 11',
    '--fail 15%:502 --fail 15%:500 --fail 10%:504 --seed 3',
  ])('a lost answer never creates a second record: %s', async faults => {
    // What is never answered is waited for.
    const timeout = faults.includes('timeout') ? 500 : undefined
    const client = await retryingClient(await serve(`${flags} ${faults}`), 9, timeout)
    const fates = new Map<string, number | 'not created' | 'unknown'>()
    for (let n = 1; n <= 25; n++) {
      const title = `Act ${n}`
      const values = { title, start_date: '2030-12-05 19:00:00', end_date: '2030-12-05 21:00:00' }
      try {
        fates.set(title, (await client.create(events, values)).id)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const mayBeThere = error.details.done === 'unknown' || error.details.done === 'late'
        fates.set(title, mayBeThere ? 'unknown' : 'not created')
      }
    }
    const ids = new Map<string, number[]>()
    for await (const { records } of client.pages(events, { starts_after: '2030-01-01', per_page: 50 }))
      for (const { id, title } of records) ids.set(String(title), [...(ids.get(String(title)) ?? []), id])
    for (const [title, fate] of fates) {
      const created = ids.get(title) ?? []
      if (typeof fate === 'number') expect(created, title).toEqual([fate])
      else expect(created.length, `${title}: ${fate}`).toBeLessThanOrEqual(fate === 'unknown' ? 1 : 0)
    }
    expect([...fates.values()].filter(fate => typeof fate === 'number').length).toBeGreaterThan(12)
  })

  test('updates and deletes are done once', async () => {
    const client = await retryingClient(await serve(`${flags} --fail 30%:reset --seed 5`), 9)
    const values = { title: 'Concert', start_date: '2030-12-05 19:00:00', end_date: '2030-12-05 21:00:00' }
    for (let n = 1; n <= 8; n++) {
      const { id } = await client.create(events, values)
      expect(await client.update(events, { id }, { title: `Concert ${n}` })).toMatchObject({
        id,
        title: `Concert ${n}`,
      })
      expect(await client.delete(events, { id })).toMatchObject({ id, status: 'trash' })
    }
    expect((await client.list(events, { starts_after: '2030-01-01' })).total).toBe(0)
  })
})

test('calctl finds the record of a lost answer, and reports it', async () => {
  // With this seed the first request is executed and its answer lost; the next two are answered.
  const url = await serve('--fail 50%:reset --seed 19')
  const { status, out, err } = await calctl(`--base-url ${url} tags create --name "Aire lliure" -o ids`)
  expect({ status, err, out }).toEqual({
    status: 0,
    err: expect.stringMatching(
      /^the connection to \S+ was lost; the tag was created anyway\nCreated tag "Aire lliure" \(1\)\. Undo: calctl undo \S+ --base-url \S+\n$/,
    ),
    out: '1\n',
  })
})

const noTags = '{"tags":[],"total":0,"total_pages":0}'

test('a read is retried with a notice, except with -q and --json', async () => {
  let requestCount = 0
  const url = await site((_, response) => {
    requestCount += 1
    response.writeHead(requestCount % 2 === 1 ? 500 : 200).end(noTags)
  })
  const { status, err } = await calctl(`--base-url ${url} tags list -o ids`)
  expect(status).toBe(0)
  expect(err).toMatch(/^http:\/\/127\.0\.0\.1:\d+ answered 500; retrying in 0\.\d s\n$/)
  expect(await calctl(`--base-url ${url} tags list -o ids -q`)).toEqual({ status: 0, out: '', err: '' })
  expect(await calctl(`--base-url ${url} tags list --json`)).toEqual({ status: 0, out: '[]\n', err: '' })
})

test('--retries 0 does not retry, and --retries refuses what is not a number', async () => {
  const url = await site((_, response) => response.writeHead(503).end())
  expect(await calctl(`--base-url ${url} tags list --retries 0`)).toEqual({
    status: 5,
    out: '',
    err: `error: ${url} answered 503 with nothing\nhint: try again later\n`,
  })
  expect(await calctl('tags list --retries often')).toEqual({
    status: 2,
    out: '',
    err: 'error: --retries: expected a whole number, got "often"\nhint: for example: --retries 5\n',
  })
})

test('--header is sent to the base URL, and takes the source of its value, never the value', async () => {
  const seen: unknown[] = []
  const url = await site(({ headers }, response) => {
    seen.push(headers['x-key'], headers.authorization)
    response.end(noTags)
  })
  const line = `--base-url ${url} tags list --header 'X-Key: env:KEY' --header 'Authorization: env:TOKEN'`
  expect((await calctl(line, { KEY: 'sesame', TOKEN: 'Bearer abc' })).status).toBe(0)
  expect(seen).toEqual(['sesame', 'Bearer abc'])
  expect(await calctl(`--base-url ${url} tags list --header 'X-Key: sesame'`)).toEqual({
    status: 2,
    out: '',
    err: 'error: --header: expected the source of the secret, not the secret itself\nhint: give env:NAME, command:… (a command whose first output line is the secret) or file:… (a file with mode 0600)\n',
  })
})

test('--header is not sent to a base URL from a project file', async () => {
  const seen: unknown[] = []
  const url = await site(({ headers }, response) => {
    seen.push(headers['x-key'])
    response.end(noTags)
  })
  const cwd = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(join(cwd, '.calctl.json'), JSON.stringify({ baseUrl: url }))
  const world = worldOf({ transport: () => Promise.reject(new Error('unused')), cwd, env: { KEY: 'sesame' } })
  const { status, err } = await world("tags list --header 'X-Key: env:KEY'")
  expect({ status, err, seen }).toEqual({
    status: 3,
    err: `error: ${cwd}/.calctl.json is not trusted: its baseUrl cannot be used with credentials\nhint: check its contents, then run: calctl trust\n`,
    seen: [],
  })
})

test('a missing --ca-file is reported', async () => {
  expect(await calctl('--base-url https://example.org tags list --ca-file none.pem')).toMatchObject({
    status: 3,
    err: expect.stringContaining('error: --ca-file: cannot read /none.pem'),
  })
})

test('a proxy from the environment is used', async () => {
  const requestCount: (string | undefined)[] = []
  const proxy = await site(({ url }, response) => {
    requestCount.push(url)
    response.end(noTags)
  })
  expect((await calctl('--base-url http://calendar.invalid tags list', { HTTP_PROXY: proxy })).status).toBe(0)
  expect(requestCount).toEqual(['http://calendar.invalid/calendar/events/v1/tags'])
})

test('Ctrl-C ends the wait for a retry', async () => {
  const untilStopped: World['sleep'] = (_, signal) =>
    new Promise(done => signal?.addEventListener('abort', () => done()))
  await expect(pauseOf(untilStopped, AbortSignal.timeout(1))(60_000)).rejects.toMatchObject({
    kind: 'interrupted',
    message: 'interrupted while waiting to retry',
  })
})
