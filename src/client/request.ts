import { resourceNamed } from '../contract/contract.ts'
import type { Request } from '../contract/exchange.ts'
import type { Field } from '../contract/field.ts'
import type { Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import type { Ref, Values } from './client.ts'

/** Where a resource's records are, or one of them, below the base URL. */
export function pathOf(namespace: string, resource: Resource, ref?: Ref): string {
  const collection = `/${namespace}/${resource.name}`
  if (!ref) return collection
  return 'id' in ref ? `${collection}/${ref.id}` : `${collection}/by-slug/${encodeURIComponent(ref.slug)}`
}

/** A request that changes nothing, or deletes: everything it says stands in the query. */
export function queryRequest(method: 'GET' | 'DELETE', path: string, values: Values, language?: Language): Request {
  const query = queryOf({ ...values, lang_code: values.lang_code ?? language })
  return { method, path, ...(query && { query }), headers: accepting }
}

/** A request that writes: everything it says stands in a JSON body. */
export function bodyRequest(path: string, resource: Resource, values: Values, language?: Language): Request {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) body[name] = written(resource.fields[name], value)
  if (language) body.lang_code ??= language
  return { method: 'POST', path, headers: sending, body: JSON.stringify(body) }
}

const accepting = { accept: 'application/json' }
const sending = { ...accepting, 'content-type': 'application/json' }

/** Lists are comma-separated, what is unset is left out. */
function queryOf(values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

/** Some services insist on text where the meaning is a number, a boolean or an ID, in inline records too; null still clears. */
function written(field: Field | undefined, value: unknown): unknown {
  if (field?.kind === 'posts') return inline(field, value)
  const isText = field?.asText || (field && textual.has(field.kind))
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
}

const textual = new Set<Field['kind']>(['text', 'url', 'email', 'image', 'choice', 'dateTime', 'timeZone'])

function inline(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => inline(field, one))
  if (!field.of || typeof value !== 'object' || value === null) return value
  const { fields } = resourceNamed(field.of)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(fields[name], one)]))
}
