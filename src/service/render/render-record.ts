/**
 * Rows as the API returns them, as JSON in UTF-8. What the fields of a record are is in `event-fields.ts`, `place.ts`, `term.ts` and
 * `image.ts`: plain fields follow from the contract (`plain-fields.ts`), the dialect decides how texts look. The bytes are kept for each
 * row (`kept-texts.ts`) without what it links to, so that a list is joined from buffers, and a write makes one of them anew.
 */

import type { Resource } from '../../contract/resource.ts'
import { byName } from '../comparisons.ts'
import type { Context } from '../dialect.ts'
import type { CategoryRow, EventRow, PostRow, Rows, TermRow } from '../store/rows.ts'
import type { Store, Table } from '../store/store.ts'
import { eventFields, linkedFields, protectedFields } from './event-fields.ts'
import { type Texts, textsFor } from './kept-texts.ts'
import { place } from './place.ts'
import { embeddedTerm, term } from './term.ts'

type Row = Rows[Resource['name']]

/**
 * A record as the API returns it, as JSON in UTF-8. A `single` record is the whole answer, neither an item of a list
 * nor the record that was deleted.
 */
export function renderRecord(context: Context, row: Row, { single }: { readonly single: boolean }): Buffer {
  if (single && 'name' in row) return json({ ...term(context, row), ...context.dialect.termLinks(context, row) })
  const answer = begin(context)
  addRecord(answer, row, single)
  return Buffer.concat(answer.pieces)
}

/** The answer to the write of a record. The event's text is not kept for later answers: that takes a seventh of a create. */
export function renderWritten(context: Context, row: Row): Buffer {
  if (!('title' in row)) return renderRecord(context, row, { single: true })
  const answer = begin(context, [makeOwnText(context, row)])
  addLinks(answer, row)
  return Buffer.concat(answer.pieces)
}

/** An answer in the making. */
interface Answer {
  readonly context: Context
  readonly texts: Texts
  readonly pieces: Buffer[]
}

const begin = (context: Context, pieces: Buffer[] = []): Answer => ({ context, texts: textsFor(context), pieces })

const comma = Buffer.from(',')

/** Adds the records of a list, separated by commas. */
export function addRecords(pieces: Buffer[], context: Context, rows: readonly Row[]): void {
  const { dialect } = context
  const answer = begin(context, pieces)
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(comma)
    if (dialect.hasGallery(row))
      pieces.push(dialect.listedGalleries(renderRecord(context, row, { single: false }), index))
    else addRecord(answer, row, false)
  }
}

/** An event is unlocked if its password was sent, or none is needed. */
function addRecord(answer: Answer, row: Row, isUnlocked: boolean): void {
  const { context, texts, pieces } = answer
  if ('name' in row) pieces.push(json(term(context, row)))
  else if (!('title' in row)) pieces.push(ownText(answer, row))
  else if (row.post_password !== '' && !isUnlocked && context.dialect.hidesProtected(context, row))
    pieces.push(texts.hidden.find(row) ?? texts.hidden.keep(protectedText(context, row), row))
  else {
    pieces.push(ownText(answer, row))
    addLinks(answer, row)
  }
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** The text of an object to which more fields are added. */
const open = (value: object): Buffer => Buffer.from(JSON.stringify(value).slice(0, -1))

/** All of a record, or what precedes the links of an event. A text that is kept contains no image but that of its record. */
function ownText({ context, texts }: Answer, row: PostRow): Buffer {
  if (context.dialect.hasGallery(row)) return makeOwnText(context, row)
  const image = row.image === null ? undefined : context.store.table('images').get(row.image)
  return texts.own.find(row, image) ?? texts.own.keep(makeOwnText(context, row), row, image)
}

const makeOwnText = (context: Context, row: PostRow): Buffer =>
  'title' in row ? open(eventFields(context, row)) : json(place(context, row))

/** The links of events, with what comes before the records of each. */
const keyedLinks = linkedFields.map((link, index) => {
  const end = linkedFields[index - 1]?.isList ? ']' : ''
  return { ...link, key: Buffer.from(`${end},"${link.name}":${link.isList ? '[' : ''}`) }
})

const endIn = (language: string): Buffer =>
  Buffer.from(`${linkedFields.at(-1)?.isList ? ']' : ''},"custom_fields":[],"lang_code":"${language}"}`)

const ends = { ca: endIn('ca'), en: endIn('en'), es: endIn('es') }

const none = Buffer.from('[]')

/** The text of an event whose password was not sent: without the fields that it protects, and without links. */
const protectedText = (context: Context, row: EventRow): Buffer =>
  Buffer.concat([
    open(protectedFields(context, row)),
    ...keyedLinks.flatMap(({ key, isList }) => (isList ? [key] : [key, none])),
    ends[row.lang_code],
  ])

/** Adds what follows the own fields of an event: the records to which it links, as they are now. */
function addLinks(answer: Answer, row: EventRow): void {
  const { context, pieces } = answer
  for (const { key, name, of, isList } of keyedLinks) {
    pieces.push(key)
    const before = pieces.length
    for (const linked of linkedRows(context.store, of, row[name])) {
      if (pieces.length > before) pieces.push(comma)
      pieces.push('name' in linked ? embeddedText(answer, linked) : ownText(answer, linked))
    }
    if (!isList && pieces.length === before) pieces.push(none)
  }
  pieces.push(ends[row.lang_code])
}

type LinkedTable = (typeof linkedFields)[number]['of']
type LinkedRow = Rows[LinkedTable]

/** Linked records: terms by their names, venues and organizers in the order of the event. */
function linkedRows(store: Store, of: LinkedTable, ids: number | null | readonly number[]): LinkedRow[] {
  const table: Pick<Table<LinkedRow>, 'get'> = store.table(of)
  const rows: LinkedRow[] = []
  for (const id of typeof ids === 'number' ? [ids] : (ids ?? [])) {
    const row = table.get(id)
    if (row && !('status' in row && row.status === 'trash')) rows.push(row)
  }
  return rows.length > 1 && isTerms(rows) ? rows.sort(byName) : rows
}

const isTerms = (rows: LinkedRow[]): rows is (TermRow | CategoryRow)[] => rows.every(row => 'name' in row)

function embeddedText({ context, texts }: Answer, term: TermRow | CategoryRow): Buffer {
  const count = texts.indexes.countEvents(term)
  return texts.own.find(term, count) ?? texts.own.keep(json(embeddedTerm(context, term, count)), term, count)
}
