/**
 * Reading a request. In: a method, a path, a query string, headers and a body. Out: the parameters by name, as PHP would nest
 * them, and the path below the namespace with the language that it names. Nothing here knows routes or fields.
 */
import type { Request } from '../../contract/exchange.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { readBody } from './body.ts'
import { nest, type Pair, readPairs } from './form-data.ts'

/** A request with the parameters of its query and body. */
export interface ParsedRequest {
  /** The effective method: a POST can stand for another one. */
  readonly method: string
  readonly query: readonly Pair[]
  /** By name; the body overrides the query. */
  readonly parameters: Readonly<Record<string, unknown>>
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws a `Refusal` if the body cannot be read. */
export function readRequest({ method, query = '', headers = {}, body = '' }: Request): ParsedRequest {
  const pairs = readPairs(query)
  const queryParameters = nest(pairs)
  const bodyParameters = bodiless.has(method) ? {} : readBody(method, headers['content-type'] ?? '', body)
  return {
    method: effectiveMethod(method, queryParameters._method, headers),
    query: pairs,
    parameters: { ...queryParameters, ...bodyParameters },
  }
}

/** WordPress lets a POST stand for any method, for clients that can send no other. */
function effectiveMethod(method: string, override: unknown, headers: Readonly<Record<string, string>>): string {
  const other = override ?? headers['x-http-method-override']
  return method === 'POST' && typeof other === 'string' ? other.toUpperCase() : method
}

/** The path of a request without its language and namespace. */
export interface Address {
  readonly language?: Language
  /** Begins with a slash, or is empty for the namespace itself. */
  readonly path: string
}

/** Reads `/en/calendar/events/v1/events`; undefined for a path outside the namespace. */
export function readAddress(path: string, namespace: string): Address | undefined {
  const segment = path.split('/', 2)[1] ?? ''
  const language = segment.toLowerCase()
  const below = isLanguage(language) ? path.slice(segment.length + 1) : path
  const root = `/${namespace}`
  if (below.slice(0, root.length).toLowerCase() !== root.toLowerCase()) return undefined
  const resourcePath = below.slice(root.length)
  if (resourcePath !== '' && !resourcePath.startsWith('/')) return undefined
  return isLanguage(language) ? { language, path: resourcePath } : { path: resourcePath }
}
