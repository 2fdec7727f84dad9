import { readYesNo } from '../../base/text/yes-no.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Kind } from '../field.ts'
import { base, fieldOf } from './base-kind.ts'
import { isPlain, positiveIn } from './kind-values.ts'

/** A whole number above 0, often the ID of a record. */
const integerKind: Kind<number | null, number> = {
  ...base,
  name: 'integer',
  shape: 'number',
  placeholder: 'number',
  expected: () => phrase('a whole number above 0'),
  example: '7',
  empty: null,
  emptyColumn: null,
  isFilledIn: true,
  read: positiveIn,
  // Services answer 0 for "no record", and the IDs of users as text.
  inFile: (value, { of }) => (of && value === 0 ? undefined : value),
  schema: () => ({ type: 'integer', minimum: 1 }),
  answerSchema: () => ({ type: ['integer', 'null'], minimum: 1 }),
  written: canonical => Number(canonical) || null,
  roundTrip: ({ name, field, answer }) => field.kind.written(answer[name] ?? ''),
  isShown: (asked, { name, answer }) => Number(asked) === Number(answer[name] ?? 0),
  column: value => value,
  patched: value => Number(value ?? 0) || 0,
  unpatched: (value, { of }) => (of ? value : String(value)),
}

const numberKind: Kind<number | null, number> = {
  ...integerKind,
  name: 'number',
  expected: () => phrase('a number'),
  example: '41.38',
  isFilledIn: undefined,
  read: value =>
    isPlain(value) && String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined,
  schema: () => ({ type: 'number' }),
  answerSchema: () => ({ type: ['number', 'null'] }),
  written: canonical => (canonical === '' ? null : Number(canonical)),
  patched: base.patched,
  unpatched: base.unpatched,
}

const booleanKind: Kind<boolean> = {
  ...base,
  name: 'boolean',
  shape: 'flag',
  placeholder: 'boolean',
  expected: () => phrase('true or false'),
  example: 'true',
  empty: null,
  emptyColumn: false,
  isFilledIn: true,
  read: value => truths.get(value as string),
  asTyped: text => ({ value: String(readYesNo(text) ?? text) }),
  schema: ({ asText }) =>
    asText ? { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] } : { type: 'boolean' },
  answerSchema: () => ({ type: 'boolean' }),
  column: value => value,
  exported: ({ name, answer }) => answer[name],
  roundTrip: ({ name, field, answer: { [name]: value } }) =>
    field.asText && value !== undefined ? String(value) : value,
  patched: value => value === true || value === 'true',
}

/** What programs write for true and false. */
const truths = new Map([
  ...[true, 'true', 1, '1'].map(one => [one, true] as const),
  ...[false, 'false', 0, '0'].map(one => [one, false] as const),
])

/** Whether a value means yes or no, as people write it; undefined if it means neither. */
export const readBoolean = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : readYesNo(String(value))

export const boolean = fieldOf(booleanKind)
export const integer = fieldOf(integerKind)
export const number = fieldOf(numberKind)
