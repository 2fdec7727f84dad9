import { isZone } from '../../time/zone.ts'
import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'

const timeZoneKind = defineKind<string>({
  name: 'timeZone',
  words: { placeholder: 'zone', expected: 'a time zone', example: 'Europe/Madrid' },
  read: value => (typeof value === 'string' && (value === '' || isZone(value)) ? value : undefined),
  blank: '',
})

export const timeZone = fieldOf(timeZoneKind)
