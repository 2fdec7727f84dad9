import { resourceNamed } from '../../../contract/contract.ts'
import { isUnpublished } from '../../../contract/posts.ts'
import { numberedSlug, slugOf } from '../../../contract/slug.ts'
import type { Rows, Site, TableName } from '../rows.ts'
import type { Mistakes } from './mistakes.ts'

/** Sees that slugs are unique within a resource and language, and gives one to every row that has none. */
export function nameRows<T extends Exclude<TableName, 'images'>>(
  name: T,
  rows: readonly Rows[T][],
  site: Site,
  mistakes: Mistakes,
): Rows[T][] {
  const taken = new Map<string, number>()
  const keyOf = (row: Rows[T], slug: string) => `${row.lang_code}/${slug.toLowerCase()}`
  rows.forEach((row, index) => {
    if (row.slug === '') return
    const key = keyOf(row, row.slug)
    const first = taken.get(key)
    if (first === undefined) taken.set(key, index)
    else mistakes.add(`${name}[${index}].slug`, `"${row.slug}" is the slug of ${name}[${first}] already`)
  })
  const freeSlug = (row: Rows[T], index: number) => {
    const title = Object.entries(row).find(([column]) => column === resourceNamed(name).title)?.[1]
    const slug = numberedSlug(slugOf(String(title)) || String(row.id), wanted => taken.has(keyOf(row, wanted)))
    taken.set(keyOf(row, slug), index)
    return slug
  }
  return rows.map((row, index) => (row.slug || hasNone(row, site) ? row : { ...row, slug: freeSlug(row, index) }))
}

/** In production, what was never published has no slug. */
const hasNone = (row: object, site: Site) => site.quirks && 'status' in row && isUnpublished(String(row.status))
