import { phrase } from '../../../base/words/phrase.ts'
import { isBlanked, isListed, withPasswordMarks, withPublicLinks } from '../../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { hiddenSecret } from '../../../contract/field.ts'
import { storedValue, withStored } from '../../../contract/record.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'

export interface PublicOnly {
  /** The filter for lists that show editors protected events as visitors see them: only their titles and dates. */
  readonly query: Values
  of(records: readonly Answer[]): Answer[]
  /** A sentence on how many were left out. */
  notice(): string | undefined
}

/**
 * The public records among those that were read with `query`. Feeds, leaflets and printed sheets are published: drafts and private, hidden
 * or password-protected events must not be in them. `option` includes them anyway.
 */
export function createPublicOnly(resource: Resource, option = '--status'): PublicOnly {
  let omitted = 0
  const counted = (record: Answer): boolean => {
    const isShown = isListed(resource, record)
    if (!isShown) omitted += 1
    return isShown
  }
  return {
    query: { context: 'view' },
    of: (records: readonly Answer[]): Answer[] =>
      records.filter(counted).map(record => withPublicLinks(resource, record)),
    notice: (): string | undefined =>
      omitted === 0
        ? undefined
        : phrase(
            'left out {count, plural, one {# event that is a draft} other {# events that are drafts}}, private, hidden or protected; to write {count, plural, one {it} other {them}} too, add {option}',
            { count: omitted, option },
          ),
  }
}

/** The events of a feed, among those that were read with `query`. */
export interface FeedEvents {
  readonly query?: Values
  of(records: readonly Answer[]): Answer[] | Promise<Answer[]>
  /** A sentence about what is not in the feed. */
  notice(): string | undefined
}

const events = resourceNamed('events')

/** All requested events; those with a password are marked, because they must not become public where the feed is applied. */
export function createAllEvents(client: Client): FeedEvents {
  let unprotected = 0
  const withMark = (record: Answer): Answer =>
    isBlanked(events, record) ? withStored(record, { post_password: hiddenSecret }) : record
  return {
    async of(records) {
      const marked = await withPasswordMarks(client, { resource: events }, records)
      const known = marked.map(withMark)
      unprotected += known.filter(record => (storedValue('post_password', record) ?? '') !== '').length
      return known
    },
    notice: () =>
      unprotected === 0
        ? undefined
        : phrase(
            '{count, plural, one {# event loses its password} other {# events lose their passwords}}, which iCalendar does not have: at another calendar, apply creates {count, plural, one {it} other {them}} as private',
            { count: unprotected },
          ),
  }
}
