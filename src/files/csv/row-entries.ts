import { isStreet } from '../../base/text/compared-names.ts'
import { unescapeFormula } from '../../base/text/escaping.ts'
import { foldCase } from '../../base/text/folding.ts'
import { readTick, yesAndNo } from '../../base/text/yes-no.ts'
import { phrase } from '../../base/words/phrase.ts'
import { eventStatuses, eventStatusNamed } from '../../contract/event-status.ts'
import type { Field } from '../../contract/field.ts'
import { readTypedPrice } from '../../contract/kinds/typed-price.ts'
import { type Status, statusNamed } from '../../contract/post-status.ts'
import { readingMistake } from '../../contract/reading.ts'
import type { Resource } from '../../contract/resource.ts'
import { readNames, readUnsplit } from '../records/file-record.ts'
import { fieldNamed, type RecordEntry } from '../records/record-builder.ts'
import {
  type Cell,
  type CellFormats,
  clearMark,
  type Decimal,
  type PartOf,
  readCell,
  settledPrice,
} from './cell-values.ts'
import { eventDates } from './event-dates.ts'
import { isFieldPart } from './heading-names.ts'
import type { Sheet } from './headings.ts'
import { dateEntry } from './sheet-dates.ts'

/** The entry for a cell that contains a whole field, or is about the record. */
function cellEntry(
  field: Field | undefined,
  { name, heading, text }: { readonly name: string; readonly heading: string; readonly text: string },
  sheet: Sheet,
  { decimal, place }: CellFormats,
): RecordEntry {
  const { remark, isExport } = sheet
  const value = readCell(field, text)
  if (!field && remarksHeading.test(name)) return { name, value, column: heading, isHeading: true, ...placeFor(sheet) }
  const entry: RecordEntry = { name, value, column: heading, isHeading: true }
  if (field?.kind.shape === 'amount') return costEntry(entry, decimal, isExport)
  if (typeof value === 'string' && field?.kind.name === 'url' && value !== text.trim())
    remark('address', phrase('{text} is read as {value}', { text: text.trim(), value }), place)
  return name === 'status' || name === 'event_status' ? statusEntry(entry, text) : entry
}

/** A column for what the others do not say, which would be a loss to leave out. */
const remarksHeading = /^(observaci|comentari|comment|remark|not[ae]s?$|(més_|más_|more_)?info)/

/** The text of an event that such a column can become. */
const placeFor = ({ resource, columns }: Sheet): Pick<RecordEntry, 'advice'> => {
  const advice = ['description', 'excerpt'].find(
    name => fieldNamed(resource, name) && !columns.some(column => column.name === name),
  )
  return advice === undefined ? {} : { advice }
}

/** The entry for a status: its words tell whether it means who can see the event, or whether the event takes place. */
function statusEntry(entry: RecordEntry, text: string): RecordEntry {
  const eventStatus = eventStatusNamed(text)
  if (eventStatus !== undefined) return { ...entry, name: 'event_status', value: eventStatus }
  const status = entry.name === 'event_status' ? statusNamed(text) : undefined
  return status === undefined ? entry : { ...entry, name: 'status', value: status }
}

/** The entries for marks in columns such as `Cancelled` and `Postponed`. */
const statusEntries = (part: PartOf): RecordEntry[] =>
  eventStatuses.flatMap(status => {
    const { text, heading } = part(`status.${status}`)
    if (text === '' || readTick(text) === false) return []
    return [{ name: 'event_status', value: eventStatusNamed(text) ?? status, column: heading }]
  })

/** The columns with marks that hide a record, and the status that they mean. A mark under the last two does the opposite. */
const hidingColumns: readonly (readonly [column: string, status: Status])[] = [
  ['status.private', 'private'],
  ['status.sensitivity', 'private'],
  ['status.draft', 'draft'],
  ['status.public', 'draft'],
  ['status.audience', 'draft'],
]

/** The entries for marks that hide a record. One that cannot be read is a mistake, because the record would be published. */
function hidingEntries(part: PartOf, { columns }: Sheet, isNew: boolean): RecordEntry[] {
  return hidingColumns.flatMap(([name, value]): RecordEntry[] => {
    const { text } = part(name)
    const column = columns.find(column => column.name === name)?.heading
    if (column === undefined || (text === '' && !(name === 'status.public' && isNew))) return []
    const hides = hidesRecord(name, text)
    if (hides === false) return []
    // An audience is a column that events do not have.
    if (hides === undefined && name === 'status.audience') return [{ name, value: text, column, isHeading: true }]
    const entry = { name: 'status', value, column }
    return [hides === undefined ? { ...entry, value: text, expected: phrase('yes or no'), isWrong: true } : entry]
  })
}

