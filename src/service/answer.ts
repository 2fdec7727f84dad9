import type { Request, Response } from '../contract/exchange.ts'
import type { Users } from './access.ts'
import type { Answer } from './context.ts'
import type { Context } from './dialect.ts'
import { Refusal } from './refusal.ts'
import { methodsOf, type Route } from './routes.ts'

/** What goes back to the caller; HEAD is answered without the body. */
export const respond = ({ method }: Request, { status, body, headers }: Answer): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: method === 'HEAD' ? '' : typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
})

/** A refusal in the form of the API; throws on what is none. */
export function refusalAnswer(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error
  const { status, code, message, data, beside } = error
  return { status, body: { code, message, data: data && { status, ...data }, ...beside } }
}

const ownEyesOnly = { 'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private' }

/** What this caller may do here, and that answers made for a person are nobody else's. */
export const headersFor = (
  route: Route,
  caller: Context['caller'],
  readOnly: boolean,
  users: Users | undefined,
): Readonly<Record<string, string>> => ({
  allow: caller === 'editor' && !readOnly ? methodsOf(route).join(', ') : 'GET',
  ...(users?.size && caller === 'editor' ? ownEyesOnly : {}),
})
