import type { Values } from '../../client/client.ts'
import { equal, linked, took } from '../../client/compare.ts'
import type { Field } from '../../contract/field.ts'
import { decoded } from '../../contract/plain.ts'
import type { Answer, Resource } from '../../contract/resource.ts'

/** The values that a record does not have yet. */
export const differing = (resource: Resource, before: Answer, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, asked]) => {
      const field = resource.fields[name]
      return field && !field.itemOnly && !isThere(name, field, asked, before)
    }),
  )

function isThere(name: string, field: Field, asked: unknown, before: Answer): boolean {
  const shown = before[name]
  if (field.kind === 'integer') return (Number(asked) || null) === (Number(shown) || null)
  if (field.kind === 'posts' && !field.single && Array.isArray(asked)) return equal(asked, linked(field, shown))
  if (field.kind !== 'text' || typeof asked !== 'string' || asked === '' || typeof shown !== 'string')
    return took(name, field, asked, before)
  return (
    asked.trim() === decoded(shown).trim() || asked === shown || (isRendered(shown) && took(name, field, asked, before))
  )
}

/** Where a site renders its texts, only what they say can be compared; elsewhere every character counts. */
const isRendered = (text: string): boolean => /<\/?p\b|<br\b|&#?\w+;/.test(text)

/**
 * Values without those ends of an event that are its own already: what a clock shows twice says enough where nothing is to
 * change.
 */
export function withoutOwnEnds(before: Answer, values: Values): Values {
  if (values.timezone !== undefined && values.timezone !== before.timezone) return values
  const isOwn = ([name, value]: [string, unknown]) =>
    (name === 'start_date' || name === 'end_date') && value === before[name]
  return Object.fromEntries(Object.entries(values).filter(entry => !isOwn(entry)))
}