/** Whether a mark hides its record; undefined if it cannot be read. */
function hidesRecord(name: string, text: string): boolean | undefined {
  const tick = readTick(text)
  const isPublic = name === 'status.public' || name === 'status.audience'
  return sensitivities.get(foldCase(text)) ?? (isPublic && tick !== undefined ? !tick : tick)
}

/** What calendar programs write in a column such as `Sensitivity`, and whether it hides the event. */
const sensitivities = yesAndNo(
  'private privat privado personal confidential confidencial',
  'normal public publico default',
)

/** Marks entries that contradict an earlier cell for the same field. */
function withoutContradictions(
  entries: readonly RecordEntry[],
  { resource, columns }: Sheet,
  cells: readonly string[],
): RecordEntry[] {
  const first = new Map<string, RecordEntry>()
  const cellOf = (entry: RecordEntry) => cells[columns.findIndex(({ heading }) => heading === entry.column)] ?? ''
  return entries.map(entry => {
    const other = first.get(entry.name)
    if (other === undefined) first.set(entry.name, entry)
    const contradicts = other !== undefined && JSON.stringify(other.value) !== JSON.stringify(entry.value)
    if (!contradicts || entry.isWrong || !fieldNamed(resource, entry.name)) return entry
    const expected = phrase('an empty cell, because "{column}" is "{text}"', {
      column: other.column,
      text: cellOf(other),
    })
    return { ...entry, value: cellOf(entry), expected, isWrong: true }
  })
}

const noCell: Cell = { text: '', heading: '' }

/** The entries of a row: one for each cell with text, or for several cells that make up one field. */
export function rowEntries(sheet: Sheet, cells: readonly string[], formats: CellFormats): RecordEntry[] {
  const { resource, columns, isExport } = sheet
  const entries: RecordEntry[] = []
  const parts = new Map<string, Cell>()
  for (const [index, { heading, name }] of columns.entries()) {
    const field = fieldNamed(resource, name)
    const written = cells[index] ?? ''
    // People type blanks that nobody sees into names.
    const isTypedName = !isExport && isNameColumn(name, resource)
    const text = isTypedName ? written.replace(/[^\S\n\r]+/g, ' ').trim() : written
    const partName = name === 'venue' && !isExport && placeLines(text).length > 1 ? 'venue.name' : name
    if (isFieldPart(partName)) parts.set(partName, { text: text.trim(), heading })
    else if (field?.kind.shape === 'moment' && text !== '')
      entries.push(dateEntry(name, readCell(field, text), heading, formats.dates))
    else if (text !== '') entries.push(cellEntry(field, { name, heading, text }, sheet, formats))
  }
  const part: PartOf = name => parts.get(name) ?? noCell
  noticeLoneCurrency(part, sheet, formats.place)
  const all = [
    ...withSecondAddress(entries, part('address.more')),
    ...eventDates(entries, part, sheet, formats),
    ...costEntries(part, formats.decimal),
    ...venueEntries(part, sheet, formats.place),
    ...linkEntries(parts),
    ...statusEntries(part),
    ...hidingEntries(part, sheet, !entries.some(({ name }) => name === 'id')),
  ]
  return withoutContradictions(all, sheet, cells)
}

/** Whether a column has titles, or names of other records. */
const isNameColumn = (name: string, resource: Resource): boolean =>
  name === resource.title || /\.names?$/.test(name) || fieldNamed(resource, name)?.kind.shape === 'links'

/** Says that a currency without a price is not read. */
function noticeLoneCurrency(part: PartOf, { remark }: Sheet, place: string): void {
  const cell = ['cost.symbol', 'cost.code', 'cost.position'].map(part).find(({ text }) => text !== '')
  if (!cell || part('cost.amount').text !== '') return
  const said = phrase('"{text}" is not read, because the row has no price', { text: cell.text })
  remark('no price', said, `${place}, ${cell.heading}`)
}

/** `15`, `€` and `suffix` make `15€`. Without a symbol, the currency code is used. */
function costEntries(part: PartOf, decimal: Decimal): RecordEntry[] {
  const { text, heading } = part('cost.amount')
  if (text === '') return []
  const amount = text === clearMark ? null : text
  const isPaid = typeof amount === 'string' && /^[\d.,]+$/.test(amount) && !/^0+([.,]0*)?$/.test(amount)
  const value = isPaid ? withCurrency(amount, part) : amount
  return [costEntry({ name: 'cost', value, column: heading }, decimal)]
}

