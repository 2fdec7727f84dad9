import type { Entry, EntryChange } from './journal.ts'
import { pack, unpack } from './record.ts'
import type { Change } from './store.ts'
import type { Commit, Rewriting } from './tables.ts'

/** What the journal says of a commit. */
export const entryOf = ({ changes, after }: Commit): Entry => ({ changes: changes.map(entryChange), sequence: after })

/** The work that does again what a commit did. */
export const replaying =
  ({ changes, sequence }: Entry) =>
  (writing: Rewriting): void => {
    for (const change of changes) {
      if ('put' in change) writing.put(change.table, unpack(change.table, change.put))
      else writing.delete(change.table, change.delete)
    }
    writing.setSequence(sequence)
  }

const entryChange = ({ table, id, after }: Change): EntryChange =>
  (after ? { table, put: pack(table, after) } : { table, delete: id }) as EntryChange
