import type { Field } from './field.ts'
import type { DateComparison, DateFilter, DateTarget } from './filter.ts'
import { dateTime, integer } from './kinds/define-field.ts'
import { say, type Words } from './languages.ts'

const compared =
  (compare: DateComparison) =>
  <T extends DateTarget>(target: T, words: Words): DateFilter<T> => ({
    ...dateTime(words, { relative: true }),
    compare,
    target,
  })

/** Filters of events by a date; `after('start_date', …)` keeps the events that start after it. */
export const from = compared('from')
export const until = compared('until')
export const after = compared('after')
export const before = compared('before')

/** The parameters that every list has. */
export const paging = {
  page: integer(say('Pàgina que es vol', 'Page to return', 'Página que se quiere'), { default: 1 }),
  per_page: integer(say('Registres per pàgina', 'Records per page', 'Registros por página'), { default: 30 }),
} as const satisfies Record<string, Field>
