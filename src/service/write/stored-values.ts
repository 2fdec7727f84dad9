import { type DateText, isInRange, momentOf, msWall, readDate, wallInRange } from '../../base/time/dates.ts'
import { fromUtc, momentIn, offsetAt } from '../../base/time/zone.ts'
import type { Fields, Storing } from '../../contract/field.ts'
import { noDate, type Status } from '../../contract/post-status.ts'
import { allowedStatus } from '../access.ts'
import type { ParameterValues, RequestContext, Write } from '../dialect.ts'
import { imageUrl } from '../render/addresses.ts'
import { blanks, type ImageRow, type PlaceTable, type PostRow, type TermTable } from '../store/rows.ts'
import type { Table } from '../store/store.ts'

/**
 * The columns for the values in a request: every field of the contract that is not `computed` from others is stored as
 * its kind says. A cleared field gets the value of a new record.
 */
export function columnValues<R extends object>(
  write: Write,
  { fields, blank }: { readonly fields: Fields; readonly blank: R },
  values: ParameterValues,
  computed: object,
): Partial<R> {
  const columns: Record<string, unknown> = {}
  const storing = storingOf(write)
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!field || field.queryOnly || value === undefined || name in computed) continue
    if (!(name in blank)) throw new Error(`the field ${name} has no column`)
    if (value === null) columns[name] = blank[name as keyof R]
    else columns[name] = field.kind.column(value, field, name, storing)
  }
  return columns as Partial<R>
}

const storingOf = (write: Write): Storing => ({
  wall: (name, value) => siteWall(write, name, value),
  imageId: image => imageId(write, image),
  termIds: (of, terms) => write.dialect.termIds(write, of as TermTable, terms as (number | string)[]),
  placeIds: (of, places) => write.dialect.placeIds(write, of as PlaceTable, places as (number | ParameterValues)[]),
})

/** A date in the time zone of the site. */
function siteWall(write: Write, name: string, value: string): string {
  const { timezone } = write.context.store.site
  return fromUtc(utcOf(write, name, readCheckedDate(value), timezone), timezone)
}

/** The ID of an image: a number is an ID, and a URL always gets the same ID. An empty text means no image. */
function imageId({ context, writing }: Write, image: number | string): number | null {
  if (image === '') return null
  if (typeof image === 'number' || !Number.isNaN(Number(image))) return Number(image)
  const ids = idsByUrl(context)
  const before = ids.get(image)
  const known = before === undefined ? undefined : context.store.table('images').get(before)
  if (known && imageUrl(context, known) === image) return known.id
  const row = { ...blanks.images, id: writing.nextId('post'), url: image }
  writing.put('images', row)
  ids.set(image, row.id)
  return row.id
}

const cache = new WeakMap<Table<ImageRow>, Map<string, number>>()

/** Built again when the table holds more than is known: images are added by this file and by nobody else while it runs. */
function idsByUrl(context: RequestContext): Map<string, number> {
  const table = context.store.table('images')
  const before = cache.get(table)
  if (before && before.size >= table.size) return before
  const ids = new Map([...table.values()].map(row => [imageUrl(context, row), row.id]))
  cache.set(table, ids)
  return ids
}

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
  if (utc === undefined || !isInRange(moment + offsetAt(moment, zone)))
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
  const before = old && !isFloating(old) && !isReset(values) ? old.date_utc : utcNow(write.context)
  return publishedAt(write, status, publishedUtc(write, values) ?? before)
}

/** A post that is published at a moment, in UTC. */
export function publishedAt(write: Write, status: Status, date_utc: string): Publication {
  const { modified, modified_utc } = modification(write)
  const released = date_utc > modified_utc ? 'future' : 'publish'
  return {
    status: status === 'publish' || status === 'future' ? released : status,
    date: date_utc === modified_utc ? modified : fromUtc(date_utc, write.context.store.site.timezone),
    date_utc,
    modified,
    modified_utc,
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
