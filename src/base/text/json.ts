/** How deep objects and lists may be nested: as deep as PHP reads them, and far less than any recursion of ours takes. */
export const deepest = 512

/** What a value that is nested deeper is called. */
export const tooDeep = `nested more than ${deepest} levels deep`

/**
 * Names that every object has in this program: as a key, the first would give an object another prototype, and with the others it
 * could not be made a text.
 */
export const isReservedName = (name: string): boolean =>
  name === '__proto__' || name === 'toString' || name === 'valueOf'

/** Why a parsed value cannot be used, if it cannot: nobody sends such values in good faith. */
export const jsonProblem = (value: unknown): string | undefined =>
  isNested(value) ? problemWithin(value, deepest) : undefined

/** Every answer passes through here: only nested values cost a call, and no list of keys is made. */
function problemWithin(value: object, levels: number): string | undefined {
  if (levels === 0) return tooDeep
  return Array.isArray(value) ? problemInList(value, levels - 1) : problemInRecord(value as ObjectOfJson, levels - 1)
}

type ObjectOfJson = Readonly<Record<string, unknown>>

function problemInList(list: readonly unknown[], levels: number): string | undefined {
  let found: string | undefined
  for (const item of list) {
    const problem = isNested(item) ? problemWithin(item, levels) : undefined
    if (problem === tooDeep) return problem
    found ??= problem
  }
  return found
}

function problemInRecord(record: ObjectOfJson, levels: number): string | undefined {
  let found: string | undefined
  for (const name in record) {
    const item = record[name]
    const problem = isNested(item) ? problemWithin(item, levels) : undefined
    if (problem === tooDeep) return problem
    found ??= isReservedName(name) ? `it has a key named ${name}` : problem
  }
  return found
}

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Shorter texts cannot take much memory, however deep they are. */
const longText = 1_000_000

/**
 * JSON.parse for texts of others. For each level it takes fifty times the bytes that the text has: a long one that is nested too deep
 * for use is not parsed at all.
 */
export function parseJson(text: string): unknown {
  if (text.length > longText && isTooDeep(text)) throw new SyntaxError(tooDeep)
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

/**
 * Parses JSON that a person or another program wrote. Throws an `Error` for malformed JSON, for values that cannot be used, and for a
 * key that occurs twice, of which one value would be lost without a word.
 */
export function parseStrictJson(text: string): unknown {
  const value = parseJson(text)
  const problem = jsonProblem(value)
  if (problem !== undefined) throw new Error(problem)
  const key = repeatedKey(text)
  if (key !== undefined) throw new Error(`the key ${JSON.stringify(key)} occurs twice in one object`)
  return value
}

/** A key that occurs twice in one object of well-formed JSON. */
function repeatedKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isFollowedByColon(text, end)) {
        const key: string = JSON.parse(text.slice(at, end))
        if (keys.has(key)) return key
        keys.add(key)
      }
      at = end - 1
    }
  }
  return undefined
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return text[at] === ':'
}

/** The end of the string of JSON that begins here; the end of the text if the string has none. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  return text.length
}
