/**
 * Whether a record is still the one that a plan or a run knew. An ID is not an identity: when a backup was restored, or a service in memory
 * was started again, the same IDs are given to other records. Input: a comparison with the record as it was known. Output: what it is now.
 */

import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isNone } from '../../contract/kinds/kind-values.ts'
import { noDate } from '../../contract/post-status.ts'
import { comparedWith } from '../../contract/record.ts'
import type { Answer } from '../../contract/resource.ts'

/** `earlier`: it was saved last before it was known, so that the site was restored; `another`: nothing tells that it is the same record. */
export type Recognition = 'same' | 'earlier' | 'another'

/** A record as it was known: how one of its fields compares with the current record, and when it had been saved last. */
export interface KnownRecord {
  readonly resource: ResourceName
  compare(name: string, field: Field, current: Answer): 'same' | 'changed' | 'unknown'
  /** In UTC; undefined if it is not known. */
  readonly modified?: unknown
}

/** What people recognize a record by. Nobody changes all of them at once. */
const signNames = (resource: ResourceName): readonly string[] => [resourceNamed(resource).title, 'slug', 'start_date']

export function recognize(known: KnownRecord, current: Answer): Recognition {
  const { fields } = resourceNamed(known.resource)
  if (isEarlier(current.modified_utc, known.modified)) return 'earlier'
  const comparisonOf = (name: string) => {
    const field = fields[name]
    return field ? known.compare(name, field, current) : 'unknown'
  }
  // Two records without a slug do not agree in it.
  const shown = signNames(known.resource).filter(name => !isNone(current[name] ?? ''))
  const agreeing = shown.filter(name => comparisonOf(name) === 'same')
  const unknown = shown.filter(name => comparisonOf(name) === 'unknown')
  // A record that replaces another one may have its slug, and a person may change the date of publication.
  const needed = comparisonOf('date_utc') === 'changed' && current.status !== 'trash' ? 2 : 1
  return agreeing.length + unknown.length >= Math.min(needed, shown.length) ? 'same' : 'another'
}

const isEarlier = (current: unknown, known: unknown): boolean =>
  [current, known].every(time => typeof time === 'string' && time !== noDate) && String(current) < String(known)

/** The values by which a record is recognized later. */
export type Signs = Readonly<Record<string, unknown>>

export const allSignsOf = (resource: ResourceName, record: Signs): Signs =>
  Object.fromEntries(signNames(resource).flatMap(name => (record[name] === undefined ? [] : [[name, record[name]]])))

/** The title and slug of a record that a run changed without having a step for it. */
export function signsOf(resource: ResourceName, record: Signs): Signs {
  const { start_date: _, ...signs } = allSignsOf(resource, record)
  return signs
}

/** Whether a record still has any of the signs; journals of earlier versions have none. */
export function hasSigns(resource: ResourceName, record: Answer, signs: Signs = {}): boolean {
  const { fields } = resourceNamed(resource)
  const known = Object.entries(signs).filter(([, sign]) => sign !== '')
  const agrees = ([name, sign]: [string, unknown]) => {
    const field = fields[name]
    return field !== undefined && comparedWith({ name, field, record }, sign) !== 'changed'
  }
  return known.length === 0 || known.some(agrees)
}

/** Why a record is left alone. */
export const strangerReason = (recognition: Recognition): string =>
  recognition === 'earlier'
    ? phrase('the site was restored to an earlier state')
    : phrase('it is another record with the same ID')
