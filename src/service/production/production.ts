import type { Manner } from '../manner.ts'
import { productionListing } from './lists.ts'
import { checkMayRead, checkRoute, invalid, notFound, refOf } from './refusals.ts'
import { asRendered } from './showing.ts'

/** As The Events Calendar for WordPress does, wherever that is another way than the documentation says. */
export const production: Manner = {
  ...asRendered,
  ...productionListing,
  loadCheck: async () => (await import('./accepts.ts')).accepts,
  loadWriting: async () => (await import('./writing.ts')).productionWriting,
  invalid,
  notFound,
  checkRoute,
  refOf,
  checkMayRead,
  wrongCredentials: {
    name: () => '<strong>Error:</strong> Unknown username. Check again or try your email address.',
    password: 'The provided password is an invalid application password.',
  },
}
