import type { Handler } from './dialect.ts'
import { renderRecord } from './render/record.ts'
import { put } from './write/put.ts'

/** POST on a collection. As in production, a new term says where it is and the others leave that to their body. */
export const create: Handler = async (context, resource) => {
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => put({ context, writing, dialect }, resource.name))
  return {
    status: 201,
    body: renderRecord(context, row, { single: true }),
    ...('name' in row && { headers: { location: context.dialect.termAddress(context, row) } }),
  }
}
