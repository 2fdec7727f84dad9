import type { Fields, Kind } from '../src/contract/field.ts'
import { fieldOf } from '../src/contract/field.ts'
import { type Filters, filter } from '../src/contract/filter.ts'
import { base } from '../src/contract/kinds/text-kinds.ts'
import { say } from '../src/contract/languages.ts'

const names: Readonly<Record<string, string>> = { red: '#ff0000', green: '#00ff00', blue: '#0000ff' }

/** A color, by its name or as `#ff8800`. Services keep it in capitals, and show it so. */
const color: Kind<string> = {
  ...base,
  name: 'color',
  shape: 'word',
  placeholder: 'color',
  expected: () => 'a color',
  example: 'red',
  read(value) {
    const text = String(value).toLowerCase()
    return names[text] ?? (/^(#[\da-f]{6})?$/.test(text) ? text : undefined)
  },
  schema: () => ({ type: 'string', format: 'color' }),
  answerSchema: () => ({ type: 'string', format: 'color' }),
  canonical: answered => String(answered ?? '').toLowerCase(),
  isShown: (asked, { name, answer }) => String(asked) === String(answer[name] ?? '').toLowerCase(),
  column: value => String(value).toUpperCase(),
}

const words = say('Inventat', 'Made up', 'Inventado')
const madeColor = fieldOf(color)

/** A resource with a field and a filter of this kind. */
export const withColor = <R extends { readonly fields: Fields; readonly filters: Filters }>(resource: R): R => ({
  ...resource,
  fields: { ...resource.fields, made_color: madeColor(words) },
  filters: { ...resource.filters, made_color: filter('equals', madeColor(words), { target: 'made_color' }) },
})
