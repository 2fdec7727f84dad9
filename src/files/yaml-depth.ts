import { Lexer } from 'yaml'
import { deepest } from '../base/text/json.ts'

/** The beginning of a line that opens one block after another: `- - - - a`. */
const openingBlocks = new RegExp(`^(?:[ \\t]|[-?:](?=[ \\t\\r\\n]|$)){${deepest},}`, 'm')

/** Whether a text is nested too deeply: the parser is recursive, and would take down the process before it fails. */
export function isTooDeepYaml(text: string): boolean {
  if (openingBlocks.test(text)) return true
  // Most files have fewer brackets than the limit, and are not read twice.
  if ((text.match(/[[{]/g)?.length ?? 0) < deepest) return false
  let depth = 0
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth >= deepest) return true
  }
  return false
}
