/**
 * Writing records: handlers for POST, PUT and PATCH, and what they are made of. In: values that have been checked. Out: rows in
 * the store. `stored-values.ts` stores the fields of the contract by their kinds; `post-dates.ts` and the dialect compute what
 * depends on more than one field.
 */

import type { ResourceName } from '../../contract/field.ts'
import { checkMayChange } from '../access.ts'
import type { Handler, Write } from '../dialect.ts'
import { findRecord } from '../lookup.ts'
import { renderRecord } from '../render/render-record.ts'
import type { ParameterValues, RecordRef } from '../request-context.ts'
import type { PostTable, Rows } from '../store/rows.ts'
import { beforeTrash, trash } from './trash-rows.ts'
import { writeEvent, writePlace } from './write-post.ts'
import { writeTerm } from './write-term.ts'

/** POST on a collection. As in production, only a new term is answered with its location. */
export const create: Handler = async (context, resource) => {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name))
  return {
    status: 201,
    body: renderRecord(context, row, { single: true }),
    ...('name' in row && { headers: { location: context.dialect.termAddress(context, row) } }),
  }
}

/** POST, PUT or PATCH on a record: sets the sent values, and leaves the others. */
export const update: Handler = async (context, resource, ref) => {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name, ref))
  return { status: 200, body: renderRecord(context, row, { single: true }) }
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
