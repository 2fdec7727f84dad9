import { isObject, isReservedName, jsonProblem, tooDeep } from '../../text/json.ts'
import { Refusal } from '../refusal.ts'
import { nest, readMultipart, readPairs } from './form-data.ts'

/** In bytes. */
export const largestBody = 8 * 1024 * 1024

const malformed = (code: number, text: string) =>
  new Refusal(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: text,
  })

/** The parameters in a body; none in a body of an unknown type, nor in JSON that is not an object. */
export function readBody(method: string, contentType: string, body: string | Uint8Array): Record<string, unknown> {
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
  const problem = jsonProblem(value)
  if (problem === tooDeep) throw malformed(1, 'Maximum stack depth exceeded')
  // No parameter has such a name, and unknown ones are ignored.
  if (problem !== undefined) value = JSON.parse(text, (key, inner) => (isReservedName(key) ? undefined : inner))
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
