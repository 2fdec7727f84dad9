import {
  type AnswerShape,
  answerDescriptions,
  answerSchemas,
  reference,
  sharedSchemas,
} from '../../contract/answer-schemas.ts'
import { resources } from '../../contract/contract.ts'
import type { Field, Schema } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { creationFields, type Resource, requestFields } from '../../contract/resource.ts'

/** The name of a resource's schema: `Event`, `Category`. */
export const schemaName = ({ singular }: Resource): string => `${singular[0]?.toUpperCase()}${singular.slice(1)}`

/** Every schema of the document, with descriptions in a language. */
export const components = (language: Language): Schema => ({
  schemas: {
    ...Object.fromEntries(
      Object.entries(sharedSchemas).map(([name, shape]) => [name, answerSchema(shape, {}, language)]),
    ),
    ...Object.fromEntries(resources.flatMap(resource => schemasOf(resource, language))),
  },
  securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
})

const schemasOf = (resource: Resource, language: Language): [string, Schema][] => {
  const name = schemaName(resource)
  return [
    [
      name,
      {
        ...answerSchema(answerSchemas[resource.name], resource.fields, language),
        description: resource.words[language],
      },
    ],
    [`${name}List`, listSchema(resource)],
    [`New${name}`, { ...body(creationFields(resource), language), required: resource.required }],
    [`${name}Changes`, body(requestFields(resource), language)],
  ]
}

const answerSchema = (
  { properties, required }: AnswerShape,
  fields: Resource['fields'],
  language: Language,
): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const words = fields[name]?.words ?? answerDescriptions[name]
      return [name, words ? { ...schema, description: words[language] } : schema]
    }),
  ),
  required,
})

const listSchema = (resource: Resource): Schema => ({
  type: 'object',
  properties: {
    [resource.name]: { type: 'array', items: reference(schemaName(resource)), maxItems: largestPage },
    rest_url: { type: 'string' },
    next_rest_url: { type: 'string' },
    previous_rest_url: { type: 'string' },
    total: { type: 'integer', minimum: 0 },
    total_pages: { type: 'integer', minimum: 0 },
  },
  required: [resource.name, 'rest_url', 'total', 'total_pages'],
})

const body = (fields: readonly (readonly [string, Field])[], language: Language): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map(([name, field]) => [name, { ...bodySchema(field), description: field.words[language] }]),
  ),
})

/** The schema of a field or filter, with its default and an example. */
export function fieldSchema(field: Field): Schema {
  const { default: standard } = field
  return {
    ...field.kind.schema(field),
    ...(standard !== undefined && standard !== null && { default: standard }),
  }
}

/** The schema of a field in a body, where null clears what need not be filled. */
function bodySchema(field: Field): Schema {
  const schema = fieldSchema(field)
  return field.nonEmpty ? schema : { anyOf: [schema, { type: 'null' }] }
}
