import type { RequestContext } from '../request-context.ts'
import type { EventRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/**
 * The plugin fills the tables that its lists read at the end of a request. Where the client has gone away by then, an event is
 * found by its slug and is missing from lists, until it is saved again.
 */
const unlistedEvents = new WeakMap<Store, Set<number>>()

const none: ReadonlySet<number> = new Set()

export const unlisted = (store: Store): ReadonlySet<number> => unlistedEvents.get(store) ?? none

export function saved({ store, isAbandoned }: RequestContext, { id }: EventRow): void {
  if (!isAbandoned()) unlistedEvents.get(store)?.delete(id)
  else unlistedEvents.set(store, new Set(unlisted(store)).add(id))
}
