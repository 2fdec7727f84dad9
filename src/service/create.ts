import type { Handler } from './context.ts'
import { renderRecord } from './render/record.ts'
import { put } from './write/put.ts'

/** POST on a collection. As in production, a new term says where it is and the others leave that to their body. */
export const create: Handler = async (context, resource) => {
  const manner = await context.manner.loadWriting()
  const row = await manner.commit(context.store, writing => put({ context, writing, manner }, resource.name))
  return {
    status: 201,
    body: renderRecord(context, row, { single: true }),
    ...('name' in row && { headers: { location: context.manner.termAddress(context, row) } }),
  }
}
