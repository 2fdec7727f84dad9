/**
 * What is wrong with a record of a file for which no step can be made. Input: the record, and the existing one for which it stands. Output:
 * the failure of each of its parts, tried alone, so that people who correct a file learn everything at once. Nothing is planned.
 */

import type { Failure } from '../../../base/failure.ts'
import type { ChangeContext } from '../../../client/change.ts'
import type { Values } from '../../../client/client.ts'
import { resolveChange, resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { failureOfRecord } from './invalid.ts'
import type { MatchedRecord } from './matched-records.ts'
import { checkRequired, wantedValues } from './step-for-record.ts'

/** Without one of these, nobody knows which record it is, and what it needs. */
const heads = ['id', 'slug', 'action', 'resource']

/** What decides when an event takes place. */
const dates = ['start_date', 'end_date', 'all_day', 'timezone']

/** The failures of a record besides its mistakes. */
export async function faultsOf({ record, before }: MatchedRecord, context: ChangeContext): Promise<Failure[]> {
  const resource = resourceNamed(record.resource)
  const wrong = record.mistakes.map(({ field = 'id' }) => field)
  const failures: Failure[] = []
  const attempt = async (part: () => unknown) => {
    try {
      await part()
    } catch (error) {
      failures.push(failureOfRecord(error))
    }
  }
  if (record.action === 'trash' || record.translation || wrong.includes('lang_code')) return failures
  if (!wrong.some(name => heads.includes(name))) {
    const values = wantedValues(resource, record, before)
    const isDated = !wrong.some(name => dates.includes(name))
    // A value that cannot be read is not missing, nor is the end that follows from it.
    const there = Object.fromEntries([...wrong, ...(isDated ? [] : ['end_date'])].map(name => [name, true]))
    const names = { ...context.names, resolve: async (_: unknown, given: Values) => given }
    const alone = { ...context, allow: undefined, names }
    await attempt(() => before ?? checkRequired(resource, { ...values, ...there }, context))
    await attempt(() => context.allow?.(resource, values, before, context.fieldLabel))
    const dated = () =>
      before ? resolveChange(resource, before, { values }, alone) : resolveCreation(resource, values, alone)
    if (isDated) await attempt(dated)
  }
  const links = Object.entries(record.values).filter(([name]) => resource.fields[name]?.of !== undefined)
  for (const link of links.flatMap(([name, value]) => [value].flat().map(one => ({ [name]: [one] }))))
    await attempt(() => context.names.resolve(resource, link, before))
  return failures
}
