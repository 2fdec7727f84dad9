/** Items that stay in order while some come and go; no two of them compare as equal but to be the same. */
export interface Sorted<T> {
  readonly items: readonly T[]
  add(item: T): void
  remove(item: T): void
}

/** Takes the items over and puts them in order. */
export function sorted<T>(items: T[], compare: (a: T, b: T) => number): Sorted<T> {
  items.sort(compare)
  const placeOf = (item: T) => firstIndex(items, other => compare(other, item) >= 0)
  return {
    items,
    add(item) {
      items.splice(placeOf(item), 0, item)
    },
    remove(item) {
      const place = placeOf(item)
      const found = items[place]
      if (found !== undefined && compare(found, item) === 0) items.splice(place, 1)
    },
  }
}

/** The index of the first item that a test holds for, when it holds for all that follow too; the length if for none. */
export function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** The order of texts by their characters' numbers, which for dates is that of time. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
