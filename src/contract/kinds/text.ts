import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'

/** NUL and lone surrogates have no place in a file of UTF-8 text. */
export const isClean = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

export const isText = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && isClean(value))

export const isTextOrTexts = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText))

export const textKind = defineKind<string>({
  name: 'text',
  words: ({ nonEmpty }) => ({
    placeholder: 'text',
    expected: nonEmpty ? 'text that is not blank' : 'text',
    example: 'Concert',
  }),
  read: (value, { nonEmpty }) =>
    isText(value) && !(nonEmpty && String(value).trim() === '') ? String(value) : undefined,
  empty: '',
  blank: '',
})

export const text = fieldOf(textKind)
