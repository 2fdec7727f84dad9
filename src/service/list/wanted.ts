import type { Filter } from '../../contract/filter.ts'
import type { Context } from '../dialect.ts'
import type { CategoryRow } from '../store/rows.ts'
import { findTerm } from '../terms.ts'

/** The ids that a filter is given, terms also by name or slug; a category stands for those below it too. */
export function wantedIds(context: Context, { of }: Filter, value: unknown): Set<number> {
  const ids = [value].flat().map(wanted => {
    if (typeof wanted === 'number') return wanted
    return of === 'categories' || of === 'tags' ? findTerm(context, of, String(wanted))?.id : undefined
  })
  const known = new Set(ids.filter(id => id !== undefined))
  return of === 'categories' ? withDescendants(known, [...context.store.table('categories').values()]) : known
}

function withDescendants(ids: Set<number>, categories: readonly CategoryRow[]): Set<number> {
  const children = categories.filter(({ id, parent }) => parent !== null && ids.has(parent) && !ids.has(id))
  if (children.length === 0) return ids
  return withDescendants(new Set([...ids, ...children.map(({ id }) => id)]), categories)
}
