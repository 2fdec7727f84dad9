import { isBlanked } from '../../client/protected-record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { counted, nounFor } from '../../text/words.ts'

export interface PublicOnly {
  of(records: readonly Answer[]): Answer[]
  /** How many were left out, as a sentence. */
  notice(): string | undefined
}

/**
 * The records that anybody may see. A feed is published: what is a draft, private, hidden or protected by a password at the site
 * must not get out with it.
 */
export function createPublicOnly(resource: Resource): PublicOnly {
  let omitted = 0
  const isPublic = (record: Answer): boolean => {
    const { status = 'publish', hide_from_listings: isHidden } = record
    const hasPassword = (record.raw?.password ?? '') !== '' || isBlanked(resource, record)
    const isShown = status === 'publish' && isHidden !== true && !hasPassword
    if (!isShown) omitted += 1
    return isShown
  }
  return {
    of: (records: readonly Answer[]): Answer[] => records.filter(isPublic),
    notice: (): string | undefined =>
      omitted === 0
        ? undefined
        : `left out ${counted(omitted, 'event')} that ${nounFor(omitted, 'is a draft', 'are drafts')}, private, hidden or protected; to write ${nounFor(omitted, 'it', 'them')} too, add --status`,
  }
}
