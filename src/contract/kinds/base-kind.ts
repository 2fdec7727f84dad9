import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { isBlank } from '../../base/text/match-key.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Allowed, Field, FieldExtra, Kind, Schema, Shown, Storing } from '../field.ts'
import type { Words } from '../languages.ts'
import { isPlain } from './kind-values.ts'
import { isRenderingOf } from './rendered-text.ts'

/** A value stored as one text. The other kinds override what differs. */
export const base = {
  name: 'text',
  shape: 'prose',
  placeholder: 'text',
  expected: ({ nonEmpty }: Allowed): string => (nonEmpty ? phrase('text that is not blank') : phrase('text')),
  example: 'Concert',
  empty: '',
  emptyColumn: '',
  text: (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value)),
  read: (value: unknown, { nonEmpty }: Allowed): unknown =>
    isPlain(value) && !(nonEmpty && isBlank(String(value), nonEmpty === 'name')) ? String(value) : undefined,
  inFile: (value: unknown, _field: Field): unknown => value,
  schema: ({ nonEmpty }: Field): Schema => (nonEmpty ? { type: 'string', minLength: 1 } : { type: 'string' }),
  answerSchema: (_field: Field): Schema => ({ type: 'string' }),
  canonical: (answered: unknown, _field: Field): unknown => answered ?? '',
  written: (canonical: unknown): unknown => (typeof canonical === 'string' ? decodeEntities(canonical) : canonical),
  isShown: (asked: unknown, { name, answer }: Shown): boolean =>
    isRenderingOf(String(answer[name] ?? ''), String(asked)),
  roundTrip: ({ name, answer }: Shown): unknown => answer[name],
  exported: (shown: Shown): unknown => shown.field.kind.roundTrip(shown),
  column: (value: unknown, { nonEmpty }: Field, _name: string, _storing: Storing): unknown =>
    nonEmpty ? String(value).trim() : value,
  isPatchable: (_value: unknown): boolean => true,
  patched: (value: unknown, _field: Field): unknown => String(value ?? ''),
  unpatched: (value: unknown, _field: Field): unknown => value,
} as const satisfies Kind

export const word = { ...base, shape: 'word', isSentAsText: true, column: (value: unknown) => value } as const

/**
 * Makes fields of a kind: `text(say('Població', 'City', 'Población'))`. Their properties are kept in their type, because the types
 * of columns and values depend on them.
 */
export const fieldOf =
  <K extends Kind<unknown, unknown>>(kind: K) =>
  <const E extends FieldExtra = object>(words: Words, extra?: E): Field & { kind: K } & E =>
    ({ kind, words, ...extra }) as Field & { kind: K } & E
