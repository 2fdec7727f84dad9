import { reference, type Schema } from '../../contract/answers.ts'
import type { Field, Kind } from '../../contract/field.ts'
import { wordsOfKind } from '../../contract/kinds.ts'

/** The JSON Schema of what may be written or asked for, by kind. */
const schemas: Record<Kind, (field: Field) => Schema> = {
  text: ({ nonEmpty }) => ({ type: 'string', ...(nonEmpty && { minLength: 1 }) }),
  integer: () => positive,
  number: () => ({ type: 'number' }),
  boolean: ({ asText }) =>
    asText ? { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] } : { type: 'boolean' },
  choice: ({ choices }) => ({ type: 'string', enum: choices }),
  choices: ({ choices }) => ({ type: 'array', items: { type: 'string', enum: choices } }),
  dateTime: () => ({ type: 'string' }),
  timeZone: () => ({ type: 'string' }),
  url: () => ({ type: 'string' }),
  email: () => ({ type: 'string' }),
  image: () => ({ type: ['integer', 'string'] }),
  cost: () => ({ type: ['string', 'number', 'array'] }),
  ids: () => ({ type: 'array', items: positive }),
  terms: () => ({ type: 'array', items: { type: ['integer', 'string'] } }),
  posts: field => ({
    oneOf: [positive, inline(field), { type: 'array', items: { oneOf: [positive, inline(field)] } }],
  }),
}

const positive = { type: 'integer', minimum: 1 }

const inline = ({ of }: Field): Schema => reference(of === 'venues' ? 'NewVenue' : 'NewOrganizer')

/** The schema of a field or filter, with its default and an example. */
export function fieldSchema(field: Field): Schema {
  const { default: standard } = field
  return {
    ...schemas[field.kind](field),
    ...(standard !== undefined && standard !== null && { default: standard }),
    ...(field.kind === 'dateTime' && { examples: [wordsOfKind(field).example] }),
  }
}

/** The schema of a field in a body, where null clears what need not be filled. */
export function bodySchema(field: Field): Schema {
  const schema = fieldSchema(field)
  return field.nonEmpty ? schema : { anyOf: [schema, { type: 'null' }] }
}
