import { missingDay } from '../time/dates.ts'
import type { Field, Kind } from './field.ts'

/** A value in the form of its kind, or what was expected in its place. */
export type CheckedValue = { ok: true; value: unknown } | { ok: false; expected: string; example: string }

/** Checks a value against a field and gives it back normalized, or says what was expected. */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const read = field.kind.read(value, field)
  if (read !== undefined) return { ok: true, value: read }
  const daysOfMonth = field.kind.shape === 'moment' ? missingDay(String(value)) : undefined
  const { expected, example } = wordsOf(field)
  return { ok: false, expected: daysOfMonth ? `a day that exists (${daysOfMonth})` : expected, example }
}

/** How a field's value looks, for help and for messages. */
export function wordsOf({ kind, choices, relative, nonEmpty, example = kind.example }: Field): Words {
  const { placeholder, expected } = kind
  if (choices) {
    const count = kind.isRepeatable ? 'one or more' : 'one'
    return { placeholder, expected: `${count} of ${choices.join(', ')}`, example: choices[0] ?? '' }
  }
  if (relative)
    return {
      placeholder,
      expected: 'a date as YYYY-MM-DD or YYYY-MM-DD HH:MM, or words such as tomorrow or +1 week',
      example: kind.example,
    }
  const isText = kind.shape === 'prose'
  return {
    placeholder,
    expected: isText && nonEmpty ? 'text that is not blank' : expected,
    example: isText && nonEmpty ? example : kind.example,
  }
}

type Words = Pick<Kind, 'placeholder' | 'expected' | 'example'>
