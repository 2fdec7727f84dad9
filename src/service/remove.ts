import type { ResourceName } from '../contract/field.ts'
import type { Ref } from './context.ts'
import type { Handler, Write } from './dialect.ts'
import { find } from './find.ts'
import { renderRecord } from './render/record.ts'
import type { PostTable, Rows } from './store/rows.ts'
import { removeTerm } from './write/terms.ts'
import { inTrash, isPostTable, trash } from './write/trash.ts'

/** DELETE on a record: posts go to the trash, terms go for good. */
export const remove: Handler = async (context, resource, ref) => {
  const dialect = await context.dialect.loadWriteDialect()
  const answer = await context.store.write(writing => {
    const row = removed({ context, writing, dialect }, resource.name, ref)
    return renderRecord(context, row, { single: false })
  })
  return { status: 200, body: answer }
}

function removed(write: Write, of: ResourceName, ref: Ref): Rows[ResourceName] {
  if (isPostTable(of)) return trashed(write, of, ref)
  const term = find(write.context, of, ref)
  removeTerm(write, of, term)
  return term
}

function trashed<T extends PostTable>(write: Write, of: T, ref: Ref): Rows[T] {
  const row = find(write.context, of, ref)
  if (row.status === 'trash') throw inTrash(of)
  return trash(write, of, row)
}
