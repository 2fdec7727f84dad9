import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../context.ts'
import type { Rows } from '../store/rows.ts'

/** A record as the API answers it. */
export const renderRecord = (
  _context: Context,
  _resource: Resource,
  row: Rows[Resource['name']],
  _shape: { readonly single: boolean },
): object => row
