/**
 * What is wrong with a record of a file for which no step can be made. Input: the record, and the existing one for which it stands. Output:
 * the failure of each of its parts, tried alone, so that people who correct a file learn everything at once. Nothing is planned.
 */

import type { Failure } from '../../../base/failure.ts'
import type { Values } from '../../../client/client.ts'
import { type ChangeContext, resolveChange, resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { failureOfRecord } from './invalid.ts'
import type { MatchedRecord } from './matched-records.ts'
import { askedValues, checkRequired } from './step.ts'

type Part = () => unknown

/** The failures of a record besides its mistakes. */
export async function faultsOf(matched: MatchedRecord, context: ChangeContext): Promise<Failure[]> {
  const { mistakes, action, translation } = matched.record
  const wrong = mistakes.map(({ field = 'id' }) => field)
  if (action === 'trash' || translation || wrong.includes('lang_code')) return []
  const isKnown = !wrong.some(name => heads.includes(name))
  const failures: Failure[] = []
  for (const part of [...(isKnown ? ownParts(matched, wrong, context) : []), ...linkParts(matched, context)])
    try {
      await part()
    } catch (error) {
      failures.push(failureOfRecord(error))
    }
  return failures
}

/** Without one of these, nobody knows which record it is, and what it needs. */
const heads = ['id', 'slug', 'action', 'resource']

/** What decides when an event takes place. */
const dates = ['start_date', 'end_date', 'all_day', 'timezone']

/** Whether a record has what it needs, whether the site takes its values, and when it takes place. */
function ownParts({ record, before }: MatchedRecord, wrong: readonly string[], context: ChangeContext): Part[] {
  const resource = resourceNamed(record.resource)
  const values = askedValues(resource, record, before)
  const isDated = !wrong.some(name => dates.includes(name))
  const there = Object.fromEntries([...wrong, ...(isDated ? [] : ['end_date'])].map(name => [name, true]))
  const { fieldLabel, names } = context
  const alone = {
    ...context,
    allow: undefined,
    names: { ...names, resolve: async (_: unknown, given: Values) => given },
  }
  const dated = () =>
    before ? resolveChange(resource, before, { values }, alone) : resolveCreation(resource, values, alone)
  return [
    () => before ?? checkRequired(resource, { ...values, ...there }, context),
    () => context.allow?.(resource, values, before, fieldLabel),
    () => isDated && dated(),
  ]
}

/** Each of the records to which a record links. */
function linkParts({ record, before }: MatchedRecord, { names }: ChangeContext): Part[] {
  const resource = resourceNamed(record.resource)
  const links = Object.entries(record.values).filter(([name]) => resource.fields[name]?.of !== undefined)
  return links.flatMap(([name, value]) =>
    [value].flat().map(one => () => names.resolve(resource, { [name]: [one] }, before)),
  )
}
