import { isObject } from '../../src/base/text/json.ts'
import type { Fields, Kind } from '../../src/contract/field.ts'
import { type Filters, filter } from '../../src/contract/filter.ts'
import { base, fieldOf } from '../../src/contract/kinds/base-kind.ts'
import { say } from '../../src/contract/languages.ts'

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

interface Size {
  readonly width: number
  readonly height: number
}

const sizeIn = (value: unknown): Size | undefined => {
  if (isObject(value)) return { width: Number(value.width), height: Number(value.height) }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(value)) ?? []
  return width === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** What two numbers make, typed as `40x30` and answered as an object. */
const size: Kind<Size | null, Size> = {
  ...base,
  name: 'size',
  shape: 'word',
  placeholder: 'size',
  expected: () => 'a size',
  example: '40x30',
  empty: null,
  emptyColumn: null,
  text(value) {
    const { width, height } = sizeIn(value) ?? {}
    return `${width}x${height}`
  },
  read: sizeIn,
  schema: () => ({ type: 'object', format: 'size' }),
  answerSchema: () => ({ type: ['object', 'null'], format: 'size' }),
  isShown: (asked, { name, answer: { [name]: shown } }) => JSON.stringify(sizeIn(asked)) === JSON.stringify(shown),
  column: value => value,
}

const words = say('Inventat', 'Made up', 'Inventado')

/** A resource with a field and a filter of a kind. */
export const withKinds = <R extends { readonly fields: Fields; readonly filters: Filters }>(resource: R): R => ({
  ...resource,
  fields: { ...resource.fields, made_color: fieldOf(color)(words), made_size: fieldOf(size)(words) },
  filters: { ...resource.filters, made_color: filter('equals', fieldOf(color)(words), { target: 'made_color' }) },
})
