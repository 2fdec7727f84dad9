import { Failure } from '../../base/failure.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Page } from '../client.ts'
import { type Condition, readField } from './condition.ts'
import { sortValue } from './matcher.ts'

/** At most this many records can be sorted, since all of them are in memory. */
const mostSorted = 20_000

interface SortKey {
  readonly field: Condition
  readonly isDescending: boolean
}

/** Reads `--sort`: `cost`, `start_date:desc` or `-start_date`, `venue,title`. */
export const readSortKeys = (text: string, resource: Resource): SortKey[] =>
  text.split(',').map(part => {
    const [, minus, path = '', direction] = /^\s*(-?)([\w.-]+?)\s*(?::(asc|desc))?\s*$/i.exec(part) ?? []
    if (path === '')
      throw new Failure('usage', `--sort: expected a field, got "${part.trim()}"`, {
        hint: 'for example: --sort cost, or --sort start_date:desc',
      })
    return {
      field: readField('--sort', path, resource),
      isDescending: minus === '-' || direction?.toLowerCase() === 'desc',
    }
  })

/** Sorts records by one field after another; those without a value come last, and equals stay in the order of the list. */
export async function* sortPages(pages: AsyncIterable<Page>, keys: readonly SortKey[]): AsyncGenerator<Page> {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const rows: { readonly record: Answer; readonly values: readonly (number | string | undefined)[] }[] = []
  for await (const { records } of pages) {
    if (rows.length + records.length > mostSorted)
      throw new Failure('usage', `--sort: more than ${mostSorted.toLocaleString('en')} records`, {
        hint: 'select fewer, for example by days or with --where',
      })
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
