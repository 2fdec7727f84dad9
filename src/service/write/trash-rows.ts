import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { checkMayChange } from '../access.ts'
import type { Handler, Write } from '../dialect.ts'
import { findRecord, freeSlug } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import { renderRecord } from '../render/render-record.ts'
import type { RecordRef } from '../request-context.ts'
import type { PostTable, Rows } from '../store/rows.ts'
import { isFloating, modification } from './post-dates.ts'
import { removeTerm } from './write-term.ts'

/** DELETE on a record: posts go to the trash, terms go for good. */
export const remove: Handler = async (context, resource, ref) => {
  const dialect = await context.dialect.loadWriteDialect()
  const answer = await context.store.write(writing => {
    const row = removeRecord({ context, writing, dialect }, resource.name, ref)
    return renderRecord(context, row, { single: !('name' in row) })
  })
  return { status: 200, body: answer }
}

function removeRecord(write: Write, of: ResourceName, ref: RecordRef): Rows[ResourceName] {
  if (isPostTable(of)) return trashPost(write, of, ref)
  const term = findRecord(write.context, of, ref)
  checkMayChange(write.context, of, term)
  removeTerm(write, of, term)
  return term
}

function trashPost<T extends PostTable>(write: Write, of: T, ref: RecordRef): Rows[T] {
  const row = findRecord(write.context, of, ref)
  checkMayChange(write.context, of, row)
  if (row.status === 'trash') throw inTrash(of)
  return trash(write, of, row)
}

/** Whether a resource's records are posts. */
export const isPostTable = (of: ResourceName): of is PostTable => of !== 'categories' && of !== 'tags'

const mark = '__trashed'

/** Puts a post into the trash: its slug becomes free for others. */
export function trash<T extends PostTable>(write: Write, of: T, row: Rows[T]): Rows[T] {
  const changed = modification(write)
  const trashed: Rows[T] = {
    ...row,
    ...changed,
    // What was never published counts as published when it is thrown away.
    ...(isFloating(row) && { date: changed.modified, date_utc: changed.modified_utc }),
    status: 'trash',
    trashed_from: row.status,
    slug: freeSlug(write.context.store, of, row.lang_code, `${row.slug}${mark}`, row.id),
  }
  write.writing.put(of, trashed)
  return trashed
}

/** A trashed post as it was before it was trashed. */
export const beforeTrash = <R extends Rows[PostTable]>(row: R): R => ({
  ...row,
  status: row.trashed_from ?? 'publish',
  trashed_from: null,
  // A draft that had no slug comes back with the mark for one.
  slug: row.slug.replace(/(?<=.)__trashed(-\d+)?$/, ''),
})

/** Refuses what cannot be done to a trashed post. */
export function inTrash(of: PostTable): Refusal {
  const { singular } = resourceNamed(of)
  return new Refusal(410, `${singular}-is-in-trash`, `The ${singular} is already trashed`)
}
