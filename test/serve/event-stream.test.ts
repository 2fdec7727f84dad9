import { EventEmitter } from 'node:events'
import { request } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Streams, type Subscribe, streamOf } from '../../src/service/http/event-stream.ts'
import { startServe } from '../support/start-serve.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

async function serve(options: string) {
  const server = await startServe(`${options} --port 0 --token sesame`)
  if (!('stop' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  const post = (path: string, values: object, base = server.url) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-calctl-token': 'sesame', connection: 'close' },
      body: JSON.stringify(values),
    })
  return { ...server, origin: new URL(server.url).origin, post }
}

/** What a server sends to a client that listens, until the test ends. */
async function listen(url: string, headers: Record<string, string> = {}) {
  let text = ''
  const asked = request(url, { headers: { accept: 'text/event-stream', ...headers } })
  onTestFinished(() => void asked.destroy())
  const isEnded = vi.fn()
  const status = await new Promise<number | undefined>(resolve => {
    asked
      .on('error', () => {})
      .on('response', response => {
        response.setEncoding('utf8').on('data', piece => {
          text += piece
        })
        response.on('close', isEnded)
        resolve(response.statusCode)
      })
    asked.end()
  })
  const events = (name: string) =>
    [...text.matchAll(new RegExp(`^event: ${name}\ndata: (.*)\n\n`, 'gm'))].map(([, data = '']) => JSON.parse(data))
  return { status, events, isEnded, close: () => asked.destroy() }
}

const tag = (name: string) => ({ name })

test('a page is told of each change, also of those of another program', async () => {
  const { file, edit, read } = tempCalendarFile()
  const server = await serve(`--file ${file} --open`)
  const changes = await listen(`${server.origin}/__page/changes`)
  await expect.poll(() => changes.events('change')).toHaveLength(1)
  await server.post('/calendar/events/v1/tags', tag('jazz'))
  await expect.poll(() => changes.events('change')).toHaveLength(2)
  await expect.poll(read).toContain('jazz')
  edit(text => text.replaceAll('jazz', 'opera'))
  await expect.poll(() => changes.events('change').length).toBeGreaterThan(2)
  expect(new Set(changes.events('change').map(({ version }) => version)).size).toBe(changes.events('change').length)
})

test('a stream of requests begins with those that came, and shows each that follows, without secrets', async () => {
  const server = await serve('--memory')
  const get = () => fetch(`${server.url}/calendar/events/v1/tags?password=secret`, { headers: { connection: 'close' } })
  await get()
  const log = await listen(`${server.url}/__calctl/requests?method=get`, { 'x-calctl-token': 'sesame' })
  await server.post('/calendar/events/v1/tags', tag('jazz'))
  await get()
  await expect.poll(() => log.events('request')).toHaveLength(2)
  expect(log.events('request')[1]).toMatchObject({ route: 'GET /tags', status: 200, ms: expect.any(Number) })
  expect(JSON.stringify(log.events('request'))).not.toContain('secret"')
})

test('the requests are shown to nobody without the token', async () => {
  const server = await serve('--memory')
  expect((await listen(`${server.url}/__calctl/requests`)).status).toBe(403)
})

test('a server that stops ends its streams, and a client that left is forgotten', async () => {
  const server = await serve('--memory')
  const [stays, leaves] = [
    await listen(`${server.origin}/__page/changes`),
    await listen(`${server.origin}/__page/changes`),
  ]
  leaves.close()
  await server.post('/calendar/events/v1/tags', tag('jazz'))
  await expect.poll(() => stays.events('change')).toHaveLength(2)
  await server.stop()
  await expect.poll(() => stays.isEnded.mock.calls.length).toBe(1)
})

test('who asks only for the headers of a stream gets them, and keeps none open', async () => {
  const { origin } = await serve('--memory')
  const answer = await fetch(`${origin}/__page/changes`, { method: 'HEAD', headers: { connection: 'close' } })
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ])
})

/** A stream to a client that takes in nothing. */
function unread(subscribe: Subscribe) {
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'GET' },
    text: '',
    writableLength: 0,
    writeHead: () => {},
    destroy: vi.fn(),
    write(text: string) {
      this.text += text
      this.writableLength += text.length
    },
  })
  new Streams().open(response as never, streamOf(subscribe), () => {})
  return response
}

test('a client that does not read is left, and one that hears nothing gets a comment every 15 seconds', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const end = vi.fn()
  const silent = unread(() => end)
  expect(silent.text).toBe('retry: 2000\n\n')
  vi.advanceTimersByTime(30_000)
  expect([silent.text, silent.destroy.mock.calls]).toEqual(['retry: 2000\n\n:\n\n:\n\n', []])
  silent.emit('close')
  vi.advanceTimersByTime(30_000)
  expect([silent.text.length, end.mock.calls.length]).toEqual(['retry: 2000\n\n:\n\n:\n\n'.length, 1])
  const flooded = unread(send => {
    for (let count = 0; count < 1100; count++) send('request', 'x'.repeat(1000))
    return end
  })
  expect(flooded.destroy).toHaveBeenCalled()
})

test('of too many streams, the last is refused', async () => {
  const server = await serve('--memory')
  const open = () => listen(`${server.origin}/__page/changes`)
  const streams = await Promise.all(Array.from({ length: 100 }, open))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await open()).status).toBe(503)
  streams[0]?.close()
  await expect.poll(async () => (await open()).status).toBe(200)
})

test('the conditions in force can be read in the form in which they are set', async () => {
  const server = await serve('--memory --latency 1-3ms')
  const read = async () =>
    (
      await fetch(`${server.url}/__calctl/conditions`, { headers: { 'x-calctl-token': 'sesame', connection: 'close' } })
    ).json()
  expect(await read()).toEqual({ faults: [], latency: '1ms-3ms', now: null })
  const fault = { route: 'POST /events', skip: 1, times: 2, share: 0.5, status: 503, retryAfter: 1 }
  await server.post('/__calctl/fail', fault)
  await server.post('/__calctl/clock', { now: '2026-12-05T09:00:00Z' })
  await server.post('/__calctl/latency', { latency: '0ms' })
  expect(await read()).toEqual({ faults: [fault], latency: '0ms', now: '2026-12-05T09:00:00.000Z' })
})
