import { phrase } from '../../../base/words/phrase.ts'
import { isBlanked, isListed, withPasswordMarks, withPublicLinks } from '../../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { hiddenSecret } from '../../../contract/field.ts'
import { storedValue, withStored } from '../../../contract/record.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'

export interface PublicOnly {
  /** The filter of lists that show editors protected events as visitors see them: by their titles and dates alone. */
  readonly query: Values
  of(records: readonly Answer[]): Answer[]
  /** How many were left out, as a sentence. */
  notice(): string | undefined
}

/**
 * The records that anybody may see, of those that were read with `query`. Feeds, leaflets and printed sheets are published: what is
 * a draft, private, hidden or protected by a password at the site must not get out with them. `option` asks for it all the same.
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

/** The events of a feed, of those that were read with `query`. */
export interface FeedEvents {
  readonly query?: Values
  of(records: readonly Answer[]): Answer[] | Promise<Answer[]>
  /** What is not in the feed, as a sentence. */
  notice(): string | undefined
}

const events = resourceNamed('events')

/** All events that were asked for; those with a password are marked, because they must not be public where the feed is applied. */
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
