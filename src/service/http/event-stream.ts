import type { ServerResponse } from 'node:http'
import type { Response } from '../../contract/exchange.ts'
import { errorResponse } from '../refusal.ts'
import type { Store } from '../store/store.ts'

/** Sends an event of a stream, with its data as JSON. */
type SendEvent = (name: string, data: unknown) => void

/** Called when a client listens; returns a function that ends that. */
export type Subscribe = (send: SendEvent) => () => void

/** An answer that continues until the client or the server ends it: server-sent events. */
export interface StreamResponse extends Response {
  readonly subscribe: Subscribe
}

export const isStream = (response: Response): response is StreamResponse => 'subscribe' in response

/** The answer to a client that asked for events. */
export const streamOf = (subscribe: Subscribe): StreamResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  body: '',
  subscribe,
})

/** How often a silent connection gets a comment that keeps it open, in ms. */
const heartbeat = 15_000
/** How long a client waits before it connects again, in ms. */
const retryAfter = 2000
const mostStreams = 100
/** How much may wait for a client that does not read, in bytes; after that, its connection is closed, and it has to connect again. */
const mostUnread = 1_000_000

/** The streams of a server. */
export class Streams {
  readonly #open = new Set<ServerResponse>()

  /** Sends a stream until either side ends it; if too many are open, `refuse` sends an answer that says so. */
  open(
    response: ServerResponse,
    { status, headers, subscribe }: StreamResponse,
    refuse: (response: ServerResponse, answer: Response) => void,
  ): void {
    if (this.#open.size >= mostStreams) {
      refuse(response, tooManyStreams)
      return
    }
    response.shouldKeepAlive = false
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD') {
      response.end()
      return
    }
    this.#open.add(response)
    const write = (text: string) => {
      response.write(text)
      if (response.writableLength > mostUnread) response.destroy()
    }
    write(`retry: ${retryAfter}\n\n`)
    const beating = setInterval(() => write(':\n\n'), heartbeat).unref()
    const end = subscribe((name, data) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
    response.once('close', () => {
      clearInterval(beating)
      this.#open.delete(response)
      end()
    })
  }

  endAll(): void {
    for (const response of this.#open) response.end()
  }
}

const tooManyStreams = errorResponse(
  503,
  'calctl_too_many_streams',
  `At most ${mostStreams} streams are open at a time.`,
  { 'retry-after': '10' },
)

/** How often a calendar is checked while somebody listens, in ms, because another program may have changed its file. */
const pollInterval = 250

/** The clock of a calendar, as pages get it. */
export interface ClockState {
  readonly now: Date
  /** Whether the clock was stopped. */
  readonly stands: boolean
}

/**
 * Tells listeners when the calendar changes, whoever changes it, and when its clock is moved: `change`, with a number that differs after each
 * change of the calendar, and the clock.
 */
export function changesOf(store: Pick<Store, 'version' | 'refresh'>, clock: () => ClockState): Subscribe {
  const listeners = new Set<SendEvent>()
  let timer: ReturnType<typeof setInterval> | undefined
  const state = () => ({ version: store.version, ...clock() })
  // A clock that runs is the same clock a moment later.
  const markOf = ({ version, now, stands }: ReturnType<typeof state>) => `${version} ${stands ? now.getTime() : ''}`
  let told = markOf(state())
  const look = async () => {
    await store.refresh()
    const current = state()
    if (markOf(current) === told) return
    told = markOf(current)
    for (const send of listeners) send('change', current)
  }
  return send => {
    const current = state()
    if (listeners.size === 0) told = markOf(current)
    listeners.add(send)
    // A file that cannot be read now is read at the next look, and requests say what is wrong with it.
    timer ??= setInterval(() => void look().catch(() => {}), pollInterval).unref()
    send('change', current)
    return () => {
      listeners.delete(send)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
