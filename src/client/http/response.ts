import { type FailureKind, ignoreErrors } from '../../base/failure.ts'
import { endOfString, isObject, jsonFault, parseJson } from '../../base/text/json.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Calendar } from '../calendar.ts'
import type { Page, Ref } from '../client.ts'

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
const bodies = new WeakMap<Response, { readonly value: unknown }>()

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

/** An error in the API's own form. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The API error in a response; undefined if there is none. */
export function apiErrorIn(response: Response): ApiError | undefined {
  const body = parseBody(response)
  if (!isObject(body)) return undefined
  if (isObject(body.errors)) return errorByCode(body.errors)
  if (typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plainSentence(body.message), data: isObject(body.data) ? body.data : {} }
}

/** The response with the status of its error: if PHP printed a notice first, status 200 was already sent. */
export function withOwnStatus(response: Response): Response {
  const own = response.status < 300 ? apiErrorIn(response)?.data.status : undefined
  if (typeof own !== 'number' || own < 400) return response
  const failed = { ...response, status: own }
  bodies.set(failed, { value: parseBody(response) })
  return failed
}

/** Older sites answer an update of an unknown slug with 200 and a list of sentences by error code. */
function errorByCode(errors: Readonly<Record<string, unknown>>): ApiError | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [code, sentences] = first
  return { code, message: plainSentence([sentences].flat().map(String).join('; ')), data: {} }
}

/** Whether a response says that the requested page is beyond the last one, which is not a failure. */
export const isPastLastPage = (response: Response): boolean =>
  response.status === 404 && apiErrorIn(response)?.code.endsWith('-archive-page-not-found') === true

/** A message of a service on one line, so that it cannot look like a hint of calctl; without markup and without a full stop. */
export const plainSentence = (message: string) =>
  message
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')

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

/**
 * The JSON in a body with something around it: notices of PHP that a plugin prints, a byte order mark, bytes after the end. Undefined if
 * there is none, or if it was cut off.
 */
function jsonWithin(text: string): unknown {
  // Scripts in a page are not the answer.
  if (/^\s*<(!doctype|html)\b/i.test(text)) return undefined
  let largest: { readonly value: unknown; readonly length: number } | undefined
  for (let at = nextStart(text, 0); at >= 0; ) {
    const end = endOfValue(text, at)
    // An object inside another one is not the answer.
    if (end === undefined) break
    const value = ignoreErrors(() => parseJson(text.slice(at, end)))
    if (value !== undefined && end - at > (largest?.length ?? 0)) largest = { value, length: end - at }
    at = nextStart(text, end)
  }
  return largest?.value
}

/** Where the next object, or list of objects, may begin. */
function nextStart(text: string, from: number): number {
  const start = /\{(?=\s*["}])|\[(?=\s*[\]{])/g
  start.lastIndex = from
  return start.exec(text)?.index ?? -1
}

/** The end of the object or list that begins here; undefined if it does not end. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '"') at = endOfString(text, at) - 1
    if (depth === 0) return at + 1
  }
  return undefined
}

/** The first message of PHP before the JSON of an answer. */
export function phpMessageIn(response: Response): string | undefined {
  const text = String(response.body)
  const [found] =
    /\b(Warning|Notice|Deprecated|Strict Standards|Fatal error)\b.*?( on line \D{0,9}\d+|$)/m.exec(text) ?? []
  return found !== undefined && parseBody(response) !== undefined ? plainSentence(found).slice(0, 200) : undefined
}

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
