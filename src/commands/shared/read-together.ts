import type { Client, Ref } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'

/** Up to so many records are read alone. */
const maxSingleReads = 3

/**
 * Records that are to be changed or removed, by ID, read a page at a time; with `names`, also the stored forms of these fields.
 * Records of which the site shows only the title are missing, as is every record of a resource whose lists cannot be filtered by ID.
 */
export async function readTogether(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  names?: readonly string[],
): Promise<Map<number, Answer>> {
  const ids = refs.flatMap(ref => ('id' in ref ? ref.id : []))
  if (ids.length <= maxSingleReads || !('include' in resource.filters)) return new Map()
  const { isBlanked } = await import('../../client/protected-record.ts')
  const { createSiteReader } = await import('../../plan/site-reader.ts')
  const reader = createSiteReader(client)
  const read = await reader.readByIds({ resource }, ids)
  const shown = [...read.values()].filter(record => !isBlanked(resource, record))
  const records = names ? await reader.withRawValues({ resource }, shown, names) : shown
  return new Map(records.map(record => [record.id, record]))
}
