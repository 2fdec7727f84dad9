import type { Field } from '../field.ts'

/** A value in the form of its kind, or what was expected in its place. */
export type CheckedValue = { ok: true; value: unknown } | { ok: false; expected: string; example: string }

/** Checks a value against a field and gives it back normalized, or says what was expected. */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const { kind } = field
  const read = kind.read(value, field)
  if (read !== undefined) return { ok: true, value: read }
  const { expected, example } = kind.words(field)
  return { ok: false, expected: kind.mistakeIn?.(value) ?? expected, example }
}
