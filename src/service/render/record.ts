import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../context.ts'
import type { Rows } from '../store/rows.ts'
import { addEvent, addVeiled } from './event.ts'
import { organizer, venue } from './place.ts'
import { type Shelf, shelfOf } from './shelf.ts'
import { term } from './term.ts'

type Row = Rows[Resource['name']]

/** A record as the API answers it, as JSON in UTF-8. A `single` one is answered alone, not in a list or as what was deleted. */
export function renderRecord(
  context: Context,
  _resource: Resource,
  row: Row,
  { single }: { readonly single: boolean },
): Uint8Array {
  if (single && 'name' in row) return json({ ...term(context, row), ...context.manner.termLinks(context, row) })
  const pieces: Buffer[] = []
  addRecord(pieces, context, shelfOf(context), row, single)
  return Buffer.concat(pieces)
}

const comma = Buffer.from(',')

/** Adds the records of a list, separated by commas. */
export function addRecords(pieces: Buffer[], context: Context, rows: readonly Row[]): void {
  const shelf = shelfOf(context)
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(comma)
    addRecord(pieces, context, shelf, row, false)
  }
}

function addRecord(pieces: Buffer[], context: Context, shelf: Shelf, row: Row, unlocked: boolean): void {
  if ('title' in row) {
    const isVeiled = row.post_password !== '' && context.caller === 'public' && !unlocked
    if (isVeiled) addVeiled(pieces, context, row)
    else addEvent(pieces, context, shelf, row)
  } else if ('venue' in row) pieces.push(shelf.text(row, 0, () => json(venue(context, row))))
  else if ('organizer' in row) pieces.push(shelf.text(row, 0, () => json(organizer(context, row))))
  else pieces.push(json(term(context, row)))
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
