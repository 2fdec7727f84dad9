import { checkValue, wordsOf } from '../../contract/check-value.ts'
import type { Field } from '../../contract/field.ts'
import { isFilter } from '../../contract/filter.ts'
import { costText } from '../../contract/kinds/cost-kind.ts'
import type { Check, Verdict } from '../dialect.ts'
import { checkLinkedIds, checkLinkedPlaces, checkLinkedTerms } from './check-links.ts'

/** Texts must be texts in JSON too, null clears optional fields, and linked records must exist. */
export const check: Check = (scope, field, value) => {
  if (value === null && !field.nonEmpty && !isFilter(field)) return { value }
  const isOfKind = field.kind.shape !== 'prose' || typeof value === 'string'
  const checked = isOfKind ? checkValue(field, value) : undefined
  if (!checked?.ok) return wrongValue(field, value)
  const { value: read } = checked
  if (field.kind.shape === 'amount') return { value: costText(read) }
  if (field.kind.isTerms) return checkLinkedTerms(scope, field, read, isFilter(field))
  if (field.kind.shape === 'links') return checkLinkedPlaces(scope, field, read, check)
  const mayBeMissing = isFilter(field) && field.compare === 'include' && field.of === 'events'
  return mayBeMissing ? checked : checkLinkedIds(scope, field, read)
}

const wrongValue = (field: Field, value: unknown): Verdict => {
  const { expected, example } = wordsOf(field)
  const hint = field.choices ? '' : `, such as ${example}`
  return { problem: `Expected ${expected}${hint}; got ${quote(value)}.` }
}

const quote = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
