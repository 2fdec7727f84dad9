import type { Reference } from './file-record.ts'

const item = /\s*("(?:[^"]|"")*"(?=\s*(?:,|$))|[^,]*)\s*(,|$)/y

/**
 * Reads `3, Jazz, "Concerts, recitals"`: digits are an id unless they are quoted, and quotes keep commas together. JSON is
 * read as such, for records that are to be made.
 */
export function readReferences(text: string): Reference[] {
  const inline = readInline(text)
  if (inline) return inline
  const found: Reference[] = []
  item.lastIndex = 0
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const [, part = '', end] = match
    if (part.trim() !== '') found.push(readOne(part.trim()))
    if (end === '') break
  }
  return found
}

/** Reads a reference where there can be one only, so that commas mean nothing. */
export const readReference = (text: string): Reference => readInline(text)?.[0] ?? readOne(text.trim())

function readOne(text: string): Reference {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return isQuoted.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text
}

const isQuoted = /^"(?:[^"]|"")*"$/

function readInline(text: string): Reference[] | undefined {
  if (!/^\s*(\{|\[\s*[[{\d"])/.test(text)) return undefined
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return undefined
  }
}

/** The text that `readReferences` turns into these references. */
export function referencesText(references: readonly Reference[]): string {
  if (references.some(reference => typeof reference === 'object')) return JSON.stringify(references)
  return references.map(reference => referenceText(reference, ',')).join(', ')
}

/** The text of one reference; quoted where it would be read as something else, or holds what separates. */
export function referenceText(reference: Reference, separator?: ','): string {
  if (typeof reference === 'object') return JSON.stringify(reference)
  if (typeof reference === 'number') return String(reference)
  const isPlain =
    reference === reference.trim() && !/^(\d*$|["{[])/.test(reference) && !(separator && reference.includes(separator))
  return isPlain ? reference : `"${reference.replaceAll('"', '""')}"`
}
