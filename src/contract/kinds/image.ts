import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'
import { readPositive } from './number.ts'
import { isHttp } from './web-address.ts'

const imageKind = defineKind<number | string, number | null>({
  name: 'image',
  words: { placeholder: 'id|url|file', expected: 'an image: an ID or an http or https URL', example: '12' },
  read: value => (value === '' || isHttp(value) || readPositive(value) !== undefined ? value : undefined),
  blank: null,
})

export const image = fieldOf(imageKind)
