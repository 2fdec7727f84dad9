import type { Field } from './field.ts'

/** A value in the form of its kind, or what was expected in its place. */
export type CheckedValue = { ok: true; value: unknown } | ({ ok: false } & Expectation)

/** What a value should be, and one that is. */
interface Expectation {
  readonly expected: string
  readonly example: string
}

/** Checks a value against a field and gives it back normalized, or says what was expected. */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const read = field.kind.read(value, field)
  return read === undefined ? { ok: false, ...expectation(field, value) } : { ok: true, value: read }
}

/** What is expected of a field, or in place of a value. */
export const expectation = (field: Field, value?: unknown): Expectation => ({
  expected: field.kind.expected(field, value),
  example: field.choices?.[0] ?? field.example ?? field.kind.example,
})
