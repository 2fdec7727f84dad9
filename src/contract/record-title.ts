import { decodeEntities, sanitizeLine } from '../text/escaping.ts'
import type { Resource } from './resource.ts'

/** What people call a record by, as they read it; empty for a record without a title. */
export const titleOf = ({ title }: Resource, record: Readonly<Record<string, unknown>> = {}): string =>
  decodeEntities(String(record[title] ?? ''))

const longestText = 60

/** A text of a record in a sentence: in quotes, on one line and not too long. */
export function quoted(text: string): string {
  const line = sanitizeLine(decodeEntities(text)).trim()
  return JSON.stringify(line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line)
}
