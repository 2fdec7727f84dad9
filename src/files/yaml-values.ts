/**
 * Reads YAML, of which only what JSON can say is accepted. Input: a text of any number of documents. Output: the value of each, or the
 * failure that `fail` makes of a mistake and its place: what the library throws is a mistake of the text, too.
 */

import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseAllDocuments,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml'
import { deepest, jsonProblem, tooDeep } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'

/** A value that JSON can say, and the line of each of its keys: `line 3`. */
export interface YamlDocument {
  readonly value: unknown
  lineOf(key: string): string | undefined
  /** Where the value at a path begins, or else that around it: `line 3, column 8`; with `asKey`, where its key does. */
  placeOf(path: readonly PropertyKey[], asKey?: boolean): string
}

/** `place` is `line 3, column 8`. */
type Fail = (reason: string, place?: string) => Error

/** Reads the documents; throws what `fail` returns. */
export function readYamlDocuments(text: string, fail: Fail): YamlDocument[] {
  if (isTooDeep(text)) throw fail(tooDeep())
  const lines = new LineCounter()
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return phrase('line {line}, column {column}', { line, column: col })
  }
  const failAt: FailAt = (offset, reason) => fail(reason, placeAt(offset))
  const parse = () => [...parseAllDocuments(text, { customTags, lineCounter: lines, prettyErrors: false })]
  return thrownAs(fail, parse).map(document => {
    const itemOf = (name: string) =>
      isMap(document.contents)
        ? document.contents.items.find(({ key }) => isScalar(key) && key.value === name)
        : undefined
    return {
      value: jsonValueOf(document, failAt),
      lineOf(name) {
        const key = itemOf(name)?.key
        const start = isScalar(key) ? key.range?.[0] : undefined
        return start === undefined ? undefined : phrase('line {line}', { line: lines.linePos(start).line })
      },
      placeOf: (path, asKey = false) => placeAt(offsetOf(document.contents, path, asKey)),
    }
  })
}

/** Where the node at a path begins, as far as there are nodes on the way. */
function offsetOf(node: unknown, path: readonly PropertyKey[], asKey: boolean): number {
  const [start = 0] = (isNode(node) && node.range) || []
  const [name, ...rest] = path
  if (name === undefined || !isCollection(node)) return start
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined
  const next = asKey && rest.length === 0 && pair ? pair.key : node.get(name, true)
  return isNode(next) ? offsetOf(next, rest, asKey) : start
}

const yamlNumberTags = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']

/** A number as JavaScript would write it. Others stay texts, so that postal codes keep their zeros. */
const plainNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^(?:0|[1-9]\d{0,14})$/,
  resolve: Number,
}

const customTags = (tags: Tags): Tags => [
  ...tags.filter(tag => typeof tag === 'string' || !yamlNumberTags.includes(tag.tag)),
  plainNumber,
]

type FailAt = (offset: number, reason: string) => Error

/** The result of the library, whose own errors are mistakes of the text. */
function thrownAs<T>(fail: (reason: string) => Error, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fail((error as Error).message)
  }
}

function jsonValueOf(document: Document.Parsed, failAt: FailAt): unknown {
  const [fault] = [...document.errors, ...document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')]
  if (fault) throw failAt(fault.pos[0], needQuotes.has(fault.code) ? quotesMissing() : fault.message)
  const start = checkNodes(document, failAt) ?? document.contents?.range?.[0] ?? 0
  const failHere = (reason: string) => failAt(start, reason)
  const value = thrownAs(failHere, () => document.toJS())
  const problem = jsonProblem(value)
  if (problem !== undefined) throw failHere(problem)
  return value
}

/** Refuses what JSON cannot say; returns where the first alias is, because only aliases can fail after that. */
function checkNodes(document: Document.Parsed, failAt: FailAt): number | undefined {
  const anchors = new Map<string, number>()
  let firstAlias: number | undefined
  visit(document, (role, node) => {
    if (!isNode(node)) return
    const [start, end] = node.range ?? [0, 0]
    if (isAlias(node)) firstAlias ??= start
    else if (node.anchor) anchors.set(node.anchor, end)
    const isKnown = isAlias(node) && (anchors.get(node.source) ?? end) < end
    const isSayable = role === 'key' ? isKey(node) : isJson(node)
    if (!isKnown && !isSayable) throw failAt(start, refusalOf(node))
  })
  return firstAlias
}

/** What the library calls the colon of `title: Concert: final`, and a sign that begins something else in YAML. */
const needQuotes: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'BAD_SCALAR_START'])

const quotesMissing = () => phrase('put the value in quotes: it has a sign that means something else in YAML')

const plainTags: readonly unknown[] = [undefined, 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']

function isJson(node: Node): boolean {
  if (isCollection(node)) return plainTags.includes(node.tag)
  const value = isScalar(node) ? node.value : undefined
  if (typeof value === 'number')
    return Number.isFinite(value) && Number.isInteger(value) === Number.isSafeInteger(value)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

/** The key that merges maps is a symbol for the library. */
const isKey = (node: Node): boolean => isScalar(node) && node.value !== null && (node.source === '<<' || isJson(node))

function refusalOf(node: Node): string {
  if (isAlias(node))
    return phrase('{alias} has no anchor before it; if it is a text, put it in quotes', { alias: `*${node.source}` })
  const value = (isScalar(node) ? (node.tag ?? node.source) : node.tag) ?? phrase('this key')
  return phrase('{value} cannot be sent; if it is a text, put it in quotes', { value })
}

/** The beginning of a line that opens one block after another: `- - - - a`. */
const openingBlocks = new RegExp(`^(?:[ \\t]|[-?:](?=[ \\t\\r\\n]|$)){${deepest},}`, 'm')

/** Whether a text is nested too deeply: the parser is recursive, and would take down the process before it fails. */
function isTooDeep(text: string): boolean {
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
