import { ignoreErrors } from '../../base/attempt.ts'
import type { FailureKind } from '../../base/failure.ts'
import { isObject, jsonFault, parseJson } from '../../base/text/json.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Calendar, Page, Ref } from '../client.ts'
import { jsonWithin } from './json-within.ts'

/** A request and where it went, for messages. */
export interface RequestInfo {
  readonly calendar: Calendar
  readonly request: Request
  readonly resource?: Resource
  readonly ref?: Ref
}

export interface Explanation {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string | undefined
  /** The language in which the missing record exists. */
  readonly language?: Language
}

/** Several callers parse the same body, and parsing a large one takes long. */
export const bodies = new WeakMap<Response, { readonly value: unknown }>()

/** The JSON value in a body, ignoring what a site prints around it; undefined if there is none. */
export function parseBody(response: Response): unknown {
  const known = bodies.get(response)
  if (known) return known.value
  const { body } = response
  const text = typeof body === 'string' ? body : decoder.decode(body)
  const whole = ignoreErrors(() => parseJson(text))
  const found = whole === undefined ? jsonWithin(text) : whole
  // JSON that is nested too deeply or has reserved keys is ignored.
  const value = jsonFault(found) === undefined ? found : undefined
  bodies.set(response, { value })
  return value
}

const decoder = new TextDecoder()

/** The record in a body; undefined if there is none. */
export const recordIn = ({ title }: Resource, value: unknown): Answer | undefined =>
  isRecord(value) && title in value ? value : undefined

/** The page of a list in a body; undefined if there is none. `siteTime` is the time of the response, in ms. */
export function pageIn(resource: Resource, value: unknown, siteTime: number): Page | undefined {
  const records = isObject(value) ? value[resource.name] : undefined
  if (!isObject(value) || !Array.isArray(records) || !records.every(isRecord)) return undefined
  const totals = { total: Number(value.total ?? records.length), pages: Number(value.total_pages ?? 1) }
  return { records, ...totals, ...(!Number.isNaN(siteTime) && { siteTime }) }
}

const isRecord = (value: unknown): value is Answer => isObject(value) && typeof value.id === 'number'

/** How long a response asks to wait, in ms; undefined if it does not. If it gives a date, the clock of the site counts. */
export function retryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(date - siteTime(headers, now), 0)
}

/** The time on the clock of the site, in ms; `now` if it does not say. */
function siteTime(headers: Response['headers'], now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

/** The longest time that a command waits because a server asks for it, in ms. */
export const longestWait = 60_000

/** In bytes, compressed or not. */
export const maxResponseSize = 64 * 1024 * 1024

/** No response came within the timeout. */
export class RequestTimeout extends Error {}

/** The proxy answered a request for a tunnel with this status. */
export class ProxyRefused extends Error {
  constructor(readonly status: number) {
    super(`the proxy answered ${status}`)
  }
}

/** Why no response came, and whether any part of the request had been sent. */
export class NoResponse extends Error {
  constructor(
    readonly reason: unknown,
    readonly wasSent: boolean,
  ) {
    super('no response', { cause: reason })
  }
}
