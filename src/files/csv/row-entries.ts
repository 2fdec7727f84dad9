import { readDate } from '../../time/dates.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { Entry } from '../records/record-builder.ts'
import { readCell } from './cell-values.ts'
import type { CostForm } from './costs.ts'
import { type DateOrder, readSheetDate, readTime } from './date-order.ts'
import type { Sheet } from './headings.ts'
import { isPart } from './importer.ts'

/** How the cells of a sheet are written. */
export interface Writing {
  readonly order: DateOrder | undefined
  readonly costs: CostForm
}

interface Cell {
  readonly text: string
  readonly heading: string
}

/** The entries of a row: one for each filled cell, or for the cells that make one field together. */
export function readRow({ resource, columns, match }: Sheet, cells: readonly string[], writing: Writing): Entry[] {
  const entries: Entry[] = []
  const parts = new Map<string, Cell>()
  columns.forEach(({ heading, name }, index) => {
    const text = cells[index] ?? ''
    const field = fieldNamed(resource, name)
    if (isPart(name)) parts.set(name, { text: text.trim(), heading })
    else if (field?.kind === 'dateTime' && text !== '')
      entries.push(dateEntry(name, readCell(field, text, 'points'), heading, writing.order))
    else if (text !== '') entries.push({ name, value: readCell(field, text, writing.costs), column: heading })
  })
  if (parts.size === 0) return entries
  return joined(entries, parts, writing, match !== undefined)
}

/** Dates such as 05/05/2026, which are the same in either order, need none. */
const dateEntry = (name: string, value: unknown, column: string, order: DateOrder | undefined): Entry => ({
  name,
  value: typeof value === 'string' ? (readSheetDate(value, order ?? 'dmy') ?? value) : value,
  column,
  ...(order && {
    expected: `a date and time, ${{ dmy: 'day', mdy: 'month', ymd: 'year' }[order]} first or YYYY-MM-DD`,
  }),
})

function joined(
  entries: readonly Entry[],
  parts: ReadonlyMap<string, Cell>,
  { order, costs }: Writing,
  isImporters: boolean,
): Entry[] {
  const none: Cell = { text: '', heading: '' }
  const part = (name: string): Cell => parts.get(name) ?? none
  const startDay = part('start_date.day')
  const startTime = part('start_date.time')
  const endDay = part('end_date.day')
  const endTime = part('end_date.time')
  const hasEnd = isImporters && !entries.some(({ name }) => name === 'end_date')
  const venue = part('venue.name')
  return [
    ...withAddress(entries, part('address.more')),
    ...moment('start_date', startDay, startTime, order),
    ...(hasEnd
      ? moment(
          'end_date',
          filled(endDay, startDay),
          filled(endTime, readTime(startTime.text) ? startTime : none),
          order,
        )
      : []),
    ...cost(part, costs),
    ...(venue.text === '' ? [] : [{ name: 'venue', value: venueName(venue.text), column: venue.heading }]),
  ]
}

/** The importer reads a name whatever it looks like, digits included. */
const venueName = (text: string) => {
  const value = readCell(undefined, text, 'points')
  return value === null ? null : [value]
}

const filled = (cell: Cell, otherwise: Cell): Cell => (cell.text === '' ? otherwise : cell)

/** A day in one column and a time in another. */
function moment(name: string, day: Cell, time: Cell, order: DateOrder | undefined): Entry[] {
  if (day.text === '') return []
  const entry = dateEntry(name, day.text, day.heading, order)
  if (time.text === '' || !readDate(String(entry.value))) return [entry]
  const clock = readTime(time.text)
  if (!clock) return [{ name, value: time.text, column: time.heading, expected: 'a time such as 19:30 or 7:30 PM' }]
  return [{ ...entry, value: `${String(entry.value).slice(0, 10)} ${clock}` }]
}

/** `15`, `€` and `suffix` make `15€`; without a symbol the currency's code is used. */
function cost(part: (name: string) => Cell, costs: CostForm): Entry[] {
  const { text, heading } = part('cost.amount')
  if (text === '') return []
  const amount = readCell({ kind: 'cost', words: { ca: '', en: '', es: '' } }, text, costs)
  const symbol = part('cost.symbol').text
  const code = part('cost.code').text
  const isAfter = /^(suffix|postfix)$/i.test(part('cost.position').text)
  const isNumber = typeof amount === 'string' && /^[\d.,]+$/.test(amount) && !/^0+([.,]0*)?$/.test(amount)
  if (!isNumber || (!symbol && !code)) return [{ name: 'cost', value: amount, column: heading }]
  const value = symbol ? (isAfter ? `${amount}${symbol}` : `${symbol}${amount}`) : `${amount} ${code}`
  return [{ name: 'cost', value, column: heading }]
}

/** The second line of an address stands behind the first. */
function withAddress(entries: readonly Entry[], more: Cell): readonly Entry[] {
  const second = readCell(undefined, more.text, 'points') ?? undefined
  if (second === undefined) return entries
  const before = entries.find(({ name, value }) => name === 'address' && value !== null)
  const value = before ? `${before.value}, ${second}` : second
  return [...entries.filter(({ name }) => name !== 'address'), { name: 'address', value, column: more.heading }]
}
