import { forExample, usage } from '../../base/failure.ts'
import { foldText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf, writtenNumber } from '../../base/text/sentence-parts.ts'
import { isEveryDay } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { readBoolean } from '../../contract/kinds/number-kinds.ts'
import { isFree, readPrice } from '../../contract/price.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Page } from '../client.ts'
import { type Condition, numberIn, type Operator, readField } from './condition.ts'

/** Whether a record is selected. */
export type RecordTest = (record: Answer) => boolean

/**
 * Makes the check for a condition. `id` is the ID of the record that the value of a link names. A field with several values, such as tags
 * or a range of prices, passes if one of them does; with `!=` and `!~`, if none does.
 */
export function matcherOf(condition: Condition, id: number | undefined): RecordTest {
  const { comparison, value } = condition
  const isNegated = comparison.startsWith('!')
  if (value === undefined) return record => (valuesAt(record, condition).length === 0) !== isNegated
  const holds = testOf(condition, value, id)
  const symbol = condition.type === 'cost' && !comparison.endsWith('~') ? currencyIn(value) : ''
  return record => (String(record.cost ?? '').includes(symbol) && valuesAt(record, condition).some(holds)) !== isNegated
}

/** The sign or code of a currency that a price names. */
function currencyIn(text: string): string {
  const reading = readPrice(text)
  return ('value' in reading && reading.value.money?.symbol) || ''
}

function testOf(
  { type, comparison, span }: Condition,
  text: string,
  id: number | undefined,
): (value: unknown) => boolean {
  const sign = comparison.replace('!', '') as Operator
  if (sign === '~') return value => textsOf(value).some(one => one.includes(foldText(text)))
  if (type === 'link') return value => isObject(value) && value.id === id
  if (type === 'date' && span) {
    const { from, until } = span
    const timeOf = (wall: string) => (isEveryDay(span) ? wall.slice(11) : wall)
    return value => isInOrder(timeOf(String(value)), sign, from, until)
  }
  if (type === 'boolean') {
    const wanted = readBoolean(text)
    return value => readBoolean(value) === wanted
  }
  const number = numberIn(text, type)
  const isCost = type === 'cost'
  if (/^[<>]/.test(sign)) return value => isInOrder(numberOf(value, isCost), sign, number)
  const isNumeric = type !== 'text' && Number.isFinite(number)
  return value => (isNumeric && numberOf(value, isCost) === number) || textsOf(value).includes(foldText(text))
}

/** Compares a number, or a wall time with a span: `>` means after its end, `<` before its beginning. */
function isInOrder<T extends number | string>(value: T, sign: Operator, from: T, until = from): boolean {
  if (sign === '>') return value > until
  if (sign === '<') return value < from
  return (sign === '<=' || value >= from) && (sign === '>=' || value <= until)
}

/** NaN if the text is not a number; a free cost is 0. */
function numberOf(value: unknown, isCost: boolean): number {
  if (isObject(value)) return Number(value.id)
  if (isCost && isFree(String(value))) return 0
  return typeof value === 'number'
    ? value
    : Number.parseFloat(
        String(value)
          .replace(/^[^\d-]+/, '')
          .replace(',', '.'),
      )
}

/** The texts by which a value is known, folded: the name and slug of a linked record, the address of an image. */
function textsOf(value: unknown): string[] {
  if (!isObject(value)) return [foldText(String(value))]
  const { name, venue, organizer, slug, url } = value
  const texts = name ?? venue ?? organizer ?? url
  return [texts, ...(texts === url ? [] : [slug])].filter(text => typeof text === 'string').map(foldText)
}

/** The values of a field that are not empty; for a cost, its amounts, if it is compared as a number. */
function valuesAt(record: Answer, { path, type, emptyAs, comparison, value }: Condition): unknown[] {
  const isEmpty = (found: unknown) =>
    (type === 'image' && found === false) || (emptyAs !== undefined && found === record[emptyAs])
  const values = within(record, path.split('.')).filter(found => !isEmpty(found))
  if (type !== 'cost' || value === undefined || comparison.endsWith('~')) return values
  const amounts = within(record, ['cost_details', 'values'])
  return values.length > 0 && amounts.length > 0 ? [...amounts, ...(/^!?=$/.test(comparison) ? values : [])] : values
}

function within(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap(item => within(item, path))
  const [name, ...rest] = path
  if (name !== undefined) return isObject(value) && Object.hasOwn(value, name) ? within(value[name], rest) : []
  return value === null || value === undefined || value === '' ? [] : [value]
}

/** The value by which a record is sorted: the first one of a field, as a number if it is one. */
function sortValue(record: Answer, field: Condition): number | string | undefined {
  const [value] = valuesAt(record, field)
  if (value === undefined) return undefined
  const number = field.type === 'number' || field.type === 'cost' ? numberOf(value, field.type === 'cost') : Number.NaN
  return Number.isFinite(number) ? number : textsOf(value)[0]
}

/** Whether a record has a field, empty or not. */
export function hasPath(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some(item => hasPath(item, path))
  return isObject(value) && Object.hasOwn(value, name) && hasPath(value[name], rest)
}

/** Sorting needs all records in memory. */
const mostSorted = 20_000

interface SortKey {
  readonly field: Condition
  readonly isDescending: boolean
}

/** Reads `--sort`: `cost`, `start_date:desc` or `-start_date`, `venue,title`. `pathCalled` gives the field that people call otherwise. */
export const readSortKeys = (text: string, resource: Resource, pathCalled: (name: string) => string): SortKey[] =>
  text.split(',').map(part => {
    const [, minus, path = '', direction] = /^\s*(-?)([\p{L}\d_.’'· -]+?)\s*(?::(asc|desc))?\s*$/iu.exec(part) ?? []
    if (path === '')
      throw usage(
        phrase('--sort: expected a field, got "{text}"', { text: part.trim() }),
        forExample(listOf(['--sort cost', '--sort start_date:desc'], 'or')),
      )
    return {
      field: readField(path, pathCalled(path), resource),
      isDescending: minus === '-' || direction?.toLowerCase() === 'desc',
    }
  })

/** Sorts records by one field after another; records without a value come last, and equal ones stay in the order of the list. */
export async function* sortPages(pages: AsyncIterable<Page>, keys: readonly SortKey[]): AsyncGenerator<Page> {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const rows: { readonly record: Answer; readonly values: readonly (number | string | undefined)[] }[] = []
  for await (const { records } of pages) {
    if (rows.length + records.length > mostSorted)
      throw usage(
        phrase('--sort: more than {count} records', { count: writtenNumber(mostSorted) }),
        phrase('select fewer, for example by days or with --where'),
      )
    for (const record of records) rows.push({ record, values: keys.map(({ field }) => sortValue(record, field)) })
  }
  rows.sort((one, other) => {
    for (const [index, { isDescending }] of keys.entries()) {
      const order = compared(one.values[index], other.values[index], isDescending, collator)
      if (order !== 0) return order
    }
    return 0
  })
  yield { records: rows.map(({ record }) => record), total: rows.length, pages: 1 }
}

type Value = number | string | undefined

function compared(one: Value, other: Value, isDescending: boolean, collator: Intl.Collator): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  const order =
    typeof one === 'number' && typeof other === 'number' ? one - other : collator.compare(String(one), String(other))
  return isDescending ? -order : order
}
