import type { Request } from '../../src/contract/exchange.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { Store } from '../../src/service/store/store.ts'
import { usersOf } from '../support/users.ts'
import { differences } from './compare.ts'
import { Ids } from './ids.ts'
import { isLeftOut } from './left-out.ts'
import type { ByHand, Exchange, Group, Step, Write } from './recording.ts'

/** The result of one exchange: its differences, if any. */
export interface Outcome {
  readonly name: string
  readonly differences: readonly string[]
}

/** The content of a new WordPress: four posts, a category, and perhaps an image. */
async function begin(store: Store, ids: Ids, poster?: string): Promise<void> {
  await store.write(writing => {
    for (let stock = 1; stock <= 4; stock++) writing.nextId('post')
    writing.nextId('term')
    if (!poster) return
    const id = writing.nextId('post')
    writing.put('images', { id, url: poster })
    ids.learn('post', 5, id)
  })
}

/** Replays a group against a new service, and compares every exchange that is not left out. */
export async function play({ zone, poster, clock, steps }: Group): Promise<Outcome[]> {
  const store = memoryStore({ language: 'en', timezone: siteZone(zone), quirks: true })
  const ids = new Ids()
  await begin(store, ids, poster)
  let moment = Date.parse(clock ?? '2026-11-21T02:00:00Z')
  const service = createService({
    store,
    now: () => new Date(moment),
    baseUrl: 'http://calendar.test/wp-json',
    namespace: 'tribe/events/v1',
    perPage: 10,
    quirks: true,
    users: usersOf('admin', 'editor:editor', 'author:author', 'contributor:contributor', 'subscriber:subscriber'),
  })
  const outcomes: Outcome[] = []
  for (const step of steps) {
    if (clock) moment += 1000
    const found = await playStep(step, { service, store, ids })
    if (found) outcomes.push(found)
  }
  return outcomes
}

const siteZone = (zone: string): string => (zone === 'UTC' ? 'UTC+0' : zone.replace('+sitemode', ''))

interface Stage {
  readonly service: Service
  readonly store: Store
  readonly ids: Ids
}

async function playStep(step: Step, stage: Stage): Promise<Outcome | undefined> {
  if ('by_hand' in step) return changeByHand(step, stage)
  if ('write' in step) return write(step, stage)
  const leftOut = isLeftOut(step)
  if (!leftOut || step.response.status < 300) {
    const found = await exchange(step, stage)
    return leftOut ? undefined : found
  }
  return undefined
}

async function changeByHand({ by_hand: { event, post_password } }: ByHand, { store, ids }: Stage): Promise<undefined> {
  const row = store.table('events').get(ids.ours('post', event))
  if (row) await store.write(writing => writing.put('events', { ...row, post_password }))
}

/** Writes of every role are repeated, so that later exchanges find the records. */
async function write({ write }: Write, { service, ids }: Stage): Promise<Outcome | undefined> {
  const { path, type = 'application/json', auth } = write
  const headers = { 'content-type': type, ...(auth && { authorization: credentials(`Basic <${auth}>`) }) }
  const answer = await service(ready(ids.request(write), headers))
  const isAsRecorded = write.status === undefined ? answer.status < 300 : answer.status === write.status
  if (!isAsRecorded)
    return { name: `${write.method} ${path}`, differences: [`${answer.status}: ${String(answer.body).slice(0, 160)}`] }
  if (write.ids && answer.status < 300) ids.learnFrom(path, write.ids, parsed(answer.body))
  return undefined
}

async function exchange({ name, request, response }: Exchange, { service, ids }: Stage): Promise<Outcome> {
  const { authorization, ...others } = request.headers
  const headers = { ...others, ...(authorization && { authorization: credentials(authorization) }) }
  const answer = await service(ready(ids.request(request), headers))
  const body = parsed(answer.body)
  if (request.method !== 'GET' && answer.status < 300) ids.learnFrom(request.path, response.body, body)
  const { location } = response.headers
  const expected = {
    ...response,
    headers: { ...response.headers, ...(location && { location: String(ids.answer(request.path, location)) }) },
    body: ids.answer(request.path, response.body),
  }
  return { name, differences: differences(expected, { ...answer, body }) }
}

function ready({ body, ...request }: ReturnType<Ids['request']>, headers: Record<string, string>): Request {
  const text = body === undefined ? undefined : onTheWire(body, headers['content-type'] ?? '')
  return { ...request, path: pathBelowBase(request.path), headers, ...(text !== undefined && { body: text }) }
}

/** Recorded paths are below the namespace, or begin with the base path `/wp-json`, or ask for the front page. */
function pathBelowBase(path: string): string {
  if (path === '/') return path
  return path.startsWith('/wp-json/') ? path.slice('/wp-json'.length) : `/tribe/events/v1${path}`
}

const onTheWire = (body: unknown, type: string): string | Uint8Array => {
  if (typeof body === 'string') return bytes(body)
  return /urlencoded/.test(type) ? new URLSearchParams(Object.entries(body as object)).toString() : JSON.stringify(body)
}

/** Binary bodies were recorded in Python's notation, `b'…\xff'`, or by what they are: `<PNG, 80 x 60>`, which had 153 bytes. */
const bytes = (text: string): string | Uint8Array => (/^<PNG, (\d+) x (\d+)>$/.test(text) ? png(text) : inPython(text))

function png(text: string): Uint8Array {
  const [width = 0, height = 0] = text.match(/\d+/g)?.map(Number) ?? []
  const file = Buffer.alloc(153)
  file.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file
}

const inPython = (text: string): string | Uint8Array =>
  text.startsWith("b'")
    ? Buffer.from(
        text.slice(2, -1).replace(/\\x([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      )
    : text

/** `<admin>` and the like are users of that name; `<other:NAME:PASSWORD>` has this name and password. */
const credentials = (header: string): string =>
  header.replace(/<(.*)>/, (_, who: string) => Buffer.from(nameAndPassword(who)).toString('base64'))

function nameAndPassword(who: string): string {
  return who.startsWith('other:') ? who.slice('other:'.length) : `${who}:secret`
}

const parsed = (body: string | Uint8Array): Record<string, unknown> => {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return text === '' ? {} : JSON.parse(text)
}
