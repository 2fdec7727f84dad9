import { decodeEntities } from '../text/escaping.ts'

/** Fields that sites escape as HTML. Descriptions and excerpts are HTML and stay as they are. */
const escapedFields = new Set(['title', 'venue', 'organizer', 'name', 'website', 'cost'])

/** Decodes HTML entities in the names of a record and its linked records: `Jazz &#038; Blues` becomes Jazz & Blues. */
export function decodeNames(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return escapedFields.has(name) ? decodeEntities(value) : value
  if (Array.isArray(value)) return value.map(item => decodeNames(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeNames(inner, key)]))
}
