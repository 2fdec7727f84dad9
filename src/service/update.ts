import type { Handler } from './dialect.ts'
import { renderRecord } from './render/record.ts'
import { put } from './write/put.ts'

/** POST, PUT or PATCH on a record: what is given is set, the rest stays. */
export const update: Handler = async (context, resource, ref) => {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name, ref))
  return { status: 200, body: renderRecord(context, row, { single: true }) }
}
