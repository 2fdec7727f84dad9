import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { hostileText } from './hostile-texts.ts'

/** A site whose every string attacks the terminal that it is printed on. */
export interface HostileSite {
  readonly url: string
  close(): Promise<void>
}

/** Texts that calctl compares or computes with: with anything else in them, few commands would get as far as printing. */
const structural = new Set(['status', 'slug', 'code', 'lang_code', 'timezone', 'timezone_string', 'type', 'taxonomy'])

const isStructural = (name: string, value: string): boolean =>
  structural.has(name) || /^\d{4}-\d{2}-\d{2}/.test(value) || /^https?:/.test(value)

/** The value with `attack` appended to each text, names of unknown properties included; with `keepsStructure` to most. */
function poison(value: unknown, keepsStructure: boolean, name = '', depth = 0): unknown {
  if (typeof value === 'string') return keepsStructure && isStructural(name, value) ? value : `${value}${hostileText}`
  if (Array.isArray(value)) return value.map(item => poison(item, keepsStructure, name, depth))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, poison(inner, keepsStructure, key, depth + 1)] as const,
  )
  return { ...Object.fromEntries(entries), ...(depth < 2 && { [`more${hostileText}`]: hostileText }) }
}

const bodies: readonly (readonly [path: string, body: object])[] = [
  ['venues', { venue: 'Sala Gran', city: 'Girona' }],
  ['organizers', { organizer: 'Orfeó' }],
  ['categories', { name: 'Música' }],
  ['tags', { name: 'jazz' }],
  ...(['Concert', 'Recital', 'Ball'].map((title, index) => [
    'events',
    {
      title,
      description: '<p>Music</p>',
      start_date: `2026-12-0${index + 1} 19:00`,
      end_date: `2026-12-0${index + 1} 21:00`,
      venue: 1,
      organizer: [2],
      categories: [1],
      tags: [2],
    },
  ]) as [string, object][]),
]

/** Serves a small calendar as production does, with hostile texts in all answers, and in all errors and headers. */
export async function startHostileSite(keepsStructure: boolean): Promise<HostileSite> {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://hostile.test/wp-json',
    namespace: 'tribe/events/v1',
  })
  const headers = { 'content-type': 'application/json' }
  for (const [path, body] of bodies)
    await service({ method: 'POST', path: `/tribe/events/v1/${path}`, headers, body: JSON.stringify(body) })
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://hostile.test')
    const answer = await service({
      method: request.method ?? 'GET',
      path: url.pathname.replace('/wp-json', ''),
      query: url.search.slice(1),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: await text(Readable.from(request)),
    })
    const body = Buffer.from(answer.body).toString()
    const poisoned = body === '' ? '' : JSON.stringify(poison(JSON.parse(body), keepsStructure))
    // Node sends no control characters in headers, but C1 as they are.
    const foreign = '\u009b31m\u009d52;c;cm0=\u009c'
    response.writeHead(answer.status, { 'content-type': 'application/json', 'retry-after': foreign }).end(poisoned)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/wp-json`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
