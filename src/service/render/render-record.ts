/**
 * Rows as the API returns them, as JSON in UTF-8. Plain fields follow from the contract (`fields.ts`), the rest is written by
 * `event.ts`, `place.ts` and `term.ts`; the dialect decides how texts look. The bytes are cached by row, so that a list is
 * mostly put together from buffers (`text-cache.ts`).
 */
import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../dialect.ts'
import type { Rows } from '../store/rows.ts'
import { eventText, protectedText } from './event.ts'
import { organizer, venue } from './place.ts'
import { term } from './term.ts'
import { type TextCaches, textCachesOf } from './text-cache.ts'

type Row = Rows[Resource['name']]

/**
 * A record as the API returns it, as JSON in UTF-8. A `single` record is the whole answer, neither an item of a list
 * nor the record that was deleted.
 */
export function renderRecord(context: Context, row: Row, { single }: { readonly single: boolean }): Uint8Array {
  if (single && 'name' in row) return json({ ...term(context, row), ...context.dialect.termLinks(context, row) })
  return recordText(context, textCachesOf(context), row, single)
}

const comma = Buffer.from(',')

/** Adds the records of a list, separated by commas. */
export function addRecords(pieces: Buffer[], context: Context, rows: readonly Row[]): void {
  const caches = textCachesOf(context)
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(context.dialect.listed(row, recordText(context, caches, row, false), index))
  }
}

function recordText(context: Context, caches: TextCaches, row: Row, isUnlocked: boolean): Buffer {
  if ('title' in row) {
    const isProtected = row.post_password !== '' && !isUnlocked && context.dialect.hidesProtected(context, row)
    return isProtected ? protectedText(context, row) : eventText(context, caches, row)
  }
  if ('venue' in row) return caches.parts.text(row, 0, () => json(venue(context, row)))
  if ('organizer' in row) return caches.parts.text(row, 0, () => json(organizer(context, row)))
  return json(term(context, row))
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
