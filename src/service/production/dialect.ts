/**
 * How The Events Calendar for WordPress differs from its documentation, measured on a real site. The files are those of
 * `documented/`; what only this dialect needs is beside them: texts, JSON-LD, PHP's dates, and what an update resets.
 */
import { once } from '../../base/memoize.ts'
import type { Dialect } from '../dialect.ts'
import { check } from './check.ts'
import { listDialect } from './list.ts'
import { refOf, refusalDialect } from './refusals.ts'
import { renderDialect } from './render.ts'

export const production: Dialect = {
  ...listDialect,
  ...renderDialect,
  ...refusalDialect,
  check,
  loadWriteDialect: once(async () => (await import('./write.ts')).writeDialect),
  refOf,
  headers: {},
}
