import { parseStrictJson } from '../../text/json.ts'
import type { Reference } from './file-record.ts'

const item = /\s*("(?:[^"]|"")*"(?=\s*(?:,|$))|[^,]*)\s*(,|$)/y

/**
 * Parses `3, Jazz, "Concerts, recitals"`: digits are an id unless quoted, and quoted names can have commas. JSON is parsed as
 * JSON, for records that are to be created.
 */
export const readReferences = (text: string): Reference[] =>
  parseJsonReferences(text) ?? readItems(text).map(parseReference)

/** The same where digits are names, too. */
export const readNames = (text: string): Reference[] => parseJsonReferences(text) ?? readItems(text).map(unquote)

function readItems(text: string): string[] {
  const items: string[] = []
  item.lastIndex = 0
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const [, part = '', end] = match
    if (part.trim() !== '') items.push(part.trim())
    if (end === '') break
  }
  return items
}

/** Parses a single reference, in which commas need no quotes. */
export const readReference = (text: string): Reference => parseJsonReferences(text)?.[0] ?? parseReference(text.trim())

function parseReference(text: string): Reference {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return unquote(text)
}

const unquote = (text: string): string =>
  /^"(?:[^"]|"")*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text

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
  return references.map(reference => referenceText(reference, ',')).join(', ')
}

/** The text of one reference, quoted if it would be parsed as something else or contains the separator. */
export function referenceText(reference: Reference, separator?: ','): string {
  if (typeof reference === 'object') return JSON.stringify(reference)
  if (typeof reference === 'number') return String(reference)
  const isPlain =
    reference === reference.trim() && !/^(\d*$|["{[])/.test(reference) && !(separator && reference.includes(separator))
  return isPlain ? reference : `"${reference.replaceAll('"', '""')}"`
}
