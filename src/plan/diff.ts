import type { Values } from '../client/client.ts'
import { wasApplied, writableValue } from '../client/compare.ts'
import { type Field, hiddenSecret } from '../contract/field.ts'
import { equal } from '../contract/kinds/kind-values.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { costInstead, keepsWithPoint } from '../contract/site-cost.ts'
import { decodeEntities } from '../text/escaping.ts'

/** The values that a record does not have yet: what an update has to send. */
export function changedValues(resource: Resource, before: Answer, values: Values): Values {
  const changed = Object.entries(values).filter(([name, value]) => {
    const field = resource.fields[name]
    return field && !field.queryOnly && !isUpToDate(name, field, value, before)
  })
  // Whether a password is another one cannot be told where it is not shown: on its own it is no reason to write.
  const isUnknown = ([name]: [string, unknown]) => resource.fields[name]?.secret && before.raw?.[name] === undefined
  return changed.every(isUnknown) ? {} : Object.fromEntries(changed)
}

function isUpToDate(name: string, field: Field, value: unknown, before: Answer): boolean {
  const current = before[name]
  const stored = before.raw?.[name]
  if (field.secret) return stored === value || (value === hiddenSecret && Boolean(stored))
  if (before.raw?.[name] !== undefined && wasApplied(name, field, value, before)) return true
  // A sheet may have a cost as the site shows it, `5€` for `5 €`, unless that is another one.
  if (field.kind.shape === 'amount') {
    const isShownOtherwise = costInstead(stored) !== undefined || (keepsWithPoint(stored) && !keepsWithPoint(value))
    return !isShownOtherwise && wasApplied(name, field, value, { ...before, raw: {} })
  }
  if (before.raw?.[name] !== undefined) return false
  if (field.kind.shape === 'links' && !field.kind.isTerms && field.multiple !== false && Array.isArray(value))
    return equal(value, writableValue(field, current))
  if (field.kind.shape !== 'prose' || typeof value !== 'string' || value === '' || typeof current !== 'string')
    return wasApplied(name, field, value, before)
  return (
    composed(value) === composed(decodeEntities(current)) ||
    value === current ||
    (isRendered(current) && wasApplied(name, field, value, before))
  )
}

/** File systems and browsers compose accents in two ways, which look the same and are. */
const composed = (text: string): string => text.trim().normalize('NFC')

/** Rendered texts can only be compared by what they say; in others every character counts. */
const isRendered = (text: string): boolean => /<\/?p\b|<br\b|&#?\w+;/.test(text)

/**
 * Values without the start and end that the event has already. A wall time that occurs twice, when clocks go back, would be
 * refused as ambiguous; that is needless if it stays as it is.
 */
export function withoutUnchangedEnds(before: Answer, values: Values): Values {
  if (values.timezone !== undefined && values.timezone !== before.timezone) return values
  const isUnchangedEnd = (name: string, value: unknown) =>
    (name === 'start_date' || name === 'end_date') && value === before[name]
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isUnchangedEnd(name, value)))
}
