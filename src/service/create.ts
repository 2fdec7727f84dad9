import type { Handler } from './context.ts'
import { renderRecord } from './render/record.ts'
import { put } from './write/put.ts'

/** POST on a collection. */
export const create: Handler = async (context, resource) => {
  const manner = await context.manner.loadWriting()
  const row = await manner.commit(context.store, writing => put({ context, writing, manner }, resource.name))
  return { status: 201, body: renderRecord(context, resource, row, { single: true }) }
}
