import { decodeEntities } from '../../base/text/escaping.ts'
import { normalizeText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import type { Allowed, Field } from '../field.ts'
import { type ReadingMistake, readingMistake } from '../reading.ts'
import { partsOf } from './currency.ts'

/** Reading, comparing and linking values of several kinds. */

/** NUL and lone surrogates are invalid in a UTF-8 text file. */
export const isClean = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

export function isPlain(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && isClean(value))
}

export const isPlainOrList = (value: unknown): boolean =>
  isPlain(value) || (Array.isArray(value) && value.every(isPlain))

/** Reads values that pass a test, unchanged. */
export const scalar =
  (test: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    test(value) ? value : undefined

/** Accepts the notations of queries: `05`, `5.0`, `5e0`. */
export function positiveIn(value: unknown): number | undefined {
  if (!isPlain(value) || !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?$/i.test(String(value))) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function choiceIn(value: unknown, { choices }: Allowed): string | undefined {
  return typeof value === 'string' ? choices?.find(choice => choice === value.toLowerCase()) : undefined
}

/** A list, or a text with commas, of which every part can be read. */
export function listIn(value: unknown, read: (part: unknown) => unknown): unknown[] | undefined {
  const parts = typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
  const list = parts.map(read)
  return list.length === 0 || list.includes(undefined) ? undefined : list
}

export const isNone = (value: unknown): boolean =>
  [null, '', false, 0].some(none => value === none) || (Array.isArray(value) && value.length === 0)

/** Whether the requested value empties the field. */
export const asksForNone = (asked: unknown): boolean =>
  asked === null || asked === '' || (Array.isArray(asked) && asked.length === 0)

export const sameText = (one: string, other: string): boolean =>
  normalizeText(one).toLowerCase() === normalizeText(other).toLowerCase()

/** Deep equality of plain data. */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => equal(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => equal(one[key], other[key]))
}

/** A value in the form of its kind, or what was expected instead. */
type CheckedValue = { ok: true; value: unknown } | ({ ok: false; mistake?: ReadingMistake | undefined } & Expectation)

/** The expected kind of value, with an example. */
interface Expectation {
  readonly expected: string
  readonly example: string
}

/** Validates and normalizes a value for a field. */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const read = field.kind.read(value, field)
  return read === undefined ? { ok: false, ...expectation(field, value) } : { ok: true, value: read }
}

/** The same for a value that a person typed, in an option or at a prompt. */
export function checkTyped(field: Field, value: unknown): CheckedValue {
  const isRead = typeof value === 'string' && value.trim() !== '' && field.kind.asTyped
  if (!isRead) return checkValue(field, value)
  const reading = isRead(value)
  if ('value' in reading) return checkValue(field, reading.value)
  return { ok: false, mistake: readingMistake(reading, value), ...expectation(field, value) }
}

export const expectation = (field: Field, value?: unknown): Expectation => ({
  expected: field.kind.expected(field, value),
  example: field.choices?.[0] ?? field.example ?? field.kind.example,
})

/** Whether a text was stored as sent. For users without `unfiltered_html`, WordPress escapes ampersands. */
export function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (isObject(sent) || isObject(stored)) {
    // A cost with its currency, or the written parts of one.
    const [asked, kept] = [sent, stored].map(value => (isObject(value) ? value : { ...partsOf(String(value ?? '')) }))
    return Object.entries(asked ?? {}).every(([name, value]) => equal(value, kept?.[name]))
  }
  const [asked, kept] = [[sent ?? ''].flat().join(' - '), String(stored)].map(text =>
    text.replace(/\r\n?/g, '\n').trim().normalize('NFC'),
  )
  return asked === kept || (kept !== undefined && decodeEntities(asked ?? '') === decodeEntities(kept))
}

/** `2026-12-05T19:00:00` as the events API writes it. */
export function wallTime(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]+$/.test(value) ? value.replace('T', ' ') : value
}
