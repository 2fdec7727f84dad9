/**
 * Whether records have a password. The site shows it to editors in `wp/v2`; in the events API they read such records whole, and only
 * what everybody else sees of them tells that they have one: one request for a page of records.
 */
import { hiddenSecret } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads } from '../client.ts'
import { type ListScope, wholeListQuery } from '../find/whole-lists.ts'
import { isBlanked } from './secret-values.ts'
import { withRawValues } from './stored-records.ts'

/** The field that protects records of a resource with a password; undefined if they have none. */
export const secretOf = ({ fields }: Resource): string | undefined =>
  Object.entries(fields).find(([, field]) => field.secret)?.[0]

/** Whether each record has a password, by ID; without those of which the site shows nothing. */
export async function readPasswords(
  client: Reads,
  scope: ListScope,
  records: readonly Answer[],
): Promise<Map<number, boolean>> {
  const { resource, language } = scope
  const known = new Map<number, boolean>()
  const secret = secretOf(resource)
  if (secret === undefined) return known
  for (const { id, raw } of await withRawValues(client, resource, records, [secret], language))
    if (raw?.[secret] !== undefined) known.set(id, raw[secret] !== '')
  const unknown = records.filter(({ id }) => !known.has(id))
  if (!(await client.readsAsEditor(resource))) return new Map(records.map(one => [one.id, isBlanked(resource, one)]))
  return new Map([...known, ...(await readAsEverybody(client, scope, unknown))])
}

/** Records with a mark in place of a password that the site has and does not show. */
export async function withPasswordMarks(
  client: Reads,
  scope: ListScope,
  records: readonly Answer[],
): Promise<readonly Answer[]> {
  const secret = secretOf(scope.resource)
  if (secret === undefined || !(await client.readsAsEditor(scope.resource))) return records
  const unknown = records.filter(({ raw }) => raw?.[secret] === undefined)
  const known = await readAsEverybody(client, scope, unknown)
  return records.map(record =>
    known.get(record.id) ? { ...record, raw: { ...record.raw, [secret]: hiddenSecret } } : record,
  )
}

/** Whether lists leave the texts of records blank. */
async function readAsEverybody(
  client: Reads,
  scope: ListScope,
  records: readonly Answer[],
): Promise<Map<number, boolean>> {
  const blanked = new Map<number, boolean>()
  for (let start = 0; start < records.length; start += largestPage) {
    const ids = records.slice(start, start + largestPage).map(({ id }) => id)
    const query = wholeListQuery(scope, { include: ids.join(','), context: 'view' })
    const { records: seen } = await client.list(scope.resource, query)
    for (const record of seen) blanked.set(record.id, isBlanked(scope.resource, record))
  }
  return blanked
}
