import type { Fields } from '../../src/contract/field.ts'
import { type Filters, filter } from '../../src/contract/filter.ts'
import { choice } from '../../src/contract/kinds/choice-kinds.ts'
import { cost } from '../../src/contract/kinds/cost-kind.ts'
import { dateTime } from '../../src/contract/kinds/date-kind.ts'
import { image } from '../../src/contract/kinds/image-kind.ts'
import { choices } from '../../src/contract/kinds/link-kinds.ts'
import { boolean, integer, number } from '../../src/contract/kinds/number-kinds.ts'
import { email, text, timeZone, url } from '../../src/contract/kinds/text-kinds.ts'
import { say } from '../../src/contract/languages.ts'

const words = say('Inventat', 'Made up', 'Inventado')
const colors = ['red', 'green', 'blue']

/** A field of every kind except links, each as it would be written in the contract. */
export const madeUpFields = {
  made_text: text(words),
  made_integer: integer(words),
  made_number: number(words),
  made_zero: number(words),
  made_flag: boolean(words),
  made_choice: choice(words, colors),
  made_choices: choices(words, colors),
  made_zone: timeZone(words),
  made_url: url(words),
  made_email: email(words),
  made_cost: cost(words),
  made_date: dateTime(words),
} satisfies Fields

/** The value of a new record, and the value after an update. */
export const madeUpValues: Readonly<Record<keyof typeof madeUpFields, readonly [first: unknown, second: unknown]>> = {
  made_text: ['Un', 'Dos & més'],
  made_integer: [3, 4],
  made_number: [1.5, -2],
  made_zero: [2, 0],
  made_flag: [true, false],
  made_choice: ['red', 'blue'],
  made_choices: [['red'], ['green', 'blue']],
  made_zone: ['Europe/Madrid', 'UTC'],
  made_url: ['https://example.org/one', 'https://example.org/two?a=1'],
  made_email: ['one@example.org', 'two@example.org'],
  made_cost: ['15 €', '20 €'],
  made_date: ['2026-12-05 19:00:00', '2027-01-01 08:30:00'],
}

/** A filter that compares like an existing one. */
const madeUpFilters = {
  made_text: filter('equals', text(words), { target: 'made_text' }),
  made_flag: filter('equals', boolean(words), { target: 'made_flag' }),
  made_number: filter('equals', number(words), { target: 'made_number' }),
} satisfies Filters

/** A resource with one additional line for each made-up field and filter. */
export const withMadeUp = <R extends { readonly fields: Fields; readonly filters: Filters }>(resource: R): R => ({
  ...resource,
  fields: { ...resource.fields, ...madeUpFields, made_image: image(words) },
  filters: { ...resource.filters, ...madeUpFilters },
})
