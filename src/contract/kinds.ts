import { missingDay, readDate } from '../time/dates.ts'
import { readRelative } from '../time/durations.ts'
import { isZone } from '../time/zone.ts'
import type { Field, Kind } from './field.ts'

/** A kind of value: how it looks, and how it is read. */
interface KindRules {
  /** How an option shows its value, between angle brackets. */
  readonly placeholder: string
  /** Completes the sentence "expected …". */
  readonly expected: string
  readonly example: string
  /**
   * The value in the form in which services take it: `"true"` as `true`, `"3,5"` as `[3, 5]`. Undefined for one of
   * another kind.
   */
  readonly read: (value: unknown, field: Field) => unknown
}

/**
 * Plain functions and not zod: a value is one scalar or one list, every kind brings it into a form of its own, and its error
 * comes from `expected`, so zod would only wrap these functions. It reads what is nested: configuration and saved plans.
 */
const kinds: Record<Kind, KindRules> = {
  text: {
    placeholder: 'text',
    expected: 'text',
    example: 'Concert',
    read: (value, { nonEmpty }) =>
      isText(value) && !(nonEmpty && String(value).trim() === '') ? String(value) : undefined,
  },
  integer: {
    placeholder: 'number',
    expected: 'a whole number above 0',
    example: '7',
    read: readPositive,
  },
  number: {
    placeholder: 'number',
    expected: 'a number',
    example: '41.38',
    read: value =>
      isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined,
  },
  boolean: {
    placeholder: 'boolean',
    expected: 'true or false',
    example: 'true',
    read: readBoolean,
  },
  choice: {
    placeholder: 'word',
    expected: 'one of the listed words',
    example: 'draft',
    read: readChoice,
  },
  choices: {
    placeholder: 'words',
    expected: 'one or more of the listed words, comma-separated',
    example: 'publish,draft',
    read: (value, field) => readList(value, part => readChoice(part, field)),
  },
  dateTime: {
    placeholder: 'date',
    expected: 'a date and time',
    example: '2026-12-05 19:00',
    read: only((value, { relative }) => typeof value === 'string' && isDate(value, relative ?? false)),
  },
  timeZone: {
    placeholder: 'zone',
    expected: 'a time zone',
    example: 'Europe/Madrid',
    read: only(value => typeof value === 'string' && (value === '' || isZone(value))),
  },
  url: {
    placeholder: 'url',
    expected: 'an http or https URL',
    example: 'https://example.org/',
    read: only(value => value === '' || isHttp(value)),
  },
  email: {
    placeholder: 'email',
    expected: 'an e-mail address',
    example: 'info@example.org',
    read: only(value => typeof value === 'string' && (value === '' || emailAddress.test(value))),
  },
  image: {
    placeholder: 'id|url|file',
    expected: 'an image: an ID or an http or https URL',
    example: '12',
    read: only(value => value === '' || isHttp(value) || readPositive(value) !== undefined),
  },
  cost: {
    placeholder: 'cost',
    expected: 'a cost',
    example: '15 €',
    read: only(isTextOrTexts),
  },
  ids: {
    placeholder: 'ids',
    expected: 'one or more IDs, comma-separated',
    example: '3,5',
    read: value => readList(value, readPositive),
  },
  terms: {
    placeholder: 'terms',
    expected: 'IDs, slugs or names, comma-separated',
    example: '3,jazz',
    read: only(isTextOrTexts),
  },
  posts: {
    placeholder: 'id|json',
    expected: 'an ID, or a JSON object',
    example: '7',
    read: only(value => isText(value) || (typeof value === 'object' && value !== null)),
  },
}

/** A value in the form of its kind, or what was expected in its place. */
export type CheckedValue = { ok: true; value: unknown } | { ok: false; expected: string; example: string }

/** Checks a value against a field and gives it back normalized, or says what was expected. */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const read = kinds[field.kind].read(value, field)
  if (read !== undefined) return { ok: true, value: read }
  const daysOfMonth = field.kind === 'dateTime' ? missingDay(String(value)) : undefined
  const { expected, example } = wordsOfKind(field)
  return { ok: false, expected: daysOfMonth ? `a day that exists (${daysOfMonth})` : expected, example }
}

/** How a field's value looks, for help and for messages. */
export function wordsOfKind(field: Field): Omit<KindRules, 'read'> {
  const { read: _, ...words } = kinds[field.kind]
  if (field.choices)
    return {
      ...words,
      expected: `${field.kind === 'choice' ? 'one' : 'one or more'} of ${field.choices.join(', ')}`,
      example: field.choices[0] ?? '',
    }
  if (field.relative)
    return { ...words, expected: 'a date as YYYY-MM-DD or YYYY-MM-DD HH:MM, or words such as tomorrow or +1 week' }
  const { example = words.example } = field
  return field.kind === 'text' && field.nonEmpty ? { ...words, expected: 'text that is not blank', example } : words
}

/** The value that clears an optional field. */
export function emptyValue({ kind }: Field): unknown {
  if (kind === 'terms' || kind === 'posts') return []
  return kind === 'text' || kind === 'url' || kind === 'email' || kind === 'cost' ? '' : null
}

/** NUL and lone surrogates have no place in a file of UTF-8 text. */
export const isClean = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

/** The value of a field that is true or false; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
  return truths.get(value)
}

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

/** The address that zod's `email()` takes: ASCII, with a domain of at least two labels. */
const emailAddress =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** Takes the values that pass a test, as they are. */
function only(test: (value: unknown, field: Field) => boolean): KindRules['read'] {
  return (value, field) => (test(value, field) ? value : undefined)
}

function isText(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && isClean(value))
}

function isTextOrTexts(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.every(isText))
}

const isHttp = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(value) && URL.canParse(value)

const isDate = (text: string, relative: boolean) =>
  readDate(text) !== undefined || (relative && readRelative(text, '2000-01-01 00:00:00') !== undefined)

/** Also as a query can write it: `05`, `5.0`, `5e0`. */
function readPositive(value: unknown): number | undefined {
  if (!isText(value) || !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?$/i.test(String(value))) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function readChoice(value: unknown, { choices }: Field): string | undefined {
  return typeof value === 'string' ? choices?.find(choice => choice === value.toLowerCase()) : undefined
}

/** A list, or a text with commas, in which every part can be read. */
function readList(value: unknown, read: (part: unknown) => unknown): unknown[] | undefined {
  const parts = typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
  const list = parts.map(read)
  return list.length === 0 || list.includes(undefined) ? undefined : list
}

/** Whether this passes PHP's filter for URLs: any scheme with two slashes, in ASCII. */
export const isPhpUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(text)
