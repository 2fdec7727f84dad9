import { grouped } from '../base/groups.ts'

/** Groups of items by a key; those without one are left out. */
export function groupedBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K | undefined): Map<K, T[]> {
  const groups = grouped(items, keyOf)
  groups.delete(undefined)
  return groups as Map<K, T[]>
}
