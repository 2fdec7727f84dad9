import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'
import { isText } from './text.ts'

/** Also as a query can write it: `05`, `5.0`, `5e0`. */
export function readPositive(value: unknown): number | undefined {
  if (!isText(value) || !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?$/i.test(String(value))) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export const integerKind = defineKind<number, number | null>({
  name: 'integer',
  words: { placeholder: 'number', expected: 'a whole number above 0', example: '7' },
  read: readPositive,
  blank: null,
})

const numberKind = defineKind<number, number | null>({
  name: 'number',
  words: { placeholder: 'number', expected: 'a number', example: '41.38' },
  read: value =>
    isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined,
  blank: null,
})

export const integer = fieldOf(integerKind)
export const number = fieldOf(numberKind)
