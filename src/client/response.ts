import type { Request, Response } from '../contract/exchange.ts'
import { type Answer, isObject, type Resource } from '../contract/resource.ts'
import type { FailureKind } from '../failure.ts'
import type { Calendar } from './calendar.ts'
import type { Page, Ref } from './client.ts'

/** What was asked of whom, for messages. */
export interface RequestInfo {
  readonly calendar: Calendar
  readonly request: Request
  readonly resource?: Resource
  readonly ref?: Ref
}

/** What an answer means to people. */
export interface Explanation {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string | undefined
  /** The language in which a missing record exists. */
  readonly language?: string
}

/** The value that a body holds; undefined where it is not JSON. */
export function parseBody({ body }: Response): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder()

/** The record in an answer; undefined where there is none. */
export const recordIn = (value: unknown): Answer | undefined => (isRecord(value) ? value : undefined)

/** The page in an answer given at this time, in ms; undefined where it is none of this resource. */
export function pageIn(resource: Resource, value: unknown, siteTime: number): Page | undefined {
  const records = isObject(value) ? value[resource.name] : undefined
  if (!isObject(value) || !Array.isArray(records) || !records.every(isRecord)) return undefined
  const totals = { total: Number(value.total ?? records.length), pages: Number(value.total_pages ?? 1) }
  return { records, ...totals, ...(!Number.isNaN(siteTime) && { siteTime }) }
}

const isRecord = (value: unknown): value is Answer => isObject(value) && typeof value.id === 'number'

/** An answer that says no, in the API's own form. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The no that an answer says; undefined where it says none, or not in the form of the API. */
export function apiErrorIn(response: Response): ApiError | undefined {
  const body = parseBody(response)
  if (!isObject(body)) return undefined
  if (isObject(body.errors)) return serialised(body.errors)
  if (typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plainSentence(body.message), data: isObject(body.data) ? body.data : {} }
}

/** Older sites answer an update of an unknown slug with 200 and a list of sentences by code. */
function serialised(errors: Readonly<Record<string, unknown>>): ApiError | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [code, sentences] = first
  return { code, message: plainSentence([sentences].flat().map(String).join('; ')), data: {} }
}

/** A list was asked for a page after its last: nothing is wrong, there is no more. */
export const isPastLastPage = (response: Response): boolean =>
  response.status === 404 && apiErrorIn(response)?.code.endsWith('-archive-page-not-found') === true

/** A sentence of a service, which may hold markup and ends with a full stop, as we say it. */
export const plainSentence = (message: string) =>
  message
    .replace(/<[^>]*>/g, '')
    .trim()
    .replace(/\.$/, '')

/** How long an answer asks to be left alone, in ms; undefined where it does not. A date is told by the site's own clock. */
export function retryAfter({ headers }: Response, now: number): number | undefined {
  const asked = headers['retry-after']?.trim()
  if (!asked) return undefined
  if (/^\d+$/.test(asked)) return Number(asked) * 1000
  const date = Date.parse(asked)
  return Number.isNaN(date) ? undefined : Math.max(date - siteTime(headers, now), 0)
}

/** What the site's clock shows, in ms; ours where it does not say. */
function siteTime(headers: Response['headers'], now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

/** The longest that anybody is kept waiting, in ms. */
export const longestWait = 60_000
