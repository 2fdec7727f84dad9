import { parseStrictJson } from '../../text/json.ts'
import type { Reference } from './file-record.ts'

const item = /\s*("(?:[^"]|"")*"(?=\s*(?:[,;]|$))|[^,;]*)\s*([,;]|$)/y

/**
 * Parses `3, Jazz, "Concerts, recitals"`: digits are an id unless quoted, and quoted names can have commas and semicolons. JSON is
 * parsed as JSON, for records that are to be created. `A; B` stays one name: only a site knows whether one is called so.
 */
export const readReferences = (text: string): Reference[] =>
  parseJsonReferences(text) ?? readItems(text).map(parseReference)

/** The same where digits are names, too. */
export const readNames = (text: string): Reference[] => parseJsonReferences(text) ?? readItems(text).map(unquote)

function readItems(text: string): string[] {
  const items: string[] = []
  let names: string[] = []
  let start = 0
  item.lastIndex = 0
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const [, part = '', end = ''] = match
    if (part.trim() !== '') names.push(part.trim())
    if (end === ';') continue
    const mayBeOne = names.length > 1 && !names.some(isQuoted)
    items.push(...(mayBeOne ? [text.slice(start, item.lastIndex - end.length).trim()] : names))
    names = []
    start = item.lastIndex
    if (end === '') break
  }
  return items
}

/** The references of a text that are several names, unless a record is called so: `Jazz; Blues`. */
export const readUnsplit = (text: string): string[] =>
  parseJsonReferences(text) ? [] : readItems(text).filter(one => one.includes(';') && !isQuoted(one))

/** The names in a text of `readUnsplit`. */
export const splitNames = (text: string): string[] =>
  text
    .split(';')
    .map(name => name.trim())
    .filter(name => name !== '')

/** Parses a single reference, in which commas need no quotes. */
export const readReference = (text: string): Reference => parseJsonReferences(text)?.[0] ?? parseReference(text.trim())

function parseReference(text: string): Reference {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return unquote(text)
}

const isQuoted = (text: string): boolean => /^"(?:[^"]|"")*"$/.test(text)

const unquote = (text: string): string => (isQuoted(text) ? text.slice(1, -1).replaceAll('""', '"') : text)

function parseJsonReferences(text: string): Reference[] | undefined {
  if (!/^\s*(\{|\[\s*[[{\d"])/.test(text)) return undefined
  try {
    return [parseStrictJson(text)].flat() as Reference[]
  } catch {
    return undefined
  }
}

/** The text that `readReferences` parses into these references. */
export function referencesText(references: readonly Reference[]): string {
  if (references.some(reference => typeof reference === 'object')) return JSON.stringify(references)
  return references.map(reference => referenceText(reference, /[,;]/)).join(', ')
}

/** The text of one reference, quoted if it would be parsed as something else or contains a separator. */
export function referenceText(reference: Reference, separator?: RegExp): string {
  if (typeof reference === 'object') return JSON.stringify(reference)
  if (typeof reference === 'number') return String(reference)
  const isPlain =
    reference === reference.trim() && !/^(\d*$|["{[])/.test(reference) && separator?.test(reference) !== true
  return isPlain ? reference : `"${reference.replaceAll('"', '""')}"`
}
