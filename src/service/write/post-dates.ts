import type { Status } from '../../contract/posts.ts'
import { type DateText, momentOf, msWall, readDate, wallInRange } from '../../time/dates.ts'
import { fromUtc, momentIn, offsetAt } from '../../time/zone.ts'
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
}

/** When a post was published and last changed; one that is published later than now waits as `future`. */
export function publication(write: Write, values: Published, old?: PostRow) {
  const { timezone } = write.context.store.site
  const now = utcNow(write.context)
  const date_utc = publishedUtc(write, values) ?? (isReset(values) ? now : (old?.date_utc ?? now))
  const status = values.status === null ? 'publish' : (values.status ?? old?.status ?? 'publish')
  const released = date_utc > now ? 'future' : 'publish'
  return {
    status: status === 'publish' || status === 'future' ? released : status,
    date: fromUtc(date_utc, timezone),
    date_utc,
    ...modification(write),
  } satisfies Partial<PostRow>
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
