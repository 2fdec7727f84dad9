import { usage } from '../failure.ts'
import { phrase } from '../words/phrase.ts'
import { endOfString, jsonProblem, parseJson } from './json.ts'

/**
 * Parses JSON that a person or another program wrote. Throws an `Error` for malformed JSON, for refused values, and for duplicate
 * keys, of which JSON.parse would silently drop one.
 */
export function parseStrictJson(text: string): unknown {
  const value = parseJson(text)
  const problem = jsonProblem(value)
  if (problem !== undefined) throw new Error(problem)
  const key = repeatedKey(text)
  if (key !== undefined)
    throw new Error(phrase('the key {key} occurs twice in one object', { key: JSON.stringify(key) }))
  return value
}

/** The first duplicate key in well-formed JSON. */
function repeatedKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      const key = keyBetween(text, at, end)
      if (key !== undefined && !addKey(open.at(-1), key)) return key
      at = end - 1
    }
  }
  return undefined
}

/** False if the object already has the key. */
function addKey(keys: Set<string> | undefined, key: string): boolean {
  if (keys?.has(key)) return false
  keys?.add(key)
  return true
}

/** The key in a JSON string; undefined if the string is a value. */
const keyBetween = (text: string, start: number, end: number): string | undefined =>
  isFollowedByColon(text, end) ? JSON.parse(text.slice(start, end)) : undefined

function isFollowedByColon(text: string, from: number): boolean {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return text[at] === ':'
}

/** The JSON of an option, or in a line of input; throws `usage` that names the place. */
export function readJsonAt(place: string, text: string, hint: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw usage(phrase('{place}: malformed JSON: {reason}', { place, reason: (error as Error).message }), hint)
  }
}
