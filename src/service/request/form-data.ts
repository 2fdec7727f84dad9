import { isReservedName } from '../../text/json.ts'

/** One parameter as a query or a form contains it. */
export type Pair = readonly [name: string, value: string]

/** Reads `a=1&b%5B%5D=2` into pairs, in order. */
export const readPairs = (text: string): Pair[] => (text === '' ? [] : [...new URLSearchParams(text)])

/** Names with more brackets are ignored, and those of no parameter that are names of every object here. */
const maxDepth = 4

type Nested = Map<string, Nested | string>

/** Nests pairs as PHP does: `a[]=1&a[]=2` is a list, `venue[city]=Vic` an object, and the last of a repeated name counts. */
export function nest(pairs: readonly Pair[]): Record<string, unknown> {
  const top: Nested = new Map()
  for (const [name, value] of pairs) {
    const path = keysOf(name)
    if (path.length > maxDepth || path.some(isReservedName)) continue
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

/** `venue[city]` → `venue`, `city`; unclosed brackets are part of the name. */
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

/** The fields of a `multipart/form-data` body; files are ignored. */
export function readMultipart(body: string, contentType: string): Pair[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) return []
  const parts = `\r\n${body}`.split(`\r\n--${boundary[1] ?? boundary[2]}`).slice(1, -1)
  return parts.flatMap(part => {
    const [head = '', ...content] = part.split('\r\n\r\n')
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]
    return name === undefined || /;\s*filename=/i.test(head) ? [] : [[name, content.join('\r\n\r\n')] as const]
  })
}
