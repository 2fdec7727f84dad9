/**
 * Reading a request. Input: a method, a path, a query string, headers and a body. Output: the parameters by name, nested as by PHP, and the
 * path below the namespace with its language. `check-parameters.ts` checks their values for an endpoint.
 */

import { isObject, isReservedName, jsonFault } from '../../base/text/json.ts'
import type { Request } from '../../contract/exchange.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { Refusal } from '../refusal.ts'

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

/** One parameter as a query or a form contains it. */
type Pair = readonly [name: string, value: string]

/** Reads `a=1&b%5B%5D=2` into pairs, in order. */
const readPairs = (text: string): Pair[] => (text === '' ? [] : [...new URLSearchParams(text)])

/** Names with more brackets are ignored, and so are those that every object here has and no parameter. */
const maxDepth = 4

type Nested = Map<string, Nested | string>

/** Nests pairs like PHP: `a[]=1&a[]=2` is a list, `venue[city]=Vic` an object, and the last occurrence of a name counts. */
function nest(pairs: readonly Pair[]): Record<string, unknown> {
  const top: Nested = new Map()
  for (const [name, value] of pairs) {
    const path = keysOf(name)
    if (path.length > maxDepth || path.some(isReservedName)) continue
    let map = top
    for (const key of path.slice(0, -1)) {
      const existing = map.get(keyIn(map, key))
      const next: Nested = existing instanceof Map ? existing : new Map()
      map.set(keyIn(map, key), next)
      map = next
    }
    map.set(keyIn(map, path.at(-1) ?? ''), value)
  }
  return Object.fromEntries([...top].map(([key, value]) => [key, plain(value)]))
}

/** `venue[city]` → `venue`, `city`; unclosed brackets are part of the name. */
const keysOf = (name: string): string[] => {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match) return [name]
  const [, first = '', brackets = ''] = match
  return [first, ...brackets.slice(1, -1).split('][')]
}

const keyIn = (map: Nested, key: string): string => (key === '' ? String(map.size) : key)

const plain = (value: Nested | string): unknown => {
  if (typeof value === 'string') return value
  const keys = [...value.keys()]
  const values = [...value.values()].map(plain)
  return keys.every((key, index) => key === String(index))
    ? values
    : Object.fromEntries(keys.map((key, index) => [key, values[index]]))
}

/** The fields of a `multipart/form-data` body; files are ignored. */
function readMultipart(body: string, contentType: string): Pair[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) return []
  const parts = `\r\n${body}`.split(`\r\n--${boundary[1] ?? boundary[2]}`).slice(1, -1)
  return parts.flatMap(part => {
    const [head = '', ...content] = part.split('\r\n\r\n')
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]
    return name === undefined || /;\s*filename=/i.test(head) ? [] : [[name, content.join('\r\n\r\n')] as const]
  })
}

/** In bytes. */
export const largestBody = 8 * 1024 * 1024

const malformed = (code: number, text: string) =>
  new Refusal(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: text,
  })

/** The parameters in a body; none in a body of an unknown type, nor in JSON that is not an object. */
function readBody(method: string, contentType: string, body: string | Uint8Array): Record<string, unknown> {
  if (Buffer.byteLength(body) > largestBody)
    throw new Refusal(413, 'request_too_large', `The body is larger than ${largestBody} bytes.`)
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return readJson(body)
  if (type === 'application/x-www-form-urlencoded') return nest(readPairs(asText(body)))
  if (type === 'multipart/form-data' && method === 'POST') return nest(readMultipart(asText(body), contentType))
  return {}
}

const asText = (body: string | Uint8Array): string => (typeof body === 'string' ? body : Buffer.from(body).toString())

function readJson(body: string | Uint8Array): Record<string, unknown> {
  const text = wellFormed(body).trim()
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed(4, 'Syntax error')
  }
  const fault = jsonFault(value)
  if (fault === 'depth') throw malformed(1, 'Maximum stack depth exceeded')
  // No parameter has such a name, and unknown ones are ignored.
  if (fault !== undefined) value = JSON.parse(text, (key, inner) => (isReservedName(key) ? undefined : inner))
  return isObject(value) ? value : {}
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function wellFormed(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  try {
    return utf8.decode(body)
  } catch {
    throw malformed(5, 'Malformed UTF-8 characters, possibly incorrectly encoded')
  }
}
