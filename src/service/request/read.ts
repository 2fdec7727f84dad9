import type { Request } from '../../contract/exchange.ts'
import { readBody } from './body.ts'
import { nest, type Pair, readPairs } from './pairs.ts'

/** A request with its parameters taken out of query and body. */
export interface Asked {
  /** What the caller means: POST can stand for another method. */
  readonly method: string
  readonly query: readonly Pair[]
  /** By name; the body wins over the query. */
  readonly parameters: Readonly<Record<string, unknown>>
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Reads what a request asks for. Throws a `Refusal` for a body that cannot be read. */
export function readRequest({ method, query = '', headers = {}, body = '' }: Request): Asked {
  const pairs = readPairs(query)
  const given = nest(pairs)
  const typed = bodiless.has(method) ? {} : readBody(method, headers['content-type'] ?? '', body)
  return { method: meant(method, given._method, headers), query: pairs, parameters: { ...given, ...typed } }
}

/** WordPress lets POST stand for any method, for clients that can send no other. */
const meant = (method: string, override: unknown, headers: Readonly<Record<string, string>>): string => {
  const other = override ?? headers['x-http-method-override']
  return method === 'POST' && typeof other === 'string' ? other.toUpperCase() : method
}
