import type { Field, Fields } from '../../contract/field.ts'
import type { Context } from '../dialect.ts'
import type { PostRow } from '../store/rows.ts'
import { shownImage } from './image.ts'

/** A field that answers show in its stored form. */
export type PlainField = readonly [name: string, field: Field]

/**
 * The fields of a resource that answers show in their stored form: all except those that its renderer has written. Throws for links, which
 * only a renderer can write.
 */
export function plainFields(fields: Fields, written: object): readonly PlainField[] {
  const plain = Object.entries(fields).filter(
    ([name, { queryOnly, secret }]) => !queryOnly && !secret && !(name in written),
  )
  const link = plain.find(([, { kind }]) => kind.shape === 'links')
  if (link) throw new Error(`nothing renders the field ${link[0]}`)
  return plain
}

/** The values of plain fields. */
export function plainValues(context: Context, fields: readonly PlainField[], row: object): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { kind }] of fields) {
    const value = Reflect.get(row, name)
    values[name] = kind.shape === 'picture' ? shownImage(context, value) : value
  }
  return values
}

/** The fields with which events, venues and organizers begin. */
export const postHead = ({ dialect }: Context, row: PostRow) => ({
  author: String(row.author),
  status: row.status,
  date: row.date,
  date_utc: dialect.publishedUtc(row),
  modified: row.modified,
  modified_utc: row.modified_utc,
})
