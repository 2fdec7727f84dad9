import type { ResourceName } from '../contract/field.ts'
import { checkMayChange } from './access.ts'
import type { Handler, Write } from './dialect.ts'
import { findRecord } from './lookup.ts'
import { renderRecord } from './render/render-record.ts'
import type { RecordRef } from './request-context.ts'
import type { PostTable, Rows } from './store/rows.ts'
import { inTrash, isPostTable, trash } from './write/trash.ts'
import { removeTerm } from './write/write-term.ts'

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
