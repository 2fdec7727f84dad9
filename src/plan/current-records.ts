import type { ListScope } from '../client/whole-list.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Answer } from '../contract/resource.ts'
import { listKey, type SiteReader } from './site-reader.ts'

/** Where a record is expected: its ID, and the list it is in. */
export interface RecordLocation extends Omit<ListScope, 'resource'> {
  readonly resource: ResourceName
  readonly id: number
}

/** Identifies a record in maps of several resources. */
export const recordKey = (resource: ResourceName, id: number): string => `${resource} ${id}`

/** Records as they are now, by `recordKey`; those that are not where they are expected are left out. */
export async function readCurrentRecords(
  reader: SiteReader,
  locations: readonly RecordLocation[],
): Promise<Map<string, Answer>> {
  const lists = new Map<string, { scope: ListScope; ids: number[] }>()
  for (const { id, resource, ...list } of locations) {
    const scope = { ...list, resource: resourceNamed(resource) }
    const group = lists.get(listKey(scope)) ?? { scope, ids: [] }
    lists.set(listKey(scope), group)
    group.ids.push(id)
  }
  const records = new Map<string, Answer>()
  for (const { scope, ids } of lists.values())
    for (const [id, record] of await reader.readByIds(scope, ids))
      records.set(recordKey(scope.resource.name, id), record)
  return records
}

/** Adds the stored forms of these fields to records that were read, with a request for a hundred where what is shown does not tell. */
export async function addStoredForms(
  reader: SiteReader,
  wanted: Iterable<RecordLocation & { readonly names: readonly string[] }>,
  records: Map<string, Answer>,
): Promise<void> {
  const lists = new Map<string, { scope: ListScope; found: Answer[]; names: Set<string> }>()
  for (const { id, resource, names, ...list } of wanted) {
    const record = records.get(recordKey(resource, id))
    if (!record || names.length === 0) continue
    const scope = { ...list, resource: resourceNamed(resource) }
    const group = lists.get(listKey(scope)) ?? { scope, found: [] as Answer[], names: new Set<string>() }
    lists.set(listKey(scope), group)
    group.found.push(record)
    for (const name of names) group.names.add(name)
  }
  for (const { scope, found, names } of lists.values())
    for (const record of await reader.withRawValues(scope, found, [...names]))
      records.set(recordKey(scope.resource.name, record.id), record)
}
