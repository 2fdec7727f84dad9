import { readDate } from '../../time/dates.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import { type CostFormat, readCell } from './cell-values.ts'
import { type DateOrder, firstPart, readSheetDate, readTime } from './date-order.ts'
import { isFieldPart, type Sheet } from './headings.ts'

/** How a sheet writes ambiguous values. */
export interface CellFormats {
  readonly order: DateOrder | undefined
  readonly costFormat: CostFormat
}

interface Cell {
  readonly text: string
  readonly heading: string
}

const noCell: Cell = { text: '', heading: '' }

/** The entries of a row: one for each cell with text, or for the cells that make up one field. */
export function rowEntries(
  { resource, columns, match }: Sheet,
  cells: readonly string[],
  formats: CellFormats,
): RecordEntry[] {
  const entries: RecordEntry[] = []
  const parts = new Map<string, Cell>()
  for (const [index, { heading, name }] of columns.entries()) {
    const text = cells[index] ?? ''
    const field = fieldNamed(resource, name)
    if (isFieldPart(name)) parts.set(name, { text: text.trim(), heading })
    else if (field?.kind === 'dateTime' && text !== '')
      entries.push(dateEntry(name, readCell(field, text, 'points'), heading, formats.order))
    else if (text !== '') entries.push({ name, value: readCell(field, text, formats.costFormat), column: heading })
  }
  if (parts.size === 0) return entries
  const part = (name: string): Cell => parts.get(name) ?? noCell
  return [
    ...withSecondAddress(entries, part('address.more')),
    ...momentEntries('start_date', part('start_date.day'), part('start_date.time'), formats.order),
    ...endEntries(entries, part, formats.order, match !== undefined),
    ...costEntries(part, formats.costFormat),
    ...venueEntries(part('venue.name')),
  ]
}

/** Dates such as 05/05/2026, the same in either order, are read without one. */
const dateEntry = (name: string, value: unknown, column: string, order: DateOrder | undefined): RecordEntry => ({
  name,
  value: typeof value === 'string' ? (readSheetDate(value, order ?? 'dmy') ?? value) : value,
  column,
  ...(order && { expected: `a date and time, ${firstPart[order]} first or YYYY-MM-DD` }),
})

/** A day in one column and a time in another. */
function momentEntries(name: string, day: Cell, time: Cell, order: DateOrder | undefined): RecordEntry[] {
  if (day.text === '') return []
  const entry = dateEntry(name, day.text, day.heading, order)
  if (time.text === '' || !readDate(String(entry.value))) return [entry]
  const clock = readTime(time.text)
  if (!clock) return [{ name, value: time.text, column: time.heading, expected: 'a time such as 19:30 or 7:30 PM' }]
  return [{ ...entry, value: `${String(entry.value).slice(0, 10)} ${clock}` }]
}

/** The importer ends an event without an end day on its start day, and without an end time at its start time. */
function endEntries(
  entries: readonly RecordEntry[],
  part: (name: string) => Cell,
  order: DateOrder | undefined,
  isImporterSheet: boolean,
): RecordEntry[] {
  if (!isImporterSheet || entries.some(({ name }) => name === 'end_date')) return []
  const startTime = part('start_date.time')
  const day = orElse(part('end_date.day'), part('start_date.day'))
  const time = orElse(part('end_date.time'), readTime(startTime.text) ? startTime : noCell)
  return momentEntries('end_date', day, time, order)
}

const orElse = (cell: Cell, fallback: Cell): Cell => (cell.text === '' ? fallback : cell)

/** `15`, `€` and `suffix` make `15€`. Without a symbol, the currency code is used. */
function costEntries(part: (name: string) => Cell, costFormat: CostFormat): RecordEntry[] {
  const { text, heading } = part('cost.amount')
  if (text === '') return []
  const amount = readCell({ kind: 'cost', words: { ca: '', en: '', es: '' } }, text, costFormat)
  const isPaid = typeof amount === 'string' && /^[\d.,]+$/.test(amount) && !/^0+([.,]0*)?$/.test(amount)
  const value = isPaid ? withCurrency(amount, part) : amount
  return [{ name: 'cost', value, column: heading }]
}

function withCurrency(amount: string, part: (name: string) => Cell): string {
  const symbol = part('cost.symbol').text
  const code = part('cost.code').text
  const isSuffix = /^(suffix|postfix)$/i.test(part('cost.position').text)
  if (symbol) return isSuffix ? `${amount}${symbol}` : `${symbol}${amount}`
  return code ? `${amount} ${code}` : amount
}

/** The importer takes a venue by name even if it is all digits, where a cell of calctl's is an ID. */
function venueEntries({ text, heading }: Cell): RecordEntry[] {
  if (text === '') return []
  const name = readCell(undefined, text, 'points')
  return [{ name: 'venue', value: name === null ? null : [name], column: heading }]
}

/** Appends the second line of an address to the first. */
function withSecondAddress(entries: readonly RecordEntry[], more: Cell): readonly RecordEntry[] {
  const second = readCell(undefined, more.text, 'points') ?? undefined
  if (second === undefined) return entries
  const first = entries.find(({ name, value }) => name === 'address' && value !== null)
  const value = first ? `${first.value}, ${second}` : second
  return [...entries.filter(({ name }) => name !== 'address'), { name: 'address', value, column: more.heading }]
}
