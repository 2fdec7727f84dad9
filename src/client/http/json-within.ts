import { ignoreErrors } from '../../base/attempt.ts'
import { endOfString, parseJson } from '../../base/text/json.ts'

/**
 * The JSON in a body with something around it: notices of PHP that a plugin prints, a byte order mark, bytes after the end. Undefined if
 * there is none, or if it was cut off.
 */
export function jsonWithin(text: string): unknown {
  // Scripts in a page are not the answer.
  if (/^\s*<(!doctype|html)\b/i.test(text)) return undefined
  let largest: { readonly value: unknown; readonly length: number } | undefined
  for (let at = nextStart(text, 0); at >= 0; ) {
    const end = endOfValue(text, at)
    // An object inside another one is not the answer.
    if (end === undefined) break
    const value = ignoreErrors(() => parseJson(text.slice(at, end)))
    if (value !== undefined && end - at > (largest?.length ?? 0)) largest = { value, length: end - at }
    at = nextStart(text, end)
  }
  return largest?.value
}

/** Where the next object, or list of objects, may begin. */
function nextStart(text: string, from: number): number {
  const start = /\{(?=\s*["}])|\[(?=\s*[\]{])/g
  start.lastIndex = from
  return start.exec(text)?.index ?? -1
}

/** The end of the object or list that begins here; undefined if it does not end. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '"') at = endOfString(text, at) - 1
    if (depth === 0) return at + 1
  }
  return undefined
}
