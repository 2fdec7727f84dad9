import { allDates, largestPage } from '../contract/filter.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref, Values } from './client.ts'
import { type UpdateResult, updateKnown } from './safe-update.ts'

/** Brings a record back from the trash, whole, with a status. */
export async function restore(client: Client, resource: Resource, ref: Ref, status: string): Promise<UpdateResult> {
  const trashed = await findInTrash(client, resource, ref)
  if (!trashed) throw await notInTrash(client, resource, ref)
  return updateKnown(client, resource, trashed, { status })
}

/**
 * A record in the trash, undefined if it is not there. Not every implementation shows it by its ID, but all show it in a list
 * of the trash; its slug there ends in `__trashed`.
 */
export async function findInTrash(client: Client, resource: Resource, ref: Ref): Promise<Answer | undefined> {
  for await (const page of client.pages(resource, { ...trash(resource, ref), per_page: largestPage })) {
    const found = page.records.find(record => isMeant(record, ref))
    if (found) return found
  }
  return undefined
}

async function notInTrash(client: Client, resource: Resource, ref: Ref): Promise<Failure> {
  const { id, status } = await client.get(resource, ref)
  const { name, singular } = resource
  return new Failure('refused', `${singular} ${id} is not in the trash of ${client.calendar.label}: ${status}`, {
    hint: `change its status with: calctl ${name} update ${id} --status draft`,
  })
}

/** Events can be asked for by ID, if the window of dates is lifted; venues and organizers only all at once. */
const trash = (resource: Resource, ref: Ref): Values => {
  const dates = 'starts_after' in resource.filters ? allDates : {}
  return { status: 'trash', ...dates, ...('id' in ref && 'include' in resource.filters ? { include: ref.id } : {}) }
}

const isMeant = (record: Answer, ref: Ref): boolean =>
  'id' in ref ? record.id === ref.id : record.slug === ref.slug || record.slug === `${ref.slug}__trashed`
