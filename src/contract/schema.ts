import * as z from 'zod/mini'
import { readDate } from '../time/dates.ts'
import { isZone } from '../time/zone.ts'
import type { Field, Kind } from './field.ts'
import { wordsOfKind } from './kinds.ts'

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

const isHttp = (text: string) => URL.canParse(text) && /^https?:\/\//i.test(text)
const parts = (value: unknown): unknown[] =>
  typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
const positive = (value: unknown) => /^\d{1,15}$/.test(String(value)) && Number(value) > 0
const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

const passes = (test: (value: unknown) => boolean) => z.unknown().check(z.refine(test))
const turned = (test: (value: unknown) => boolean, turn: (value: unknown) => unknown) =>
  z.pipe(passes(test), z.transform(turn))
const listOf = (test: (value: unknown) => boolean, turn: (value: unknown) => unknown) =>
  turned(
    value => parts(value).length > 0 && parts(value).every(test),
    value => parts(value).map(turn),
  )

/** The schema of what may be written, by kind. It normalises: `"true"` becomes `true`, `"3,5"` becomes `[3, 5]`. */
const write: Record<Kind, (field: Field) => Schema> = {
  text: field => turned(value => isText(value) && (!field.filled || String(value).trim() !== ''), String),
  integer: () => turned(positive, Number),
  number: () => turned(value => isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)), Number),
  boolean: () =>
    turned(
      value => truths.has(value),
      value => truths.get(value),
    ),
  choice: field => passes(value => field.choices?.includes(String(value)) ?? false),
  choices: field => listOf(value => field.choices?.includes(String(value)) ?? false, String),
  dateTime: () => passes(value => typeof value === 'string' && readDate(value) !== undefined),
  timeZone: () => passes(value => typeof value === 'string' && (value === '' || isZone(value))),
  url: () => passes(value => typeof value === 'string' && (value === '' || isHttp(value))),
  email: () => passes(value => value === '' || z.email().safeParse(value).success),
  image: () => passes(value => positive(value) || (typeof value === 'string' && (value === '' || isHttp(value)))),
  cost: () => passes(value => isText(value) || (Array.isArray(value) && value.every(isText))),
  ids: () => listOf(positive, Number),
  terms: () => passes(value => isText(value) || (Array.isArray(value) && value.every(isText))),
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

export type Checked = { ok: true; value: unknown } | { ok: false; expected: string; example: string }

/** Checks a value against a field and gives it back normalised, or says what was expected. */
export function check(field: Field, value: unknown): Checked {
  const result = schemaOf(field).safeParse(value)
  return result.success ? { ok: true, value: result.data } : { ok: false, ...wordsOfKind(field) }
}
