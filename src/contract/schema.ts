import { readDate } from '../time/dates.ts'
import { readRelative } from '../time/relative.ts'
import { isZone } from '../time/zone-name.ts'
import type { Field, Kind } from './field.ts'
import { wordsOfKind } from './kinds.ts'
import * as z from './zod.lib.ts'

type Schema = z.ZodMiniType

const truths = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
])

/** NUL and halves of characters have no place in a file of UTF-8 text. */
export const isClean = (text: string) => !/[\0\p{Surrogate}]/u.test(text)
const isText = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && isClean(value))
const isTextOrTexts = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))
const isHttp = (text: string) => /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text)
const isDate = (text: string, relative: boolean) =>
  readDate(text) !== undefined || (relative && readRelative(text, '2000-01-01 00:00:00') !== undefined)

const parts = (value: unknown): unknown[] =>
  typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
/** Also as a query can say it: `05`, `5.0`, `5e0`. */
const positive = (value: unknown) =>
  isText(value) &&
  /^\s*\+?\d+(\.\d*)?(e\+?\d+)?$/i.test(String(value)) &&
  Number.isSafeInteger(Number(value)) &&
  Number(value) > 0
const chosen = (field: Field, value: unknown) =>
  field.choices?.find(choice => typeof value === 'string' && choice === value.toLowerCase())

const passes = (test: (value: unknown) => boolean) => z.unknown().check(z.refine(test))
const turned = (test: (value: unknown) => boolean, turn: (value: unknown) => unknown) =>
  z.pipe(passes(test), z.transform(turn))
/** Passes what is found, and gives what it is found as. */
const found = (find: (value: unknown) => unknown) => turned(value => find(value) !== undefined, find)
const listOf = (find: (value: unknown) => unknown) =>
  found(value => {
    const list = parts(value).map(find)
    return list.length === 0 || list.includes(undefined) ? undefined : list
  })

/** The schema of what may be written, by kind. It normalises: `"true"` becomes `true`, `"3,5"` becomes `[3, 5]`. */
const write: Record<Kind, (field: Field) => Schema> = {
  text: field => turned(value => isText(value) && (!field.nonEmpty || String(value).trim() !== ''), String),
  integer: () => turned(positive, Number),
  number: () => turned(value => isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)), Number),
  boolean: () => found(value => truths.get(value)),
  choice: field => found(value => chosen(field, value)),
  choices: field => listOf(value => chosen(field, value)),
  dateTime: field => passes(value => typeof value === 'string' && isDate(value, field.relative ?? false)),
  timeZone: () => passes(value => typeof value === 'string' && (value === '' || isZone(value))),
  url: () => passes(value => typeof value === 'string' && (value === '' || isHttp(value))),
  email: () => passes(value => value === '' || z.email().safeParse(value).success),
  image: () => passes(value => positive(value) || (typeof value === 'string' && (value === '' || isHttp(value)))),
  cost: () => passes(isTextOrTexts),
  ids: () => listOf(value => (positive(value) ? Number(value) : undefined)),
  terms: () => passes(isTextOrTexts),
  posts: () => passes(value => isText(value) || (typeof value === 'object' && value !== null)),
}

const built = new WeakMap<Field, Schema>()

const schemaOf = (field: Field): Schema => {
  const known = built.get(field)
  if (known) return known
  const schema = write[field.kind](field)
  built.set(field, schema)
  return schema
}

/** A value that passed, normalised; or what was expected in its place. */
export type Checked = { ok: true; value: unknown } | { ok: false; expected: string; example: string }

/** Checks a value against a field and gives it back normalised, or says what was expected. */
export function check(field: Field, value: unknown): Checked {
  const result = schemaOf(field).safeParse(value)
  return result.success ? { ok: true, value: result.data } : { ok: false, ...wordsOfKind(field) }
}

/** Whether a text passes PHP's filter for URLs: any scheme with two slashes, in ASCII. */
export const isPhpUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(text)
