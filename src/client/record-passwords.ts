import type { Client } from '../../client/client.ts'
import { isBlanked } from '../../client/protected-record.ts'
import { wholeListQuery } from '../../client/whole-list.ts'
import { hiddenSecret } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Answer, Resource } from '../../contract/resource.ts'

/**
 * Records with a mark in place of a password that the site has and does not show: an editor reads such records whole, and only what
 * everybody else sees of them tells that they have one. One request for a page of records, at sites without `wp/v2`.
 */
export async function withPasswordMarks(
  client: Client,
  resource: Resource,
  records: readonly Answer[],
  language: unknown,
): Promise<readonly Answer[]> {
  const secret = Object.entries(resource.fields).find(([, field]) => field.secret)?.[0]
  if (secret === undefined || !(await client.readsAsEditor(resource))) return records
  const unknown = records.filter(({ raw }) => raw?.[secret] === undefined).map(({ id }) => id)
  const blanked = new Set<number>()
  for (let start = 0; start < unknown.length; start += largestPage) {
    const filters = {
      include: unknown.slice(start, start + largestPage).join(','),
      context: 'view',
      ...(language !== undefined && { lang_code: language }),
    }
    const { records: seen } = await client.list(resource, wholeListQuery({ resource }, filters))
    for (const record of seen) if (isBlanked(resource, record)) blanked.add(record.id)
  }
  return records.map(record =>
    blanked.has(record.id) ? { ...record, raw: { ...record.raw, [secret]: hiddenSecret } } : record,
  )
}
