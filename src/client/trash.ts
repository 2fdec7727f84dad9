import { allDates, dateFilterNames, largestPage } from '../contract/filter.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref, Values } from './client.ts'

/** Reads a record that is to be restored; throws `refused` for one that is not in the trash. */
export async function readForRestore(client: Client, resource: Resource, ref: Ref): Promise<Answer> {
  const trashed = await findInTrash(client, resource, ref)
  if (trashed) return trashed
  throw await notInTrash(client, resource, ref)
}

/**
 * A record in the trash, undefined if it is not there. Not every implementation returns it by its ID, but all list it in the
 * trash, where its slug ends in `__trashed`.
 */
export async function findInTrash(client: Client, resource: Resource, ref: Ref): Promise<Answer | undefined> {
  for await (const page of client.pages(resource, { ...trashQuery(resource, ref), per_page: largestPage })) {
    const match = page.records.find(record => matches(record, ref))
    if (match) return match
  }
  return undefined
}

async function notInTrash(client: Client, resource: Resource, ref: Ref): Promise<Failure> {
  const { id, status } = await client.get(resource, ref)
  const { name, singular } = resource
  return new Failure(
    'refused',
    `${singular} ${id} is not in the trash of ${client.calendar.label}: its status is ${status}`,
    {
      hint: `change its status with: calctl ${name} update ${id} --status draft`,
    },
  )
}

/** Events can be listed by ID, of all dates; venues and organizers only all at once. */
const trashQuery = (resource: Resource, ref: Ref): Values => {
  const dates = dateFilterNames(resource.filters).length > 0 ? allDates : {}
  return { status: 'trash', ...dates, ...('id' in ref && 'include' in resource.filters ? { include: ref.id } : {}) }
}

const matches = (record: Answer, ref: Ref): boolean =>
  'id' in ref ? record.id === ref.id : record.slug === ref.slug || record.slug === `${ref.slug}__trashed`
