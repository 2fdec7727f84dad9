/** Items by the key that each has, in the order of their first items. */
export function grouped<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** The same without the items that have no key. */
export function groupedWithKey<T, K>(items: Iterable<T>, keyOf: (item: T) => K | undefined): Map<K, T[]> {
  const groups = grouped(items, keyOf)
  groups.delete(undefined)
  return groups as Map<K, T[]>
}
