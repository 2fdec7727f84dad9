import { isObject } from '../../base/text/json.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isClean } from '../../contract/kinds/kind-values.ts'
import { creationFields } from '../../contract/resource.ts'
import type { Check, Verdict } from '../dialect.ts'
import type { Scope } from '../request-context.ts'
import { invalidParameter } from './refusals.ts'

const invalid: Verdict = invalidParameter

/** A link that passes the check and fails when it is followed: a list of venues, an organizer that is not in a list. */
const unusable = Symbol('unusable')

const asId = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** IDs, names and slugs of terms: in a list, in an object's values, or separated by commas. Null is ignored. */
export function checkLinkedTerms(value: unknown): Verdict {
  if (value === null) return { value: undefined }
  const terms = isObject(value) ? Object.values(value) : partsOf(value)
  if (terms.some(term => typeof term === 'string' && !isClean(term))) return invalid
  return { value: terms.map(termOf).filter(term => term !== '') }
}

/** PHP converts to text: false and null to an empty one, true to `1`; an object fails. */
function termOf(term: unknown): unknown {
  if (term === null || term === false) return ''
  if (term === true) return 1
  if (typeof term === 'object') return unusable
  return asId(trim(term))
}

/** Linked venues or organizers; an empty value is none. */
export function checkLinkedPlaces(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  if (isNothing(value)) return { value: [] }
  return field.of === 'venues' ? checkVenue(value, scope, field, check) : checkOrganizers(value, scope, field, check)
}

const isNothing = (value: unknown): boolean =>
  value === '' || value === '0' || !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** One venue. A list of valid ones passes too, and fails when the event is written. */
function checkVenue(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  if (Array.isArray(value) || isCsv(value)) {
    const all = partsOf(value).map(part => checkPlace(part, scope, field, check))
    return all.find(verdict => 'problem' in verdict) ?? { value: [unusable] }
  }
  const verdict = checkPlace(value, scope, field, check)
  return 'value' in verdict ? { value: [verdict.value] } : verdict
}

/** A list of organizers. A single new one passes too, and so do IDs with commas; both fail when the event is written. */
function checkOrganizers(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  const all = partsOf(value).map(part => checkPlace(part, scope, field, check))
  const problem = all.find(verdict => 'problem' in verdict)
  if (problem) return problem
  if (isCsv(value) || (isObject(value) && !('id' in value))) return { value: [unusable] }
  return { value: all.map(verdict => 'value' in verdict && verdict.value) }
}

const isCsv = (value: unknown): boolean => typeof value === 'string' && value.includes(',')

const partsOf = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(',') : [value].flat())

/** An ID that exists, or the fields of a new record. */
function checkPlace(value: unknown, scope: Scope, { of }: Field, check: Check): Verdict {
  if (!of) return invalid
  const id = isObject(value) ? asId(value.id) : asId(trim(value))
  if (id !== undefined)
    return typeof id === 'number' && scope.store.table(of).get(id)?.lang_code === scope.language
      ? { value: id }
      : invalid
  return isObject(value) ? checkNewPlace(value, scope, of, check) : invalid
}

/** Inside an event, booleans of a venue may be booleans; its own routes require texts. */
function checkNewPlace(value: Record<string, unknown>, scope: Scope, of: ResourceName, check: Check): Verdict {
  const resource = resourceNamed(of)
  if (resource.required.some(name => !(name in value))) return invalid
  const sent = creationFields(resource).filter(([name]) => name in value)
  const verdicts = sent.map(([name, field]) => {
    const asWritten = field.asText && typeof value[name] === 'boolean' ? String(value[name]) : value[name]
    return { name, ...check(scope, field, asWritten, name) }
  })
  if (verdicts.some(verdict => 'problem' in verdict)) return invalid
  return {
    value: Object.fromEntries(verdicts.map(({ name, ...verdict }) => [name, 'value' in verdict && verdict.value])),
  }
}
