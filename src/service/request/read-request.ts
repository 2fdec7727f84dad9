/**
 * Reading a request. Input: a method, a path, a query string, headers and a body. Output: the parameters by name, nested as by PHP, and the
 * path below the namespace with its language. `check-parameters.ts` checks their values for an endpoint.
 */

import { isObject, isReservedName, jsonFault } from '../../base/text/json.ts'
import { nest, type Pair, readPairs } from '../../base/text/received-parameters.ts'
import type { Request } from '../../contract/exchange.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { obeyedMethod } from '../../contract/received-request.ts'
import { Refusal } from '../refusal.ts'

/** A request with the parameters of its query and body. */
export interface ParsedRequest {
  /** The method for which the request stands. */
  readonly method: string
  readonly query: readonly Pair[]
  /** By name; the body overrides the query. */
  readonly parameters: Readonly<Record<string, unknown>>
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws a `Refusal` if the body cannot be read. With quirks, a GET can stand for a write as well, as for WordPress. */
export function readRequest(request: Request, quirks = false): ParsedRequest {
  const { method: sent, query = '', headers = {}, body = '' } = request
  const method = effectiveMethod(request, quirks)
  const hasBody = ![sent, method].every(one => bodiless.has(one))
  const bodyParameters = hasBody ? readBody(sent, headers['content-type'] ?? '', body) : {}
  const pairs = readPairs(query)
  return { method, query: pairs, parameters: { ...nest(pairs), ...bodyParameters } }
}

/** The method for which a request stands, for clients that can send no other; without quirks, only a POST stands for another one. */
export function effectiveMethod(request: Request, quirks: boolean): string {
  if (!quirks && request.method !== 'POST') return request.method
  const method = obeyedMethod(request)
  if (method === undefined && quirks)
    throw new Refusal(500, 'internal_server_error', 'There has been a critical error on this website.')
  return method ?? request.method
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
