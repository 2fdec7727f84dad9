import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'

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

/** The value of a field that is true or false; undefined for anything else. */
export const readBoolean = (value: unknown): boolean | undefined => truths.get(value)

const booleanKind = defineKind<boolean>({
  name: 'boolean',
  words: { placeholder: 'boolean', expected: 'true or false', example: 'true' },
  read: readBoolean,
  blank: false,
})

export const boolean = fieldOf(booleanKind)
