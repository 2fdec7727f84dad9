import { asFailure } from '../../base/failure.ts'
import { hiddenSecret } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Reads } from '../client.ts'
import { type ListScope, wholeListQuery } from '../find/whole-lists.ts'
import { isPasswordCode } from '../http/problems/unavailable.ts'
import { isBlanked, secretOf } from './secret-values.ts'
import { withRawValues } from './stored-records.ts'

/**
 * Whether each record has a password, by ID; records of which the site shows nothing are missing. `wp/v2` shows passwords to editors. The
 * events API shows editors the whole record, so that only reading it without credentials tells.
 */
export async function readPasswords(
  client: Reads,
  scope: ListScope,
  records: readonly Answer[],
): Promise<Map<number, boolean>> {
  const { resource, language } = scope
  const known = new Map<number, boolean>()
  const secret = secretOf(resource)
  if (secret === undefined) return known
  for (const { id, raw } of await withRawValues(client, resource, records, { names: [secret], language }))
    if (raw?.[secret] !== undefined) known.set(id, raw[secret] !== '')
  const unknown = records.filter(({ id }) => !known.has(id))
  if (!(await client.readsAsEditor(resource))) return new Map(records.map(one => [one.id, isBlanked(resource, one)]))
  return new Map([...known, ...(await readAsEverybody(client, scope, unknown))])
}

/** The records, with a mark in place of a password that exists but that the site does not show. */
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

/**
 * Whether the texts of records are missing when they are read without credentials. One request for a page of records, and one for each
 * record that lists leave out.
 */
async function readAsEverybody(client: Reads, scope: ListScope, records: readonly Answer[]) {
  const blanked = new Map<number, boolean>()
  for (let start = 0; start < records.length; start += largestPage) {
    const ids = records.slice(start, start + largestPage).map(({ id }) => id)
    const query = wholeListQuery(scope, { include: ids.join(','), context: 'view' })
    const { records: seen } = await client.list(scope.resource, query)
    for (const record of seen) blanked.set(record.id, isBlanked(scope.resource, record))
    for (const id of scope.trashed ? [] : ids.filter(id => !blanked.has(id))) {
      const isProtected = await isProtectedAlone(client, scope, id)
      if (isProtected !== undefined) blanked.set(id, isProtected)
    }
  }
  return blanked
}

/** Whether the site asks for a password when a record is read alone and without credentials; undefined if it cannot be read. */
const isProtectedAlone = (client: Reads, { resource, language }: ListScope, id: number): Promise<boolean | undefined> =>
  client.get(resource, { id }, { context: 'view', lang_code: language }).then(
    () => false,
    error => isPasswordCode(asFailure(error).details.code) || undefined,
  )
