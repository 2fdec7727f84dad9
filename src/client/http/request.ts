import { resourceNamed } from '../../contract/contract.ts'
import type { Request } from '../../contract/exchange.ts'
import type { Field } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Resource } from '../../contract/resource.ts'
import { encodePercent } from '../../text/escaping.ts'
import type { Ref, Renew, Values } from '../client.ts'

/** The path, below the base URL, of a resource's list or of one record. */
export function pathOf(namespace: string, resource: Resource, ref?: Ref): string {
  const collection = `/${namespace}/${resource.name}`
  if (!ref) return collection
  return 'id' in ref ? `${collection}/${ref.id}` : `${collection}/by-slug/${encodePercent(ref.slug)}`
}

/** A read or a delete; its values go into the query. */
export function queryRequest(method: 'GET' | 'DELETE', path: string, values: Values, language?: Language): Request {
  const query = queryOf({ ...values, lang_code: values.lang_code ?? language })
  return { method, path, ...(query && { query }), headers: readHeaders }
}

/** A write; its values go into a JSON body. */
export function bodyRequest(path: string, resource: Resource, values: Values, language?: Language): Request {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) body[name] = encode(resource.fields[name], value)
  if (language) body.lang_code ??= language
  return jsonRequest(path, body)
}

/** A write that is built again before it is sent again, if `renew` is given. */
export function renewable(values: Values, requestFor: (values: Values) => Request, renew: Renew | undefined): Request {
  const request = requestFor(values)
  return renew ? { ...request, renew: async () => renewable(await renew(), requestFor, renew) } : request
}

/** A write whose values are in the form in which they are sent. */
export const jsonRequest = (path: string, body: Values): Request => ({
  method: 'POST',
  path,
  headers: writeHeaders,
  body: JSON.stringify(body),
})

const readHeaders = { accept: 'application/json' }
const writeHeaders = { ...readHeaders, 'content-type': 'application/json' }

/** Lists are comma-separated; unset values are left out. */
function queryOf(values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

/** Some services accept only text for what is a number, a boolean or an ID, in inline records too. null still clears. */
function encode(field: Field | undefined, value: unknown): unknown {
  if (field?.of && typeof value === 'object') return encodeInline(field, value)
  const isText = field?.asText || field?.kind.isSentAsText
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
}

function encodeInline(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => encodeInline(field, item))
  if (!field.of || typeof value !== 'object' || value === null) return value
  const { fields } = resourceNamed(field.of)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encode(fields[name], item)]))
}
