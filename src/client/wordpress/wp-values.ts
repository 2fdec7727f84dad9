import type { Field } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Values } from '../client.ts'

/** The values that `wp/v2` can write, and the others, which only the events API writes. */
export function splitValues({ fields }: Resource, values: Values): { patch: Values; others: Values } {
  const patch: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field?.queryOnly || name === 'lang_code') continue
    if (field && isPatchable(field, value)) patch[name] = value
    else others[name] = value
  }
  return { patch, others }
}

/** Whether `wp/v2` takes a value: no inline records, no image by its URL, and no status `trash`. */
function isPatchable({ kind, wordpress, patchable }: Field, value: unknown): boolean {
  if (wordpress === undefined || patchable === false) return false
  if (wordpress === 'status') return value !== 'trash'
  if (kind.name !== 'image' && kind.name !== 'posts' && kind.name !== 'terms') return true
  return [value].flat().every(one => one === null || one === '' || isId(one))
}

const isId = (value: unknown): boolean => /^\d+$/.test(String(value))

/** The body of a patch: every value where `wp/v2` has it, in its form. */
export function patchBody({ fields }: Resource, values: Values): Values {
  const body: Record<string, unknown> = {}
  const meta: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field?.wordpress === undefined) continue
    const [first = '', second] = field.wordpress.split('.')
    if (second === undefined) body[first] = writtenValue(field, value)
    else meta[second] = writtenValue(field, value)
  }
  return Object.keys(meta).length > 0 ? { ...body, meta } : body
}

function writtenValue(field: Field, value: unknown): unknown {
  switch (field.kind.name) {
    case 'image':
    case 'integer':
      return Number(value ?? 0) || 0
    case 'posts':
    case 'terms': {
      const ids = [value].flat().map(Number).filter(Boolean)
      return field.multiple === false ? (ids[0] ?? 0) : ids
    }
    case 'boolean':
      return value === true || value === 'true'
    case 'cost':
      return [value ?? ''].flat().join(' - ')
    case 'dateTime':
      return String(value).replace(' ', 'T')
    default:
      return String(value ?? '')
  }
}
