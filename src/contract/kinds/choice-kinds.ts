import { phrase } from '../../base/words/phrase.ts'
import type { FieldExtra, Kind } from '../field.ts'
import type { Words } from '../languages.ts'
import { choiceList } from '../post-status.ts'
import { fieldOf, word } from './base-kind.ts'
import { choiceIn } from './kind-values.ts'

const choiceKind: Kind<string | null, string> = {
  ...word,
  name: 'choice',
  placeholder: 'word',
  expected: ({ choices }) => phrase('one of {choices}', { choices: choiceList(choices) }),
  example: 'draft',
  empty: null,
  emptyColumn: null,
  isFilledIn: true,
  read: choiceIn,
  schema: ({ choices }) => ({ type: 'string', enum: choices }),
  answerSchema: ({ choices = [] }) => ({ type: ['string', 'null'], enum: [...choices, null] }),
}

/** One of a few words, or none. Sites store other texts as well. */
const markKind: Kind<string> = {
  ...word,
  name: 'mark',
  placeholder: 'word',
  expected: ({ choices }) => phrase('one of {choices}, or nothing', { choices: choiceList(choices) }),
  example: 'canceled',
  read: (value, field) => (value === '' || value === null ? '' : choiceIn(value, field)),
  schema: ({ choices = [] }) => ({ type: 'string', enum: ['', ...choices] }),
}

export const mark = <const E extends FieldExtra = object>(words: Words, choices: readonly string[], extra?: E) =>
  fieldOf(markKind)(words, { choices, ...extra } as E)

export const choice = <const E extends FieldExtra = object>(words: Words, choices: readonly string[], extra?: E) =>
  fieldOf(choiceKind)(words, { choices, ...extra } as E)
