import { missingDay, readDate } from '../../time/dates.ts'
import { readRelative } from '../../time/durations.ts'
import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'

const isDate = (text: string, isRelative: boolean) =>
  readDate(text) !== undefined || (isRelative && readRelative(text, '2000-01-01 00:00:00') !== undefined)

export const dateTimeKind = defineKind<string>({
  name: 'dateTime',
  words: ({ relative }) => ({
    placeholder: 'date',
    expected: relative
      ? 'a date as YYYY-MM-DD or YYYY-MM-DD HH:MM, or words such as tomorrow or +1 week'
      : 'a date and time',
    example: '2026-12-05 19:00',
  }),
  mistakeIn(value) {
    const daysOfMonth = missingDay(String(value))
    return daysOfMonth && `a day that exists (${daysOfMonth})`
  },
  read: (value, { relative = false }) => (typeof value === 'string' && isDate(value, relative) ? value : undefined),
  blank: '',
})

export const dateTime = fieldOf(dateTimeKind)
