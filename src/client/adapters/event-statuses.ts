import { eventStatusOf } from '../../contract/event-status.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads } from '../client.ts'
import { withRawValues } from './stored-records.ts'

/**
 * Events with their status, which lists of a site leave out: it is read from `wp/v2`, a hundred in each request, or from the mark before
 * the title. Other records stay as they are.
 */
export async function withEventStatuses(
  client: Reads,
  resource: Resource,
  records: readonly Answer[],
): Promise<Answer[]> {
  const name = 'event_status'
  if (!(name in resource.fields)) return [...records]
  const isUnknown = records.some(record => record[name] === undefined)
  const known = isUnknown ? await withRawValues(client, resource, records, { names: [name] }) : records
  return known.map((record, index) => {
    const status = eventStatusOf(record) ?? storedValue(name, record)
    const shown = records[index] ?? record
    return status === undefined ? shown : { ...shown, [name]: status }
  })
}
