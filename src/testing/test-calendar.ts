import { usage } from '../base/failure.ts'
import { asCalendarError, withCalendarErrors } from '../client/library/calendar-error.ts'
import type { Request } from '../contract/exchange.ts'
import {
  type Conditions,
  type FaultFields,
  faultOf,
  faultProblem,
  type RequestFilter,
} from '../service/http/conditions.ts'
import { readLatency, type ServerOutcome } from '../service/http/faults.ts'
import type { HttpServer } from '../service/http/server.ts'
import type { Snapshot, Store } from '../service/store/store.ts'
import { readMoment } from './moment.ts'
import type { TestCalendar } from './testing.d.ts'

/** What a calendar is made from. */
interface Parts {
  readonly store: Store
  readonly conditions: Conditions
  readonly server: HttpServer
  answer(request: Request): Promise<ServerOutcome>
  readonly url: string
  readonly basePath: string
  readonly namespace: string
  readonly token: string
}

export function testCalendar(parts: Parts): TestCalendar {
  const { store, conditions, server, url, namespace, token } = parts
  const seed = store.snapshot()
  const snapshots = new WeakSet<object>([seed])
  let isClosed = false
  const checkOpen = () => {
    if (isClosed) throw wrong('the calendar is closed', 'start another one')
  }
  const whileOpen = <T>(run: () => Promise<T>): Promise<T> =>
    withCalendarErrors(() => {
      checkOpen()
      return run()
    })
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await server.stop()
    await store.close()
  }
  return {
    url,
    apiUrl: `${url}/${namespace}`,
    namespace,
    token,
    fetch: (input, init) => whileOpen(() => answerHere(parts, new Request(input, init))),
    reset: () =>
      whileOpen(async () => {
        await store.restore(seed)
        conditions.reset()
      }),
    snapshot: () =>
      whileOpen(async () => {
        await store.whenSaved()
        const snapshot = store.snapshot()
        snapshots.add(snapshot)
        return snapshot
      }),
    restore: snapshot =>
      whileOpen(async () => {
        if (!snapshots.has(snapshot))
          throw wrong('this is no snapshot of this calendar', 'restore one that its snapshot() returned')
        await store.restore(snapshot as Snapshot)
      }),
    ...controlsOf(conditions, checkOpen),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The conditions that a test can change while the calendar is open. */
function controlsOf(conditions: Conditions, checkOpen: () => void) {
  const change = (run: () => void): void => {
    try {
      checkOpen()
      run()
    } catch (error) {
      throw asCalendarError(error)
    }
  }
  return {
    fail: (fault: FaultFields) =>
      change(() => {
        const problem = faultProblem({ ...fault })
        if (problem !== undefined) throw wrong(problem, "for example: { route: 'POST /events', status: 503, times: 1 }")
        conditions.fail(faultOf(fault))
      }),
    heal: () => change(() => conditions.heal()),
    latency: (range: string) =>
      change(() => {
        const latency = readLatency(range)
        if (!latency)
          throw wrong(`expected a duration or a range, got ${JSON.stringify(range)}`, "for example: '50ms-200ms'")
        conditions.delay(latency)
      }),
    travelTo: (time: string | Date) => change(() => conditions.travelTo(readMoment(time))),
    requests: (filter?: RequestFilter) => conditions.requests(filter),
  }
}

const wrong = (message: string, hint: string) => usage(message, hint)

/** Answers a request of `fetch` in this process; if a fault leaves it unanswered, it ends as over a socket. */
async function answerHere({ answer, url, basePath }: Parts, asked: globalThis.Request): Promise<globalThis.Response> {
  const { origin, pathname, search } = new URL(asked.url)
  if (origin !== new URL(url).origin)
    throw new TypeError('fetch failed', { cause: wrong(`${origin} is not this calendar`, `ask ${url}`) })
  const bytes = asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer())
  const outcome = await answer({
    method: asked.method,
    path: pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname,
    query: search.slice(1),
    headers: Object.fromEntries(asked.headers),
    ...(bytes && { body: bytes }),
  })
  if (outcome === 'timeout') return untilAborted(asked.signal)
  if (outcome === 'reset') throw new TypeError('fetch failed', { cause: new Error('the connection was reset') })
  const hasBody = ![101, 204, 205, 304].includes(outcome.status) && asked.method !== 'HEAD'
  const body = typeof outcome.body === 'string' ? outcome.body : new Uint8Array(outcome.body)
  return new Response(hasBody ? body : null, { status: outcome.status, headers: outcome.headers })
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
