import { fromUtc } from '../../base/time/zone.ts'
import type { Fields, Storing } from '../../contract/field.ts'
import type { Write } from '../dialect.ts'
import { imageUrl } from '../render/addresses.ts'
import type { ParameterValues, RequestContext } from '../request-context.ts'
import { blanks, type ImageRow, type PlaceTable, type TermTable } from '../store/rows.ts'
import type { Table } from '../store/store.ts'
import { readCheckedDate, utcOf } from './post-dates.ts'

/**
 * The columns for the values in a request: every field of the contract that is not `computed` from others is stored as
 * its kind says. A cleared field gets the value of a new record.
 */
export function storedValues<R extends object>(
  write: Write,
  fields: Fields,
  values: ParameterValues,
  blank: R,
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
