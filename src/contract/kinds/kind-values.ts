import { isObject } from '../../base/text/json.ts'
import { normalizeText } from '../../base/text/similarity.ts'
import type { Allowed, Field } from '../field.ts'

/** What reading, comparing and linking values of several kinds takes. */

/** NUL and lone surrogates have no place in a file of UTF-8 text. */
export const isClean = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

export function isPlain(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && isClean(value))
}

export const isPlainOrList = (value: unknown): boolean =>
  isPlain(value) || (Array.isArray(value) && value.every(isPlain))

/** Reads the values that pass a test, as they are. */
export const scalar =
  (test: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    test(value) ? value : undefined

/** Also as a query can write it: `05`, `5.0`, `5e0`. */
export function positiveIn(value: unknown): number | undefined {
  if (!isPlain(value) || !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?$/i.test(String(value))) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function choiceIn(value: unknown, { choices }: Allowed): string | undefined {
  return typeof value === 'string' ? choices?.find(choice => choice === value.toLowerCase()) : undefined
}

/** A list, or a text with commas, in which every part can be read. */
export function listIn(value: unknown, read: (part: unknown) => unknown): unknown[] | undefined {
  const parts = typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
  const list = parts.map(read)
  return list.length === 0 || list.includes(undefined) ? undefined : list
}

/** Whether a canonical value is none. */
export const isNone = (value: unknown): boolean =>
  [null, '', false, 0].some(none => value === none) || (Array.isArray(value) && value.length === 0)

/** Whether what was asked for is to have no value. */
export const asksForNone = (asked: unknown): boolean =>
  asked === null || asked === '' || (Array.isArray(asked) && asked.length === 0)

export const sameText = (one: string, other: string): boolean =>
  normalizeText(one).toLowerCase() === normalizeText(other).toLowerCase()

/** Equality of plain data; object keys in any order. */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => equal(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => equal(one[key], other[key]))
}

/** A value in the form of its kind, or what was expected in its place. */
type CheckedValue = { ok: true; value: unknown } | ({ ok: false } & Expectation)

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

/** Checks a value that a person typed, in an option or at a prompt. */
export function checkTyped(field: Field, value: unknown): CheckedValue {
  const meant = typeof value === 'string' && field.kind.asTyped ? field.kind.asTyped(value) : value
  return meant === undefined ? { ok: false, ...expectation(field, value) } : checkValue(field, meant)
}

/** What is expected of a field, or in place of a value. */
export const expectation = (field: Field, value?: unknown): Expectation => ({
  expected: field.kind.expected(field, value),
  example: field.choices?.[0] ?? field.example ?? field.kind.example,
})
