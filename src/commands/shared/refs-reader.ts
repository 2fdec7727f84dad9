import type { Client, Ref, Values } from '../../client/client.ts'
import { readForUpdate } from '../../client/safe-update.ts'
import type { Answer, Resource } from '../../contract/resource.ts'

/** Up to so many records are read alone. */
const maxSingleReads = 3

/**
 * Reads records that are to be changed or removed: those with IDs a page at a time, with `names` also the stored forms of these
 * fields. The function that it returns gives one of them, or reads it alone, with `access`: one of which lists show only the title,
 * and each one of a resource whose lists cannot be filtered by ID.
 */
export async function createRefsReader(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  access: Values,
  names?: readonly string[],
): Promise<(ref: Ref) => Promise<Answer>> {
  const known = await readPages(client, resource, refs, names)
  return async ref => ('id' in ref ? known.get(ref.id) : undefined) ?? readForUpdate(client, resource, ref, access)
}

async function readPages(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  names: readonly string[] | undefined,
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
