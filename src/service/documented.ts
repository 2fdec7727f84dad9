import type { Manner } from './manner.ts'

/** As the documentation says. */
export const documented: Manner = {
  loadCheck: async () => (await import('./check.ts')).check,
}
