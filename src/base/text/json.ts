import { phrase } from '../words/phrase.ts'

/** The maximum nesting of objects and lists: PHP's own limit, and far below what recursion here could handle. */
export const deepest = 512

export const tooDeep = (): string => phrase('nested more than {count} levels deep', { count: deepest })

/**
 * Names that plain objects inherit: as a key, `__proto__` would replace the prototype, and the others break the conversion to text.
 */
export const isReservedName = (name: string): boolean =>
  name === '__proto__' || name === 'toString' || name === 'valueOf'

/** Why a parsed value is refused: its depth, or a reserved key. */
type JsonFault = 'depth' | { readonly key: string }

/** The fault of a parsed value, if any: nobody sends such values in good faith. */
export const jsonFault = (value: unknown): JsonFault | undefined =>
  isNested(value) ? faultWithin(value, deepest) : undefined

export function jsonProblem(value: unknown): string | undefined {
  const fault = jsonFault(value)
  if (fault === undefined) return undefined
  return fault === 'depth' ? tooDeep() : phrase('it has a key named {key}', { key: fault.key })
}

/** Every answer passes through here, so only nested values cost a call, and no list of keys is built. */
function faultWithin(value: object, levels: number): JsonFault | undefined {
  if (levels === 0) return 'depth'
  return Array.isArray(value) ? faultInList(value, levels - 1) : faultInRecord(value as ObjectOfJson, levels - 1)
}

type ObjectOfJson = Readonly<Record<string, unknown>>

function faultInList(list: readonly unknown[], levels: number): JsonFault | undefined {
  let found: JsonFault | undefined
  for (const item of list) {
    const fault = isNested(item) ? faultWithin(item, levels) : undefined
    if (fault === 'depth') return fault
    found ??= fault
  }
  return found
}

function faultInRecord(record: ObjectOfJson, levels: number): JsonFault | undefined {
  let found: JsonFault | undefined
  for (const name in record) {
    const item = record[name]
    const fault = isNested(item) ? faultWithin(item, levels) : undefined
    if (fault === 'depth') return fault
    found ??= isReservedName(name) ? { key: name } : fault
  }
  return found
}

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a value that is one, or a list of some. */
export const objectsIn = (value: unknown): Record<string, unknown>[] => [value].flat().filter(isObject)

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Shorter texts cannot take much memory, at any depth. */
const longText = 1_000_000

/**
 * JSON.parse for foreign texts. Each level takes fifty times its bytes in memory, so a long text that is nested too deep is not
 * parsed at all.
 */
export function parseJson(text: string): unknown {
  if (text.length > longText && isTooDeep(text)) throw new SyntaxError(tooDeep())
  return JSON.parse(text)
}

function isTooDeep(text: string): boolean {
  let levels = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') levels += 1
    else if (character === '}' || character === ']') levels -= 1
    if (levels > deepest) return true
  }
  return false
}

/** The end of the JSON string that begins here, or of the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  return text.length
}
