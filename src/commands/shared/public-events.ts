import type { Values } from '../../client/client.ts'
import { isBlanked } from '../../client/protected-record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { counted, nounFor } from '../../text/words.ts'

export interface PublicOnly {
  /** The filter of lists that show editors protected events as visitors see them: by their titles and dates alone. */
  readonly query: Values
  of(records: readonly Answer[]): Answer[]
  /** How many were left out, as a sentence. */
  notice(): string | undefined
}

/**
 * The records that anybody may see, of those that were read with `query`. Feeds, leaflets and printed sheets are published: what is
 * a draft, private, hidden or protected by a password at the site must not get out with them.
 */
export function createPublicOnly(resource: Resource): PublicOnly {
  let omitted = 0
  const isPublic = (record: Answer): boolean => {
    const { status = 'publish', hide_from_listings: isHidden } = record
    const isShown = status === 'publish' && isHidden !== true && !isBlanked(resource, record)
    if (!isShown) omitted += 1
    return isShown
  }
  return {
    query: { context: 'view' },
    of: (records: readonly Answer[]): Answer[] => records.filter(isPublic),
    notice: (): string | undefined =>
      omitted === 0
        ? undefined
        : `left out ${counted(omitted, 'event')} that ${nounFor(omitted, 'is a draft', 'are drafts')}, private, hidden or protected; to write ${nounFor(omitted, 'it', 'them')} too, add --status`,
  }
}
