import { checkMayRead } from './access.ts'
import { notFound } from './find.ts'
import { listing } from './list/manner.ts'
import type { Manner } from './manner.ts'
import { invalid } from './refusal.ts'
import { asStored } from './render/manner.ts'

/** As the documentation says. */
export const documented: Manner = {
  ...asStored,
  ...listing,
  loadCheck: async () => (await import('./check.ts')).check,
  loadWriting: async () => (await import('./write/documented.ts')).documentedWriting,
  invalid,
  notFound,
  checkRoute: () => ({}),
  refOf: ref => ref,
  wrongCredentials: { name: name => `There is no user ${name} here.`, password: 'The provided password is wrong.' },
  checkMayRead,
}
