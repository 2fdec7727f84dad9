import type { Response } from '../contract/exchange.ts'
import { isObject } from '../contract/resource.ts'
import { parsed } from './answer.ts'

/** An answer that says no, in the API's own form. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The no that an answer says; undefined where it says none, or not in the form of the API. */
export function refusedIn(response: Response): Refused | undefined {
  const body = parsed(response)
  if (!isObject(body)) return undefined
  if (isObject(body.errors)) return serialised(body.errors)
  if (typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plain(body.message), data: isObject(body.data) ? body.data : {} }
}

/** Older sites answer an update of an unknown slug with 200 and a list of sentences by code. */
function serialised(errors: Readonly<Record<string, unknown>>): Refused | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [code, sentences] = first
  return { code, message: plain([sentences].flat().map(String).join('; ')), data: {} }
}

/** A list was asked for a page after its last: nothing is wrong, there is no more. */
export const isPastTheEnd = (response: Response): boolean =>
  response.status === 404 && refusedIn(response)?.code.endsWith('-archive-page-not-found') === true

/** A sentence of a service, which may hold markup and ends with a full stop, as we say it. */
export const plain = (message: string) =>
  message
    .replace(/<[^>]*>/g, '')
    .trim()
    .replace(/\.$/, '')
