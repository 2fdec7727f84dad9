import { ignoreErrors } from '../../base/attempt.ts'
import type { FailureKind } from '../../base/failure.ts'
import { isObject, jsonFault, parseJson } from '../../base/text/json.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Calendar, Ref } from '../client.ts'
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
  isAnsweredRecord(value) && title in value ? value : undefined

/** Whether a value is a record: an object with an ID. */
export const isAnsweredRecord = (value: unknown): value is Answer => isObject(value) && typeof value.id === 'number'
