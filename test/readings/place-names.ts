import { readFileSync } from 'node:fs'

/** A name as somebody writes it, and which of the existing places it means. */
export interface WrittenName {
  readonly existing: readonly string[]
  readonly typed: string
  /** `is: X`, `ask: A, B` or `new`. */
  readonly meaning: string
}

export const writtenNames = (file: string): WrittenName[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [existing = '', typed = '', meaning = ''] = line.split('\t')
      return { existing: existing.split(' | '), typed, meaning }
    })