/** The entry for a price, which its column may decide. A price beside an ID may be stored as it is, so that it is read with the record. */
function costEntry(entry: RecordEntry, decimal: Decimal, hasRecord = false): RecordEntry {
  if (typeof entry.value !== 'string') return entry
  const text = settledPrice(entry.value, decimal)
  if (hasRecord) return { ...entry, value: text }
  const reading = readTypedPrice(text)
  const mistake = readingMistake(reading, text)
  if (mistake) return { ...entry, message: `${entry.column}: ${mistake.message}`, advice: mistake.hint, isWrong: true }
  return { ...entry, value: 'value' in reading ? reading.value : text }
}

function withCurrency(amount: string, part: PartOf): string {
  const symbol = part('cost.symbol').text
  const code = part('cost.code').text
  const isSuffix = /^(suffix|postfix)$/i.test(part('cost.position').text)
  if (symbol) return isSuffix ? `${amount}${symbol}` : `${symbol}${amount}`
  return code ? `${amount} ${code}` : amount
}

/** The venue by name, with its details from other columns, or from further lines of the cell. */
function venueEntries(part: PartOf, { remark }: Sheet, place: string): RecordEntry[] {
  const { text, heading } = part('venue.name')
  const columns = ['address', 'city', 'zip', 'phone'].map(field => [field, part(`place.${field}`)] as const)
  const described = columns.filter(([, { text }]) => text !== '')
  const [alone] = text === '' ? described : []
  if (alone) {
    const said = phrase('"{text}" is not read, because no venue is named', { text: alone[1].text })
    remark('no venue', said, `${place}, ${alone[1].heading}`)
  }
  if (text === '') return []
  const name = readCell(undefined, text)
  if (name === null) return [{ name: 'venue', value: null, column: heading }]
  const [first = '', ...lines] = placeLines(String(name))
  const inLines = addressIn(lines)
  const rest = { ...inLines, ...Object.fromEntries(described.map(([field, { text }]) => [field, text])) }
  if (Object.keys(inLines).length > 0)
    remark('venue lines', phrase('"{first}" is read as the venue, and what follows as its address', { first }), place)
  if (Object.keys(rest).length > 0)
    remark(
      'venue details',
      phrase('addresses, towns and phones are for venues that are created; those that exist stay as they are'),
    )
  return [{ name: 'venue', value: [Object.keys(rest).length > 0 ? { venue: first, ...rest } : first], column: heading }]
}

/** The name of a venue and its address, which people write below the name, or after a comma if it is a street. */
function placeLines(text: string): readonly string[] {
  const parts = (separator: RegExp) => text.split(separator).flatMap(part => part.trim() || [])
  const lines = parts(/[\r\n]+/)
  const inLine = lines.length === 1 && text.includes(',') ? parts(/,/) : []
  return isStreet(inLine[1] ?? '') ? inLine : lines
}

/** The lines below the name of a venue: the street, and the town with or without a postal code. */
function addressIn(lines: readonly string[]): Record<string, string> {
  const [, zip, town] = /^(\d{5}),?\s+(\D+)$/.exec(lines.at(-1) ?? '') ?? []
  const city = town ?? (lines.length > 1 && !/\d/.test(lines.at(-1) ?? '') ? lines.at(-1) : undefined)
  const street = (city === undefined ? lines : lines.slice(0, -1)).join(', ')
  return { ...(street && { address: street }), ...(city && { city }), ...(zip && { zip }) }
}

/** Organizers, categories and tags by name, several in one cell. */
function linkEntries(parts: ReadonlyMap<string, Cell>): RecordEntry[] {
  return [...parts].flatMap(([part, { text, heading }]) => {
    const [name = '', kind] = part.split('.')
    if (text === '' || part === 'venue.name' || (kind !== 'name' && kind !== 'names')) return []
    const names = readCell(undefined, text)
    return [{ name, value: names === null ? null : readNames(String(names)), column: heading }]
  })
}

/** The names in a row with semicolons, which are several names unless a record has the whole text as its name. */
export const unsplitNames = ({ resource, columns }: Sheet, cells: readonly string[]): string[] =>
  columns.flatMap(({ name }, index) => {
    const { kind, multiple } = fieldNamed(resource, name) ?? {}
    const isList = name.endsWith('.names') || (kind?.shape === 'links' && multiple !== false)
    const cell = cells[index] ?? ''
    return isList && cell.includes(';') ? readUnsplit(unescapeFormula(cell)) : []
  })

/** Appends the second line of an address to the first. */
function withSecondAddress(entries: readonly RecordEntry[], more: Cell): readonly RecordEntry[] {
  const second = readCell(undefined, more.text) ?? undefined
  if (second === undefined) return entries
  const first = entries.find(({ name, value }) => name === 'address' && value !== null)
  const value = first ? `${first.value}, ${second}` : second
  return [...entries.filter(({ name }) => name !== 'address'), { name: 'address', value, column: more.heading }]
}
