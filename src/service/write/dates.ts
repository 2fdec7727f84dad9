import type { Status } from '../../contract/posts.ts'
import { type DateText, momentOf, readDate, wallInRange } from '../../time/dates.ts'
import { offsetAt } from '../../time/offset.ts'
import { fromUtc, momentIn } from '../../time/zone.ts'
import { invalid } from '../refusal.ts'
import type { EventRow, OrganizerRow, VenueRow } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import { type Schedule, utcNow, type Write } from './write.ts'

type PostRow = EventRow | VenueRow | OrganizerRow

/** When an event is: its given dates, with those it has for what is left out. */
export function schedule(write: Write, values: EventValues, old?: EventRow): Schedule {
  const timezone =
    values.timezone === undefined && old ? old.timezone : values.timezone || write.context.store.site.timezone
  const all_day = values.all_day === undefined ? (old?.all_day ?? false) : (values.all_day ?? false)
  const sameClock = old !== undefined && timezone === old.timezone && !all_day
  const moment = (name: 'start_date' | 'end_date', dayEdge: string): string => {
    const given = values[name]
    if (!given && sameClock) return old[`utc_${name}`]
    const date: DateText = given ? readWritten(given) : { wall: old?.[name] ?? '', dayOnly: false }
    if (!all_day) return utcOf(write, name, date, timezone)
    const day = fromUtc(utcOf(write, name, date, timezone), timezone).slice(0, 10)
    return utcOf(write, name, { wall: `${day} ${dayEdge}`, dayOnly: false }, timezone)
  }
  const utc_start_date = moment('start_date', '00:00:00')
  const utc_end_date = moment('end_date', '23:59:59')
  const start_date = fromUtc(utc_start_date, timezone)
  const end_date = fromUtc(utc_end_date, timezone)
  if (utc_end_date < utc_start_date)
    throw invalid({ end_date: `Expected a date that is not before the start, ${start_date}; got ${end_date}.` })
  return { all_day, timezone, start_date, end_date, utc_start_date, utc_end_date }
}

const readWritten = (text: string): DateText => {
  const read = readDate(text)
  if (!read) throw new Error(`a date got past its check: ${text}`)
  return read
}

/** The moment of a date in UTC: by its own offset if it has one, else by the clock of the zone. */
function utcOf({ context }: Write, name: string, date: DateText, zone: string): string {
  const moment = date.offset === undefined ? momentIn(date.wall, zone) : momentOf(date)
  const utc = wallInRange(moment)
  if (utc === undefined || wallInRange(moment + offsetAt(moment, zone)) === undefined)
    throw context.manner.invalid({ [name]: `Expected a date between the years 1 and 9999; got ${date.wall}.` })
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
  if (date) return utcOf(write, 'date', readWritten(date), timezone)
  return date_utc ? utcOf(write, 'date_utc', { offset: 0, ...readWritten(date_utc) }, timezone) : undefined
}

/** The moment of a change, in the site's zone and in UTC. */
export const modification = ({ context }: Write) => {
  const modified_utc = utcNow(context)
  return { modified: fromUtc(modified_utc, context.store.site.timezone), modified_utc }
}
