import type { Handler } from './context.ts'
import { renderRecord } from './render/record.ts'
import { put } from './write/put.ts'

/** POST, PUT or PATCH on a record: what is given is set, the rest stays. */
export const update: Handler = async (context, resource, ref) => {
  const manner = await context.manner.loadWriting()
  const row = await manner.commit(context.store, writing => put({ context, writing, manner }, resource.name, ref))
  return { status: 200, body: renderRecord(context, row, { single: true }) }
}
