/**
 * `calctl doctor`: a check is one question about what lies between calctl and the records of a site; `examine.ts` makes one check after
 * another. Input: the current calendar, or an address. Output: a line for each check, with the sentences that failing commands use, too
 * (`client/http/problems/`).
 */

import type { Failure } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { calendarAt } from '../../../client/calendar.ts'
import { phpMessageIn } from '../../../client/http/api-error.ts'
import { responseFailure } from '../../../client/http/problems/response-failure.ts'
import type { ProblemCode } from '../../../client/http/problems/unavailable.ts'
import { addressOf } from '../../../client/http/request.ts'
import { parseBody } from '../../../client/http/response.ts'
import { type ConnectionOptions, createSender, type Proxies } from '../../../client/http/sender.ts'
import { type TracedExchange, type TrafficLog, withTraffic } from '../../../client/http/traffic.ts'
import { createHttpTransport, type HttpTransport } from '../../../client/http/transport.ts'
import { isWholeAnswer, type Request, type Response, type Transport } from '../../../contract/exchange.ts'
import type { App } from '../../app.ts'
import type { Credentials } from '../../profiles/credentials.ts'
import type { Target } from '../../profiles/resolve.ts'

/** The result of a check: all is well, what is wrong and what to do, or why it was not made. */
export type CheckFinding =
  | { readonly state: 'done'; readonly found: string }
  | {
      readonly state: 'failed'
      readonly found: string
      readonly hint: string
      readonly problem?: ProblemCode | undefined
    }
  | { readonly state: 'skipped'; readonly found: string }

/** One question. */
export interface DoctorCheck {
  /** The beginning of its line. */
  readonly name: string
  /** An earlier check that must not have failed. */
  readonly needs?: string
  run(examination: Examination): Promise<CheckFinding>
}

/** The calendar that is checked, and what earlier checks have found out about it. */
export interface Examination {
  readonly app: App
  readonly target: Target
  /** The given address, which may be that of any page. */
  readonly address: URL | undefined
  readonly write: boolean
  /** In ms. */
  readonly timeout: number
  readonly proxies: Proxies
  readonly trusted: readonly string[] | undefined
  readonly observe: TrafficLog['observe'] | undefined
  readonly probe: Probe
  readonly facts: Facts
}

interface Facts {
  /** Of the API; if an address was given, where the API was found. */
  baseUrl: string
  namespace: string
  /** The answer at the root of the API. */
  index?: Readonly<Record<string, unknown>>
  frontPage?: string
  /** What WordPress says about the user. */
  user?: Readonly<Record<string, unknown>>
  /** Whether requests have a user name and a password. */
  hasUser?: boolean
  /** The methods that the list of events allows. */
  allowed?: string
  /** The number of all events. */
  total?: number
}

export const done = (found: string): CheckFinding => ({ state: 'done', found })

export const skipped = (found: string): CheckFinding => ({ state: 'skipped', found })

export const failed = (found: string, hint: string, problem?: ProblemCode): CheckFinding => ({
  state: 'failed',
  found,
  hint,
  problem,
})

/** The sentence of a failing command; with another next step if that was to run the doctor. */
export const failedAs = ({ message, details }: Failure, hint = ''): CheckFinding =>
  failed(message, hint || (details.hint ?? ''), details.problem as ProblemCode | undefined)

/** Sends the requests of the checks, and keeps answers that several checks need. */
interface Probe {
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

interface ProbeOptions extends ConnectionOptions {
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
