/** One parameter as a query or a form carries it. */
export type Pair = readonly [name: string, value: string]

/** Reads `a=1&b%5B%5D=2` into pairs, in order. */
export const readPairs = (text: string): Pair[] => (text === '' ? [] : [...new URLSearchParams(text)])

/** Deeper brackets than this are no parameter of ours. */
const deepest = 4

type Nested = Map<string, Nested | string>

/**
 * Puts pairs together as PHP does: `a[]=1&a[]=2` is a list, `venue[city]=Vic` an object, and of a name that is repeated the
 * last one counts.
 */
export function nest(pairs: readonly Pair[]): Record<string, unknown> {
  const top: Nested = new Map()
  for (const [name, value] of pairs) {
    const path = keysOf(name)
    if (path.length > deepest) continue
    let at = top
    for (const key of path.slice(0, -1)) {
      const found = at.get(keyIn(at, key))
      const next: Nested = found instanceof Map ? found : new Map()
      at.set(keyIn(at, key), next)
      at = next
    }
    at.set(keyIn(at, path.at(-1) ?? ''), value)
  }
  return Object.fromEntries([...top].map(([key, value]) => [key, plain(value)]))
}

/** `venue[city]` → `venue`, `city`; brackets that do not close are part of the name. */
const keysOf = (name: string): string[] => {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match) return [name]
  const [, first = '', brackets = ''] = match
  return [first, ...brackets.slice(1, -1).split('][')]
}

const keyIn = (map: Nested, key: string): string => (key === '' ? String(map.size) : key)

const plain = (value: Nested | string): unknown => {
  if (typeof value === 'string') return value
  const keys = [...value.keys()]
  const values = [...value.values()].map(plain)
  return keys.every((key, index) => key === String(index))
    ? values
    : Object.fromEntries(keys.map((key, index) => [key, values[index]]))
}
