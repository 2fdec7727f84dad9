/**
 * The API as its documentation describes it. `dialect.ts` puts the parts together: `list.ts`, `render.ts` and `refusals.ts` are
 * loaded with the service; `check.ts` and `write.ts` when a request has parameters to check or writes. Where the documentation
 * is silent, behaviour is the simplest that a client can rely on. `production/` has the same files.
 */
import type { Dialect } from '../dialect.ts'
import { listDialect } from './list.ts'
import { refusalDialect } from './refusals.ts'
import { renderDialect } from './render.ts'

export const documented: Dialect = {
  ...listDialect,
  ...renderDialect,
  ...refusalDialect,
  loadCheck: async () => (await import('./check.ts')).check,
  loadWriteDialect: async () => (await import('./write.ts')).writeDialect,
  refOf: ref => ref,
}
