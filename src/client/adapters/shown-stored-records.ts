import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'
import type { ListScope } from '../find/whole-lists.ts'
import { listByIds } from './wp-lists.ts'
import { splitValues } from './wp-record.ts'

/**
 * Whether the site shows the stored records of a resource, so that updates are patches. At most one request; a site that had no `wp/v2`
 * recently is asked again where a value would be refused otherwise.
 */
export async function showsStored(
  client: Reads,
  { resource, language }: ListScope,
  asking?: { readonly askAgain: boolean },
): Promise<boolean> {
  const wordpress = await client.wordpress(language, asking)
  return (await wordpress?.isOpen(resource)) ?? false
}

/** Whether the site may show stored records to this user, as far as is known. Sends no request. */
export const mayShowStored = async (client: Reads, language?: unknown): Promise<boolean> =>
  (await client.wordpress(language)) !== undefined

/** Whether stored records show all of these values. */
export const areStored = (resource: Resource, values: Values): boolean =>
  Object.keys(splitValues(resource, values).others).length === 0

/** Stored records by ID, a hundred in each request; undefined if the site does not show them. */
export async function storedByIds(
  client: Reads,
  { resource, language }: ListScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Answer> | undefined> {
  const wordpress = await client.wordpress(language)
  return wordpress && listByIds(wordpress, resource, ids)
}
