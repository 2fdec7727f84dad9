import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'
import { isTextOrTexts } from './text.ts'

const costKind = defineKind<string>({
  name: 'cost',
  words: { placeholder: 'cost', expected: 'a cost', example: '15 €' },
  read: value => (isTextOrTexts(value) ? value : undefined),
  empty: '',
  blank: '',
})

export const cost = fieldOf(costKind)
