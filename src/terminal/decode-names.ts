import { decodeEntities } from '../text/normalize.ts'

/** Fields that sites escape as HTML; descriptions and excerpts are HTML and stay so. */
const escapedFields = new Set(['title', 'venue', 'organizer', 'name', 'website', 'cost'])

/** A record with its names as people read them, linked records included: `Jazz &#038; Blues` is Jazz & Blues. */
export function decodeNames(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return escapedFields.has(name) ? decodeEntities(value) : value
  if (Array.isArray(value)) return value.map(item => decodeNames(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeNames(inner, key)]))
}
