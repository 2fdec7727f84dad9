import type { Failure } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { calendarAt } from '../../../client/calendar.ts'
import { phpMessageIn } from '../../../client/http/api-error.ts'
import { responseFailure } from '../../../client/http/problems/response-failure.ts'
import { addressOf } from '../../../client/http/request.ts'
import { parseBody } from '../../../client/http/response.ts'
import { type ConnectionOptions, createSender } from '../../../client/http/sender.ts'
import { type TracedExchange, withTraffic } from '../../../client/http/traffic.ts'
import { createHttpTransport, type HttpTransport } from '../../../client/http/transport.ts'
import { isWholeAnswer, type Request, type Response, type Transport } from '../../../contract/exchange.ts'
import type { Credentials } from '../../profiles/credentials.ts'

/** Sends the requests of the checks, and keeps answers that several checks need. */
export interface Probe {
  /** Sends a request below the base URL as commands do: with credentials, and following the same redirects. */
  ask(baseUrl: string, request: Request): Promise<Response>
  /**
   * The answer at an address without the user's credentials, but with those for a web server in front of the site; does not follow
   * redirects.
   */
  look(url: URL, accept: string): Promise<Response>
  /** The headers of all answers. */
  readonly headers: Response['headers'][]
  /** The first message of PHP before the JSON of an answer. */
  phpMessage(): string | undefined
  close(): Promise<void>
}

export interface ProbeOptions extends ConnectionOptions {
  readonly credentials: Credentials
  /** The credentials for the web server in front of the site at `origin`. */
  readonly front: Credentials
  readonly origin: string | undefined
  readonly follow: readonly string[]
  readonly observe: ((exchange: TracedExchange) => Promise<void>) | undefined
}

export function openProbe(options: ProbeOptions): Probe {
  const { credentials, front, origin: ownOrigin, follow, observe, ...connection } = options
  const sender = createSender({ ...connection, observe })
  const transports = new Map<string, Promise<HttpTransport>>()
  const shown = (transport: Transport, baseUrl: string) =>
    observe ? withTraffic(transport, { baseUrl, credentials, now: Date.now, observe }) : transport
  const headers: Response['headers'][] = []
  let phpMessage: string | undefined
  const keep = (response: Response): Response => {
    headers.push(response.headers)
    if (!/^\s*([{[]|$)/.test(String(response.body))) phpMessage ??= phpMessageIn(response)
    return response
  }
  return {
    headers,
    phpMessage: () => phpMessage,
    async ask(baseUrl, request) {
      const opening = transports.get(baseUrl) ?? createHttpTransport({ baseUrl, credentials, follow, ...connection })
      transports.set(baseUrl, opening)
      const transport = await opening
      return keep(await shown(transport, baseUrl)({ headers: { accept: 'application/json' }, ...request }))
    },
    async look({ origin, pathname, search }, accept) {
      const sent = {
        origin,
        method: 'GET',
        path: pathname + search,
        headers: { accept, 'user-agent': 'calctl', ...(origin === ownOrigin && (await front())) },
      }
      return keep(await sender.send(sent))
    },
    async close() {
      for (const transport of transports.values()) await (await transport).close()
      await sender.close()
    },
  }
}

/** The root of an API, as a URL. */
export const indexUrl = (baseUrl: string): URL => new URL(addressOf(baseUrl, { path: '/' }))

/** The JSON object of an answer; undefined for anything else. */
export function objectIn(response: Response): Readonly<Record<string, unknown>> | undefined {
  const value = isWholeAnswer(response) ? parseBody(response) : undefined
  return isObject(value) ? value : undefined
}

/** What a command would report about an answer that it cannot use. */
export const probeFailure = (baseUrl: string, namespace: string, request: Request, response: Response): Failure =>
  responseFailure({ calendar: calendarAt(baseUrl, namespace), request }, response, 'data')
