/**
 * Writing records: handlers for POST, PUT, PATCH and DELETE, and what they are made of. In: values that have been checked. Out: rows
 * in the store. `write-record.ts` makes the rows; `stored-values.ts` stores the fields of the contract by their kinds, and computes
 * the dates of posts.
 */

import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { checkMayChange } from '../access.ts'
import type { Context, HandlerResult, ParameterValues, RecordRef, Write } from '../dialect.ts'
import { findRecord, freeSlug } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import { renderRecord, renderWritten } from '../render/render-record.ts'
import type { PostTable, Rows } from '../store/rows.ts'
import { isFloating, modification } from './stored-values.ts'
import { removeTerm, writeEvent, writePlace, writeTerm } from './write-record.ts'

/** POST on a collection. As in production, only a new term is answered with its location. */
export async function createRecord(resource: Resource, context: Context): Promise<HandlerResult> {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name))
  return {
    status: 201,
    body: renderWritten(context, row),
    ...('name' in row && { headers: { location: context.dialect.termAddress(context, row) } }),
  }
}

/** POST, PUT or PATCH on a record: sets the sent values, and leaves the others. */
export async function updateRecord(resource: Resource, context: Context, ref: RecordRef): Promise<HandlerResult> {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name, ref))
  return { status: 200, body: renderWritten(context, row) }
}

/** Updates the record that `ref` names, or creates one if there is no `ref`. */
function put(write: Write, of: ResourceName, ref?: RecordRef): Rows[ResourceName] {
  switch (of) {
    case 'events':
      return putPost(write, of, ref, (values, old) => writeEvent(write, values, old))
    case 'venues':
    case 'organizers':
      return putPost(write, of, ref, (values, old) => writePlace(write, of, values, old))
    default: {
      const old = ref && findRecord(write.context, of, ref)
      checkMayChange(write.context, of, old)
      return writeTerm(write, of, write.dialect.prepare(write, of, write.context.values, old), old)
    }
  }
}

/** The status `trash` is a delete after the rest is written; any other brings a trashed post back. */
function putPost<T extends PostTable>(
  write: Write,
  of: T,
  ref: RecordRef | undefined,
  writeRow: (values: ParameterValues, old?: Rows[T]) => Rows[T],
): Rows[T] {
  const old = ref && findRecord(write.context, of, ref)
  checkMayChange(write.context, of, old)
  const values = write.dialect.prepare(write, of, write.context.values, old)
  const before = old?.status === 'trash' ? beforeTrash(old) : old
  const { status, ...others } = values
  return status === 'trash' ? trash(write, of, writeRow(others, before)) : writeRow(values, before)
}

/** DELETE on a record: posts go to the trash, terms go for good. */
export async function removeRecord(resource: Resource, context: Context, ref: RecordRef): Promise<HandlerResult> {
  const dialect = await context.dialect.loadWriteDialect()
  const answer = await context.store.write(writing => {
    const row = removeRow({ context, writing, dialect }, resource.name, ref)
    return renderRecord(context, row, { single: !('name' in row) })
  })
  return { status: 200, body: answer }
}

function removeRow(write: Write, of: ResourceName, ref: RecordRef): Rows[ResourceName] {
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
    slug: freeSlug(write.context.store, of, `${row.slug}${mark}`, row),
  }
  write.writing.put(of, trashed)
  write.dialect.effects(write, of, row, trashed)
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
