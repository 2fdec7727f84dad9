import { readDuration } from '../../base/time/durations.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import { errorResponse } from '../refusal.ts'
import type { Service } from '../service.ts'

/** The result for a client: an answer, or a connection that is reset or never answered. */
export type ServerOutcome = Response | 'reset' | 'timeout'

/**
 * How a request fails: with a status instead of being carried out; with a connection that is reset or never answered, before or after it is
 * carried out; as `unlisted`, which resets the connection while an event is being saved; or with a garbled answer after it is carried out.
 */
export type FaultKind = number | 'reset' | 'timeout' | 'unlisted' | Garbling

/** A way in which requests fail. */
export interface Fault {
  readonly with: FaultKind
  /** The share of requests that fail; 100 by default. */
  readonly percent?: number
  /** The requests that fail, such as `POST /events` or `GET /events/{id}`; all by default. */
  readonly route?: string
  /** How many requests fail; no end by default. */
  readonly times?: number
  /** How many requests of the route succeed first. */
  readonly skip?: number
  /** How long clients should wait before they retry, in seconds. */
  readonly retryAfter?: number
  /** Whether a request is carried out although it fails, regardless of its kind of fault. */
  readonly moment?: 'before' | 'after'
}

/** How long answers are delayed, in ms. */
export interface Latency {
  readonly from: number
  readonly to: number
}

/** Parses `5%:503`, `2%:reset`, `POST /events=503x2`, `5%:/events=notice`; undefined for anything else. */
export function readFault(text: string): Fault | undefined {
  const pattern = /^(?:(\d+(?:\.\d+)?)%:)?(?:((?:[A-Z]+ )?\/\S*|[A-Z]+)=)?(\w+?)(?:x(\d+))?$/
  const [, percent, route, name = '', times] = pattern.exec(text) ?? []
  const kind = readKind(name)
  const isScoped = percent !== undefined || route !== undefined
  if (kind === undefined || !isScoped || Number(percent) > 100) return undefined
  return {
    with: kind,
    ...(percent !== undefined && { percent: Number(percent) }),
    ...(route !== undefined && { route }),
    ...(times !== undefined && { times: Number(times) }),
  }
}

/** A kind of fault by its name: a status, `reset`, `timeout`, `unlisted`, or what garbles an answer. */
export function readKind(name: string): FaultKind | undefined {
  if (/^[45]\d\d$/.test(name)) return Number(name)
  return name === 'reset' || name === 'timeout' || name === 'unlisted' || isGarbling(name) ? name : undefined
}

/** Parses `200ms`, `1s`, `50-400ms`, `1s-2s`; undefined for anything else. */
export function readLatency(text: string): Latency | undefined {
  const [, first = '', unit = '', last, lastUnit] = /^([\d.]+)(ms|s)?(?:-([\d.]+)(ms|s))?$/.exec(text) ?? []
  const from = readDuration(first + (unit || lastUnit || ''))
  const to = last === undefined ? from : readDuration(`${last}${lastUnit}`)
  return from !== undefined && to !== undefined && from <= to && (unit || lastUnit) ? { from, to } : undefined
}

/** Carries out a request, and makes it fail; `luck` decides whether it is carried out if the fault leaves that open. */
export async function failWith(
  service: Service,
  request: Request,
  { with: kind, moment, retryAfter }: Fault,
  luck: number,
): Promise<ServerOutcome> {
  if (kind === 'unlisted') {
    await service({ ...request, isAbandoned: () => true })
    return 'reset'
  }
  if (typeof kind === 'number') {
    if (moment === 'after') await service(request)
    return failure(kind, retryAfter)
  }
  if (kind === 'reset' || kind === 'timeout') {
    if (moment === undefined ? luck < 0.5 : moment === 'after') await service(request)
    return kind
  }
  return garble(kind, await service(request), isRead(request))
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const failure = (status: number, retryAfter = 1): Response =>
  errorResponse(
    status,
    'calctl_fail',
    'This request failed on purpose, as the server was told to.',
    status === 503 || status === 429 ? { 'retry-after': String(retryAfter) } : {},
  )

/** Mulberry32: small, and good enough to distribute failures evenly. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** What happens to the answer to a request that was carried out, by name, as seen on real sites. */
const garblings = {
  /** A PHP notice of another plugin before the JSON. */
  notice: response => withText(response, `${phpNotice}${textOf(response)}`),
  /** A comment of a cache after the JSON. */
  comment: response => withText(response, `${textOf(response)}\n<!-- Served by a cache in 0.042 seconds -->\n`),
  /** A page for people instead of the answer, with the status of a success. */
  html: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: page }),
  /** An empty answer with the status of a success. */
  empty: ({ headers }) => ({ status: 204, headers, body: '' }),
  /** A queue in front of the site answers that it will carry out the request, without the record. */
  accepted: ({ headers }) => ({ status: 202, headers, body: '' }),
} satisfies Readonly<Record<string, (response: Response) => Response>>

/** Faults that garble the form of an answer, but leave the record readable. */
const keepsRecord: ReadonlySet<string> = new Set(['notice', 'comment'])

type Garbling = keyof typeof garblings

const isGarbling = (name: string): name is Garbling => Object.hasOwn(garblings, name)

/** Garbles an answer; errors stay as they are, and reads lose no more than their form. */
function garble(name: Garbling, response: Response, isRead: boolean): Response {
  const isKept = isRead && !keepsRecord.has(name)
  return response.status >= 300 || response.body.length === 0 || isKept ? response : garblings[name](response)
}

const phpNotice =
  '<br />\n<b>Notice</b>:  Undefined index: lang in <b>/srv/www/wp-content/plugins/notices/notices.php</b> on line <b>42</b><br />\n'

const page = '<!doctype html>\n<html><head><title>Just a moment</title></head><body><p>Please wait.</p></body></html>\n'

const textOf = ({ body }: Response): string => (typeof body === 'string' ? body : Buffer.from(body).toString())

const withText = (response: Response, body: string): Response => ({ ...response, body })
