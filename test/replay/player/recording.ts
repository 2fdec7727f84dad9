/**
 * Recorded exchanges with a site, as NDJSON files: a line about the state of the site, then a line for each exchange. The address of the
 * site is `http://calendar.test`, credentials are the name of their role, and secrets are left out.
 */

import { isObject } from '../../../src/base/text/json.ts'
import type { Response } from '../../../src/contract/exchange.ts'

/** One recorded exchange; `<admin>` and the like stand for the credentials of a role. */
export interface Exchange {
  readonly name: string
  readonly request: {
    readonly method: string
    /** Below the namespace; a path that begins with `/wp-json/` is below the root of the API. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly body_raw?: string
  }
  readonly response: RecordedResponse
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A write for which only the IDs in its response are known. */
export interface RecordedWrite {
  readonly write: {
    readonly method: string
    readonly path: string
    readonly type?: string
    readonly auth: string
    readonly status?: number
    readonly body?: unknown
    readonly body_raw?: string
    readonly ids?: Readonly<Record<string, unknown>>
  }
}

/** A change that was not made through the API: an event got a password. */
export interface ByHand {
  readonly by_hand: { readonly event: number; readonly post_password: string }
}

export type RecordedStep = Exchange | RecordedWrite | ByHand

/** The state of a site when its exchanges were recorded. */
interface Head {
  readonly group: string
  /** Nothing, or the records of `seed.ndjson` in the same folder. */
  readonly start: 'empty' | 'seed'
  readonly zone: string
  /** When it was recorded, if moments are compared with one another: a replay starts its clock at this time. */
  readonly clock?: string
  /** The uploaded image, if there is one; its ID is 5. */
  readonly poster?: string
}

export interface Recording extends Head {
  readonly steps: readonly RecordedStep[]
}

/** Reads a recording; `seed` is the text of the file with the writes that come first, for recordings that begin with it. */
export function readRecording(text: string, seed: () => string): Recording {
  const [head, ...steps] = linesOf(text)
  const { start } = head as Head
  return { ...(head as Head), steps: [...(start === 'seed' ? linesOf(seed()) : []), ...steps] as RecordedStep[] }
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** The path of a recorded request below the root of the API; those of the front page and of other pages of the site stay as they are. */
export function pathBelowRoot(path: string, namespace: string): string {
  if (path === '/' || path.startsWith('http:')) return path
  return path.startsWith('/wp-json/') ? path.slice('/wp-json'.length) : `/${namespace}${path}`
}

/** The headers of answers that are recorded and compared; others belong to the server, not to the API. */
const recordedHeaders = [
  'content-type',
  'x-tec-total',
  'x-tec-totalpages',
  'x-wp-total',
  'x-wp-totalpages',
  'location',
  'allow',
]

/** An answer with its body as data, and with the addresses of all sites replaced by one. */
export function recordedForm({ status, headers, body }: Response, baseUrl: string): RecordedResponse {
  const kept = Object.entries(headers).filter(([name]) => recordedHeaders.includes(name))
  const { origin, host } = new URL(baseUrl)
  const anywhere = (text: string) =>
    text
      .replaceAll(origin, 'http://calendar.test')
      .replaceAll(host, 'calendar.test')
      .replaceAll(encodeURIComponent(host), 'calendar.test')
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, anywhere(value)])),
    body: changedTexts(parsedBody(text), anywhere),
  }
}

/** A body as data: JSON as values, no body as an empty object, anything else as text. */
function parsedBody(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Data with its texts changed. */
function changedTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => changedTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changedTexts(item, change)]))
}
