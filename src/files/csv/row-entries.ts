import { cost } from '../../contract/kinds/cost-kind.ts'
import { withPlainAmounts } from '../../contract/site-cost.ts'
import { unescapeFormula } from '../../text/escaping.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import { readNames, readUnsplit } from '../records/reference-text.ts'
import { type Cell, type CellFormats, type CostFormat, type PartOf, readCell } from './cell-values.ts'
import { dateEntry } from './date-order.ts'
import { eventDates } from './event-dates.ts'
import { isFieldPart } from './heading-names.ts'
import type { Sheet } from './headings.ts'

const noCell: Cell = { text: '', heading: '' }

/** The entries of a row: one for each cell with text, or for the cells that make up one field. */
export function rowEntries(sheet: Sheet, cells: readonly string[], formats: CellFormats): RecordEntry[] {
  const { resource, columns } = sheet
  const entries: RecordEntry[] = []
  const parts = new Map<string, Cell>()
  // A sheet with IDs was written by calctl, with costs as the site stores them.
  const isExport = columns.some(({ name }) => name === 'id' || name === 'origin')
  for (const [index, { heading, name }] of columns.entries()) {
    const field = fieldNamed(resource, name)
    const isCost = field?.kind.shape === 'amount' || name === 'cost.amount'
    const written = cells[index] ?? ''
    const text = isCost && !isExport ? withPlainAmounts(written) : written
    if (isFieldPart(name)) parts.set(name, { text: text.trim(), heading })
    else if (field?.kind.shape === 'moment' && text !== '')
      entries.push(dateEntry(name, readCell(field, text, 'points'), heading, formats.order))
    else if (text !== '')
      entries.push({ name, value: readCell(field, text, formats.costFormat), column: heading, isHeading: true })
  }
  if (parts.size === 0) return entries
  const part: PartOf = name => parts.get(name) ?? noCell
  return [
    ...withSecondAddress(entries, part('address.more')),
    ...eventDates(entries, part, sheet, formats),
    ...costEntries(part, formats.costFormat),
    ...linkEntries(parts),
  ]
}

/** `15`, `€` and `suffix` make `15€`. Without a symbol, the currency code is used. */
function costEntries(part: PartOf, costFormat: CostFormat): RecordEntry[] {
  const { text, heading } = part('cost.amount')
  if (text === '') return []
  const amount = readCell(cost({ ca: '', en: '', es: '' }), text, costFormat)
  const isPaid = typeof amount === 'string' && /^[\d.,]+$/.test(amount) && !/^0+([.,]0*)?$/.test(amount)
  const value = isPaid ? withCurrency(amount, part) : amount
  return [{ name: 'cost', value, column: heading }]
}

function withCurrency(amount: string, part: PartOf): string {
  const symbol = part('cost.symbol').text
  const code = part('cost.code').text
  const isSuffix = /^(suffix|postfix)$/i.test(part('cost.position').text)
  if (symbol) return isSuffix ? `${amount}${symbol}` : `${symbol}${amount}`
  return code ? `${amount} ${code}` : amount
}

/** Venues, organizers, categories and tags by name: one in `venue.name`, several in `tags.names`. */
function linkEntries(parts: ReadonlyMap<string, Cell>): RecordEntry[] {
  return [...parts].flatMap(([part, { text, heading }]) => {
    const [name = '', kind] = part.split('.')
    if (text === '' || (kind !== 'name' && kind !== 'names')) return []
    const names = readCell(undefined, text, 'points')
    const values = kind === 'name' ? [names] : readNames(String(names))
    return [{ name, value: names === null ? null : values, column: heading }]
  })
}

/** The names of a row with semicolons that are several names, unless records are called so. */
export const unsplitNames = ({ resource, columns }: Sheet, cells: readonly string[]): string[] =>
  columns.flatMap(({ name }, index) => {
    const { kind, multiple } = fieldNamed(resource, name) ?? {}
    const isList = name.endsWith('.names') || (kind?.shape === 'links' && multiple !== false)
    const cell = cells[index] ?? ''
    return isList && cell.includes(';') ? readUnsplit(unescapeFormula(cell)) : []
  })

/** Appends the second line of an address to the first. */
function withSecondAddress(entries: readonly RecordEntry[], more: Cell): readonly RecordEntry[] {
  const second = readCell(undefined, more.text, 'points') ?? undefined
  if (second === undefined) return entries
  const first = entries.find(({ name, value }) => name === 'address' && value !== null)
  const value = first ? `${first.value}, ${second}` : second
  return [...entries.filter(({ name }) => name !== 'address'), { name: 'address', value, column: more.heading }]
}
