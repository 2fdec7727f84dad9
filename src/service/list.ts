import type { Resource } from '../contract/resource.ts'
import type { Answered, Context } from './context.ts'
import { renderRecord } from './render/record.ts'

/** GET on a collection. */
export function list(context: Context, resource: Resource): Answered {
  const rows = [...context.store.table(resource.name).values()].filter(row => row.lang_code === context.language)
  const records = rows.map(row => renderRecord(context, resource, row, { single: false }))
  return { status: 200, body: { [resource.name]: records, total: records.length } }
}
