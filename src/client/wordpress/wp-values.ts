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

/** Whether `wp/v2` takes a value: it does not trash. */
function isPatchable({ kind, wordpress, patchable }: Field, value: unknown): boolean {
  if (wordpress === undefined || patchable === false) return false
  return wordpress === 'status' ? value !== 'trash' : kind.isPatchable(value)
}

/** The body of a patch: every value where `wp/v2` has it, in its form. */
export function patchBody({ fields }: Resource, values: Values): Values {
  const body: Record<string, unknown> = {}
  const meta: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field?.wordpress === undefined) continue
    const [first = '', second] = field.wordpress.split('.')
    if (second === undefined) body[first] = field.kind.patched(value, field)
    else meta[second] = field.kind.patched(value, field)
  }
  return Object.keys(meta).length > 0 ? { ...body, meta } : body
}
