import type { Field } from '../../contract/field.ts'
import { isFilter } from '../../contract/filter.ts'
import { checkValue } from '../../contract/kinds/check-value.ts'
import type { Check, Verdict } from '../dialect.ts'
import { checkLinkedIds, checkLinkedPlaces, checkLinkedTerms } from './check-links.ts'

/** Texts must be texts in JSON too, null clears optional fields, and linked records must exist. */
export const check: Check = (scope, field, value) => {
  if (value === null && !field.nonEmpty && !isFilter(field)) return { value }
  const isOfKind = field.kind.name !== 'text' || typeof value === 'string'
  const checked = isOfKind ? checkValue(field, value) : undefined
  if (!checked?.ok) return wrongValue(field, value)
  switch (field.kind.name) {
    case 'cost':
      return { value: [checked.value].flat().join(' - ') }
    case 'terms':
      return checkLinkedTerms(scope, field, checked.value, isFilter(field))
    case 'posts':
      return checkLinkedPlaces(scope, field, checked.value, check)
    default:
      return isFilter(field) && field.compare === 'include' && field.of === 'events'
        ? checked
        : checkLinkedIds(scope, field, checked.value)
  }
}

const wrongValue = (field: Field, value: unknown): Verdict => {
  const { expected, example } = field.kind.words(field)
  const hint = field.choices ? '' : `, such as ${example}`
  return { problem: `Expected ${expected}${hint}; got ${quote(value)}.` }
}

const quote = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
