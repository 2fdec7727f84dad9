import { foldCase } from '../../text/similarity.ts'

/** A word that the cursor's word can become, and what it is. */
export interface Candidate {
  readonly value: string
  readonly about?: string
  /** What people may type for it instead: the title of a record. */
  readonly title?: string
  /** Whether its signs are our own or the user's: they may mean something to a shell, whose script quotes them. */
  readonly isOwn?: true
}

/** What Tab offers: candidates, or files where a file is expected. */
export interface Offer {
  readonly candidates: readonly Candidate[]
  readonly files?: true
  /** Whether more belongs to the same word. */
  readonly goesOn?: true
}

/**
 * The candidates that begin with what is typed; if there are none, those of which the name or the title does, whatever the case and the
 * accents; else those with a word in the title that does.
 */
export function fitting(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const exact = candidates.filter(({ value }) => value.startsWith(typed))
  if (exact.length > 0) return exact
  const start = foldCase(typed)
  const begins = candidates.filter(({ value, title }) =>
    [value, title ?? ''].some(text => foldCase(text).startsWith(start)),
  )
  if (begins.length > 0 || start === '') return begins
  const words = ` ${spaced(start)}`
  return candidates.filter(({ title = '' }) => ` ${spaced(foldCase(title))}`.includes(words))
}

const spaced = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ')

/** A shell puts a candidate on the command line as it stands, and it may come from a site: nothing in it may mean more than itself. */
export const isPlain = (value: string): boolean => /^[\p{L}\p{M}\p{N}@%_+=:,./-]*$/u.test(value)

/** The part of a list that is being typed: `tit` of `id,tit`. */
export const elementOf = (typed: string): string => typed.slice(typed.lastIndexOf(',') + 1)

/** A candidate behind what is typed of the same word. */
export const after = (before: string, { title, ...candidate }: Candidate): Candidate => ({
  ...candidate,
  value: before + candidate.value,
  ...(title !== undefined && { title: before + title }),
})

/** Candidates for the last element of a list, with the elements before it. */
export function inList(typed: string, candidates: readonly Candidate[]): Offer {
  const before = typed.slice(0, typed.length - elementOf(typed).length)
  const taken = new Set(before.split(','))
  return {
    candidates: candidates.filter(({ value }) => !taken.has(value)).map(candidate => after(before, candidate)),
  }
}
