import { type Field, fieldOf, type ResourceName } from '../field.ts'
import type { Words } from '../languages.ts'
import { readList } from './choice.ts'
import { defineKind } from './define-kind.ts'
import { readPositive } from './number.ts'
import { isText, isTextOrTexts } from './text.ts'

export const idsKind = defineKind<number[]>({
  name: 'ids',
  words: { placeholder: 'ids', expected: 'one or more IDs, comma-separated', example: '3,5' },
  read: value => readList(value, readPositive),
  blank: [],
})

const termsKind = defineKind<(number | string)[], number[]>({
  name: 'terms',
  words: { placeholder: 'terms', expected: 'IDs, slugs or names, comma-separated', example: '3,jazz' },
  read: value => (isTextOrTexts(value) ? value : undefined),
  empty: [],
  blank: [],
})

const postsKind = defineKind<(number | Readonly<Record<string, unknown>>)[], number[]>({
  name: 'posts',
  words: { placeholder: 'id|json', expected: 'an ID, or a JSON object', example: '7' },
  read: value => (isText(value) || (typeof value === 'object' && value !== null) ? value : undefined),
  empty: [],
  blank: [],
})

type Extra = Omit<Partial<Field>, 'kind' | 'words'>

export const ids = fieldOf(idsKind)

/** Categories or tags: ids, slugs or names. */
export const terms = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(termsKind)(words, { of, ...extra } as E)

/** Venues or organizers: ids, or inline records. */
export const posts = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(postsKind)(words, { of, ...extra } as E)
