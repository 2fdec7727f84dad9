import { phrase } from '../../../base/words/phrase.ts'
import { withPasswordMarks } from '../../../client/adapters/record-passwords.ts'
import { isBlanked, isListed, withPublicLinks } from '../../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { hiddenSecret } from '../../../contract/field.ts'
import { storedValue, withStored } from '../../../contract/record.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'

/** The events of something that is published, among those that were read with `query`. */
export interface FeedEvents {
  readonly query?: Values
  of(records: readonly Answer[]): Answer[] | Promise<Answer[]>
  /** Says what is not in it. */
  noticeOmitted(app: Pick<App, 'notice'>): Promise<void>
}

export interface PublicOnly extends FeedEvents {
  /** The filter for lists that show editors protected events as visitors see them: only their titles and dates. */
  readonly query: Values
  of(records: readonly Answer[]): Answer[]
}

/**
 * The public records among those that were read with `query`. Feeds, leaflets and printed sheets are published: drafts and private, hidden
 * or password-protected events must not be in them. `option` includes them anyway.
 */
export function createPublicOnly(resource: Resource, option = '--status publish,draft,pending,private'): PublicOnly {
  let omitted = 0
  return {
    query: { context: 'view' },
    of(records) {
      const listed = records.filter(record => isListed(resource, record))
      omitted += records.length - listed.length
      return listed.map(record => withPublicLinks(resource, record))
    },
    async noticeOmitted({ notice }) {
      if (omitted > 0)
        await notice(
          phrase(
            'left out {count, plural, one {# event that is a draft} other {# events that are drafts}}, private, hidden or protected; to write {count, plural, one {it} other {them}} too, add {option}',
            { count: omitted, option },
          ),
        )
    },
  }
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
    async noticeOmitted({ notice }) {
      if (unprotected > 0)
        await notice(
          phrase(
            '{count, plural, one {# event loses its password} other {# events lose their passwords}}, which iCalendar does not have: at another calendar, apply creates {count, plural, one {it} other {them}} as private',
            { count: unprotected },
          ),
        )
    },
  }
}
