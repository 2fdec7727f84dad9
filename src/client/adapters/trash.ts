import { Failure } from '../../base/failure.ts'
import { allDates, dateFilterNames, largestPage } from '../../contract/filter.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Ref, Values } from '../client.ts'
import { isReferredTo } from '../find/slugs.ts'
import { isTrashCode } from '../http/problems/unavailable.ts'
import { hiddenInTrash } from './stored-records.ts'

/** Reads a record that is to be restored; throws `refused` for one that is not in the trash. */
export async function readForRestore(client: Reads, resource: Resource, ref: Ref): Promise<Answer> {
  const trashed = await findInTrash(client, resource, ref)
  if (trashed) return trashed
  throw await notInTrash(client, resource, ref)
}

/**
 * A record in the trash, undefined if it is not there. Not every implementation returns it by its ID, but all list it in the
 * trash, where its slug ends in `__trashed`; hidden events are listed by WordPress's own API alone.
 */
export async function findInTrash(client: Reads, resource: Resource, ref: Ref): Promise<Answer | undefined> {
  for await (const page of client.pages(resource, { ...trashQuery(resource, ref), per_page: largestPage })) {
    const match = page.records.find(record => isReferredTo(ref, record))
    if (match) return match
  }
  const query = 'id' in ref ? { include: ref.id } : { slug: `${ref.slug}__trashed,${ref.slug}` }
  return (await hiddenInTrash(client, resource, query)).find(record => isReferredTo(ref, record))
}

/** Whether a record is in the trash, which a site without `wp/v2` says of a hidden event, and shows it nowhere. */
export async function isInTrash(client: Reads, resource: Resource, id: number, language: unknown): Promise<boolean> {
  try {
    return (
      (await client.get(resource, { id }, language === undefined ? {} : { lang_code: language })).status === 'trash'
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unreachable') throw error
    return isTrashCode(error.details.code)
  }
}

async function notInTrash(client: Reads, resource: Resource, ref: Ref): Promise<Failure> {
  const { name, singular } = resource
  const { id, status } = await client.get(resource, ref).catch(error => {
    throw error instanceof Failure && isTrashCode(error.details.code) ? hidden(client, resource, ref) : error
  })
  return new Failure(
    'refused',
    `${singular} ${id} is not in the trash of ${client.calendar.label}: its status is ${status}`,
    {
      hint: `change its status with: calctl ${name} update ${id} --status draft`,
    },
  )
}

/** A site says that a record is in the trash, and does not show it there. */
const hidden = ({ calendar }: Reads, { singular }: Resource, ref: Ref) =>
  new Failure(
    'refused',
    `${singular} ${'id' in ref ? ref.id : ref.slug} is in the trash of ${calendar.label}, which does not show hidden ones`,
    { hint: 'restore it in WordPress, or undo the run that moved it there: calctl runs list' },
  )

/** Events can be listed by ID, of all dates; venues and organizers only all at once. */
const trashQuery = (resource: Resource, ref: Ref): Values => {
  const dates = dateFilterNames(resource.filters).length > 0 ? allDates : {}
  return { status: 'trash', ...dates, ...('id' in ref && 'include' in resource.filters ? { include: ref.id } : {}) }
}
