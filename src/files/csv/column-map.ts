/**
 * What headings of sheets mean, besides those that calctl knows: given with `--map`, read from a file, or answered when a heading resembles
 * a known one.
 */

import { ignoreErrors } from '../../base/attempt.ts'
import { type Failure, usage } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { nearest } from '../../base/text/similarity.ts'
import { parseStrictJson } from '../../base/text/strict-json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { foldHeading } from './heading-names.ts'

/** Headings and their meanings: any heading or field that calctl knows, or `ignore`. */
export class ColumnMap {
  private readonly columns = new Map<string, { heading: string; column: string }>()
  /** What names of records mean, such as `venues La Farinera`: an existing name, `null` for a new record, undefined for neither. */
  readonly names = new Map<string, string | null | undefined>()
  private readonly seen = new Set<string>()
  /** All headings of all sheets. */
  private readonly headings = new Set<string>()

  /** `isThis` asks whether a heading means a known one; absent if there is nobody to ask. */
  constructor(readonly isThis?: (heading: string, known: string) => Promise<boolean>) {}

  set(heading: string, column: string): void {
    this.columns.set(keyOf(heading), { heading: heading.trim(), column: column.trim() })
  }

  /** The given meaning of a heading. */
  columnOf(heading: string): string | undefined {
    const key = keyOf(heading)
    this.headings.add(heading)
    this.seen.add(key)
    return this.columns.get(key)?.column
  }

  /** The failure for a heading that is in no sheet; undefined if all are used. */
  unusedFailure(): Failure | undefined {
    const unused = [...this.columns].find(([key]) => !this.seen.has(key))
    if (!unused) return undefined
    const [, { heading }] = unused
    const suggestion = nearest(heading, [...this.headings])
    return usage(
      phrase('--map: no file has a column "{heading}"', { heading }),
      suggestion
        ? phrase('did you mean "{suggestion}"?', { suggestion })
        : phrase('write the heading as the sheet has it'),
    )
  }

  /** Takes the entries of a text that `toText` wrote; returns whether it is one. */
  addFrom(text: string): boolean {
    const entries = readColumnFile(text)
    for (const [key, value] of entries ?? [])
      if (isObject(value))
        for (const [name, meant] of Object.entries(value)) this.names.set(name, meant as string | null)
      else this.set(key, String(value))
    return entries !== undefined
  }

  toText(): string {
    const entries = Array.from(this.columns.values(), ({ heading, column }) => [heading, column])
    const names = this.names.size > 0 && { names: Object.fromEntries(this.names) }
    return `${JSON.stringify({ ...Object.fromEntries(entries), ...names }, null, 2)}\n`
  }
}

/** Headings without letters or digits, such as `#`, are compared as they are. */
const keyOf = (heading: string): string => foldHeading(heading) || heading.trim()

/** The headings and columns in a text that `toText` wrote; undefined for any other text. */
export function readColumnFile(text: string): [string, unknown][] | undefined {
  const value = ignoreErrors(() => parseStrictJson(text))
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const isName = (meant: unknown) => meant === null || typeof meant === 'string'
  const areNames = (key: string, value: unknown) =>
    key === 'names' && isObject(value) && Object.values(value).every(isName)
  return entries.every(([key, value]) => typeof value === 'string' || areNames(key, value)) ? entries : undefined
}
