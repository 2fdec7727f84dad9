/** A text without regard to case and accents. */
export const fold = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

interface Named {
  readonly id: number
  readonly name: string
}

const folded = new WeakMap<Named, string>()

const foldedName = (row: Named): string => {
  const known = folded.get(row)
  if (known !== undefined) return known
  const made = fold(row.name)
  folded.set(row, made)
  return made
}

/** The alphabetical order of names, then of ids. */
export function byName(a: Named, b: Named): number {
  const [one, other] = [foldedName(a), foldedName(b)]
  return one < other ? -1 : one > other ? 1 : a.id - b.id
}
