/**
 * Parameters as PHP receives them. Input: a query or a form, as text. Output: its pairs with decoded names and values, or its values nested
 * by the names that PHP makes of them. A server of ours reads requests with it, and what judges a request before it is sent reads it in the
 * same way.
 */

import { isReservedName } from './json.ts'

/** One parameter as a query or a form contains it, decoded. */
export type Pair = readonly [name: string, value: string]

/** Reads `a=1&b%5B%5D=2` into pairs, in order. A `?` at the beginning belongs to the first name. */
export const readPairs = (text: string): Pair[] => (text === '' ? [] : [...new URLSearchParams(`&${text}`)])

export const receivedParameters = (text: string): Record<string, unknown> => nest(readPairs(text))

/** Names with more brackets are ignored, and so are those that every object here has and no parameter. */
const maxDepth = 4

type Nested = Map<string, Nested | string>

/** Nests pairs like PHP: `a[]=1&a[]=2` is a list, `venue[city]=Vic` an object, and the last occurrence of a name counts. */
export function nest(pairs: readonly Pair[]): Record<string, unknown> {
  const top: Nested = new Map()
  for (const [name, value] of pairs) {
    const path = namePath(name)
    if (path.length === 0 || path.length > maxDepth || path.some(isReservedName)) continue
    let map = top
    for (const key of path.slice(0, -1)) {
      const existing = map.get(keyIn(map, key))
      const next: Nested = existing instanceof Map ? existing : new Map()
      map.set(keyIn(map, key), next)
      map = next
    }
    map.set(keyIn(map, path.at(-1) ?? ''), value)
  }
  return Object.fromEntries([...top].map(([key, value]) => [key, plain(value)]))
}

/**
 * The keys of a decoded name: `venue[city]` → `venue`, `city`. PHP drops leading spaces, what follows a NUL, and what follows the brackets;
 * in the first key a space, a dot and an unclosed bracket become `_`. A name that begins with a bracket is no parameter.
 */
export function namePath(name: string): string[] {
  if (/^\w+$/.test(name)) return [name]
  const [text = ''] = name.replace(/^ +/, '').split('\0', 1)
  const [, first = '', brackets = ''] = /^([^[]+)((?:\[[^\]]*\])*)/.exec(text) ?? []
  if (first === '') return []
  if (brackets === '') return [text.replace(/[ .[]/g, '_')]
  return [first.replace(/[ .]/g, '_'), ...brackets.slice(1, -1).split('][')]
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
