import type { Field } from '../../contract/field.ts'
import { noDate } from '../../contract/post-status.ts'
import { type Answer, type Resource, writableFields } from '../../contract/resource.ts'
import { roundTrip } from '../../contract/round-trip.ts'
import { decodeEntities } from '../../text/escaping.ts'
import { isObject } from '../../text/json.ts'
import { readDate } from '../../time/dates.ts'
import { withOffset } from '../../time/zone.ts'
import type { WritableRecord } from '../records/file-record.ts'

/** A record as it can be written to this site and others: links by slug, costs and websites without what the site adds. */
export function writableRecord(
  resource: Resource,
  answer: Answer,
  slugOf: (id: number) => string | undefined,
): WritableRecord {
  const values = writableFields(resource)
    .filter(([name]) => name !== 'date_utc')
    .map(([name, field]) => [name, writtenValue(resource, name, field, answer, slugOf)])
    .filter(([, value]) => !isEmpty(value))
  return {
    resource: resource.name,
    id: answer.id,
    ...(answer.lang_code && { lang_code: answer.lang_code }),
    values: Object.fromEntries(values),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === noDate ||
  (Array.isArray(value) && value.length === 0)

function writtenValue(
  resource: Resource,
  name: string,
  field: Field,
  answer: Answer,
  slugOf: (id: number) => string | undefined,
): unknown {
  const stored = answer.raw?.[name]
  if (stored !== undefined) return stored
  const value = answer[name]
  if (field.kind.shape === 'links') {
    const links = [value]
      .flat()
      .filter(isObject)
      .map(linkOf)
      .filter(link => link !== undefined)
    return field.multiple === false ? links[0] : links
  }
  if (field.of) return slugOf(Number(value)) ?? field.kind.written(value)
  if (field.kind.shape === 'picture') return isObject(value) ? (value.url ?? String(value.id)) : undefined
  if (name === 'date') return publicationDate(answer)
  if (name === resource.title) return decodeEntities(String(value))
  return field.kind.shape === 'flag' ? value : roundTrip(name, field, answer)
}

/** Publication dates are in the site's zone; a draft has none. */
function publicationDate({ date, date_utc }: Answer): unknown {
  const isMoment = [date, date_utc].every(text => readDate(String(text)) !== undefined)
  return isMoment ? withOffset(String(date), String(date_utc)) : date
}

/** Links are by slug, which other sites know too; only a record without one is linked by ID. */
function linkOf({ slug, id }: Record<string, unknown>): string | number | undefined {
  if (typeof slug === 'string' && slug !== '') return slug
  return typeof id === 'number' ? id : undefined
}
