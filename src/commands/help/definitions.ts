import { indent, wrapPlain } from '../../text/words.ts'

/** What help is fitted to. */
export interface Page {
  /** Of the terminal; undefined for a pipe. */
  readonly columns: number | undefined
  /** Bold where there are colors. */
  heading(text: string): string
}

/** Longer lines are hard to read, and do not fit where help is pasted. */
const widest = 80
/** On a narrower terminal a meaning stands below its term. */
const narrowest = 50
export const isNarrow = (width: number): boolean => width < narrowest

/** A term that is longer has its meaning on the next line. */
const longestTerm = 28

export const widthOfPage = ({ columns }: Page): number => Math.min(columns || widest, widest)

/** Terms with their meanings beside them, or below where there is no room. */
export function definitions(rows: readonly (readonly [term: string, meaning: string])[], width: number): string[] {
  const isBelow = isNarrow(width)
  const terms = rows.map(([term]) => term.length).filter(length => length <= longestTerm)
  const column = isBelow ? 4 : Math.max(...terms, 0) + 4
  return rows.map(([term, meaning]) => {
    const text = indent(wrapPlain(meaning, width - column), column)
    if (isBelow || term.length + 4 > column) return meaning === '' ? `  ${term}` : `  ${term}\n${text}`
    return `  ${term}${text.slice(term.length + 2)}`.trimEnd()
  })
}
