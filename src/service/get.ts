import type { Handler } from './dialect.ts'
import { findRecord } from './lookup.ts'
import { renderRecord } from './render/render-record.ts'

/** GET on a record. */
export const get: Handler = (context, resource, ref) => {
  const row = findRecord(context, resource.name, ref)
  if ('status' in row) context.dialect.checkMayRead(context, resource, row)
  return { status: 200, body: context.dialect.item(context, row, renderRecord(context, row, { single: true })) }
}
