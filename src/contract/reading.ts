import { forExample } from '../base/failure.ts'
import type { Meaning } from '../base/meaning.ts'
import { listOf } from '../base/text/sentence-parts.ts'
import type { DateMistake } from '../base/time/dates.ts'
import { phrase } from '../base/words/phrase.ts'

/** Why a text has no value, with what to write instead. */
export type ReadingMistake = Omit<DateMistake, 'ok'>

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
