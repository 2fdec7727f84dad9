import type { Field, Fields } from '../../contract/field.ts'
import type { Context } from '../dialect.ts'
import { emptyValueIn } from '../store/blank-rows.ts'
import type { PostRow } from '../store/rows.ts'
import { imageUrl } from './addresses.ts'

/** A field that answers show as it is stored. */
export type PlainField = readonly [name: string, field: Field]

/**
 * The fields of a resource that answers show as they are stored: all but those that its renderer has written already. Throws
 * for links, which only a renderer can write.
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
    values[name] = kind.shape === 'picture' ? image(context, value) : value
  }
  return values
}

/** Plain fields for a reader without access to them: flags are null, other fields are empty. */
export const hiddenValues = (fields: readonly PlainField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(([name, field]) => [name, field.kind.shape === 'flag' ? null : emptyValueIn(field)]))

/** The fields with which events, venues and organizers begin. */
export const postHead = ({ dialect }: Context, row: PostRow) => ({
  author: String(row.author),
  status: row.status,
  date: row.date,
  date_utc: dialect.publishedUtc(row),
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** An image as the API returns it; what only the file itself could tell is null. */
export function image(context: Context, id: number | null): object | false {
  if (id === null) return false
  const row = context.store.table('images').get(id)
  const url = row ? imageUrl(context, row) : null
  const extension = url === null ? null : (/\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null)
  const { width = null, height = null, filesize = null } = row ?? {}
  return { url, id, extension, width, height, filesize, sizes: null }
}
