import { slugFor } from '../slug.ts'
import { schedule } from './dates.ts'
import { postIds } from './places.ts'
import { checkTermName, ownAncestor, termIds } from './terms.ts'
import { inTrash, isPostTable } from './trash.ts'
import type { WritingManner } from './write.ts'

/** As the documentation says: what is left out stays, and a record in the trash is changed by bringing it back. */
export const documentedWriting: WritingManner = {
  prepare(_write, of, values, old) {
    const isTrashed = old !== undefined && 'status' in old && old.status === 'trash'
    if (isTrashed && isPostTable(of) && (values.status ?? 'trash') === 'trash') throw inTrash(of)
    return values
  },
  schedule,
  twin: () => undefined,
  termIds,
  postIds,
  ownAncestor,
  checkTermName,
  slugFor,
  commit: (store, work) => store.write(work),
}
