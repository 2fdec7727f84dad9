import { eventStatusOf } from '../../contract/event-status.ts'
import { storedValue } from '../../contract/record.ts'
import { type Answer, apartFields, type Resource } from '../../contract/resource.ts'
import type { Reads } from '../client.ts'
import { withRawValues } from './stored-records.ts'

/**
 * Events with their status and its reason, which the events API leaves out: both are read from `wp/v2`, a hundred events in each request,
 * or the status from the mark before the title. Records of other resources stay as they are.
 */
export async function withEventStatuses(
  client: Reads,
  resource: Resource,
  records: readonly Answer[],
): Promise<Answer[]> {
  const names = apartFields(resource)
  if (names.length === 0) return [...records]
  const isUnknown = records.some(record => names.some(name => record[name] === undefined))
  const known = isUnknown ? await withRawValues(client, resource, records, { names }) : records
  return known.map((record, index) => {
    const status = eventStatusOf(record)
    const stored = names.flatMap(name => {
      const value = storedValue(name, record)
      return value === undefined ? [] : [[name, value] as const]
    })
    return {
      ...(records[index] ?? record),
      ...Object.fromEntries(stored),
      ...(status !== undefined && { event_status: status }),
    }
  })
}
