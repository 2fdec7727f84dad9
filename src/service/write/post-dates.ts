import { type DateText, momentOf, msWall, readDate, wallInRange } from '../../base/time/dates.ts'
import { fromUtc, momentIn, offsetAt } from '../../base/time/zone.ts'
import { noDate, type Status } from '../../contract/post-status.ts'
import { allowedStatus } from '../access.ts'
import type { Write } from '../dialect.ts'
import type { RequestContext } from '../request-context.ts'
import type { PostRow } from '../store/rows.ts'

/** The moment of the request, in UTC. */
export const utcNow = ({ now }: Pick<RequestContext, 'now'>): string => msWall(now.getTime())

export const readCheckedDate = (text: string): DateText => {
  const read = readDate(text)
  if (!read) throw new Error(`a date got past its check: ${text}`)
  return read
}

/** The moment of a date in UTC: by its own offset if it has one, else by the clock of the zone. */
export function utcOf({ context }: Write, name: string, date: DateText, zone: string): string {
  const moment = date.offset === undefined ? momentIn(date.wall, zone) : momentOf(date)
  const utc = wallInRange(moment)
  if (utc === undefined || wallInRange(moment + offsetAt(moment, zone)) === undefined)
    throw context.dialect.invalid({
      [name]: { problem: `Expected a date between the years 1 and 9999; got ${date.wall}.` },
    })
  return utc
}

interface Published {
  readonly status?: Status | null
  readonly date?: string | null
  readonly date_utc?: string | null
  readonly sticky?: boolean | null
}

/** Whether a post has never been published: its date is then that of its last save. */
export const isFloating = ({ date_utc }: PostRow): boolean => date_utc === noDate

/** When a post was published and last changed; one that is published later than now waits as `future`. */
export function publication(write: Write, values: Published, old?: PostRow): Publication {
  const status = allowedStatus(write.context, values.status, old?.status ?? 'publish')
  if (write.dialect.floats(status, old)) {
    const saved = floating(write, status)
    // WordPress gives a new draft no time in UTC until it is saved again, which the plugin does at once to make it sticky.
    return old || values.sticky ? saved : { ...saved, modified_utc: noDate }
  }
  const { timezone } = write.context.store.site
  const now = utcNow(write.context)
  const before = old && !isFloating(old) && !isReset(values) ? old.date_utc : now
  const date_utc = publishedUtc(write, values) ?? before
  const released = date_utc > now ? 'future' : 'publish'
  return {
    status: status === 'publish' || status === 'future' ? released : status,
    date: fromUtc(date_utc, timezone),
    date_utc,
    ...modification(write),
  }
}

type Publication = Pick<PostRow, 'status' | 'date' | 'date_utc' | 'modified' | 'modified_utc'>

/** A post that is saved without being published. */
export function floating(write: Write, status: Status): Publication {
  const changed = modification(write)
  return { status, date: changed.modified, date_utc: noDate, ...changed }
}

const isReset = ({ date, date_utc }: Published) => date === null || date_utc === null

const publishedUtc = (write: Write, { date, date_utc }: Published): string | undefined => {
  const { timezone } = write.context.store.site
  if (date) return utcOf(write, 'date', readCheckedDate(date), timezone)
  return date_utc ? utcOf(write, 'date_utc', { offset: 0, ...readCheckedDate(date_utc) }, timezone) : undefined
}

/** The moment of a change, in the site's zone and in UTC. */
export const modification = ({ context }: Write) => {
  const modified_utc = utcNow(context)
  return { modified: fromUtc(modified_utc, context.store.site.timezone), modified_utc }
}
