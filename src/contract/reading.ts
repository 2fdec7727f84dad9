import { forExample } from '../base/failure.ts'
import { listOf } from '../base/text/sentence-parts.ts'
import { phrase } from '../base/words/phrase.ts'

/** What a text means: a value, several possible ones, or none. How a doubt is settled depends on where the text was written. */
export type Meaning<T> =
  | { readonly value: T }
  | { readonly doubt: readonly Candidate<T>[] }
  | {
      /** Completes "expected …". */
      readonly refused: string
      /** A text that would be read. */
      readonly write: string
    }

/** Why a text has no value, with what to write instead. */
export interface ReadingMistake {
  readonly message: string
  readonly hint: string
  /** The possible meanings, if there are several. */
  readonly readings?: readonly string[]
}

/** Undefined for a value. */
export function readingMistake(reading: Meaning<unknown>, text: string): ReadingMistake | undefined {
  if ('value' in reading) return undefined
  if ('refused' in reading) {
    const hint = forExample(reading.write)
    return { message: phrase('expected {expected}, got "{text}"', { expected: reading.refused, text }), hint }
  }
  const readings = reading.doubt.map(({ form }) => form)
  const list = listOf(readings, 'or')
  return {
    message: phrase('"{text}" can be read as {readings}', { text, readings: list }),
    hint: phrase('write what is meant: {readings}', { readings: list }),
    readings,
  }
}

/** One of several meanings. */
interface Candidate<T> {
  readonly value: T
  /** A text that means exactly this. */
  readonly form: string
}
