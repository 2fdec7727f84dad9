import Module from 'node:module'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import openapiTypes from 'openapi-typescript'

/**
 * The types of records, new records, changes and filters, made of the OpenAPI document of the contract: with `options` of esbuild, the
 * source of a module of types.
 */
export async function recordTypes(root, options) {
  const contents = `
    export { answerDescription, fieldSchema, schemaName } from './src/service/api-description.ts'
    export { routes } from './src/service/routes.ts'
    export { resourceNamed, resources } from './src/contract/contract.ts'`
  const { outputFiles } = await esbuild.build({ ...options, stdin: { contents, resolveDir: root }, write: false })
  const built = new Module(join(root, 'record-types.cjs'))
  built.paths = Module._nodeModulePaths(root)
  built._compile(outputFiles[0].text, join(root, 'record-types.cjs'))
  const { answerDescription, fieldSchema, resourceNamed, resources, routes, schemaName } = built.exports
  const context = { baseUrl: '', namespace: 'calendar/events/v1', language: 'en', store: { site: { language: 'en' } } }
  const document = structuredClone(answerDescription(context, routes).body)
  document.paths = onlyLists(document.paths)
  const { schemas } = document.components
  for (const resource of resources) {
    const name = schemaName(resource)
    describe(schemas[name].properties, resource.fields)
    for (const written of [schemas[`New${name}`], schemas[`${name}Changes`]]) {
      for (const [key, field] of Object.entries(resource.fields).filter(([, { site }]) => site?.onlyBy === 'patch'))
        written.properties[key] = { anyOf: [fieldSchema(field), { type: 'null' }], description: field.words.en }
      describe(written.properties, resource.fields)
      for (const [key, field] of Object.entries(resource.fields).filter(([, { kind }]) => kind.shape === 'links'))
        written.properties[key] = linkProperty(field, `New${schemaName(resourceNamed(field.of))}`)
    }
  }
  return openapiTypes(document)
}

/**
 * A link in what a program writes: each form that its kind reads, alone or in a list. The API takes fewer, because it is the client that
 * looks up names, and takes a record for its ID.
 */
function linkProperty({ kind, words, multiple }, newRecord) {
  const forms = [
    [1, { type: 'integer' }],
    ['casal', { type: 'string' }],
    [{ id: 1 }, { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }],
    [{ venue: 'Casal', organizer: 'Casal' }, { $ref: `#/components/schemas/${newRecord}` }],
  ]
  const oneOf = forms.filter(([value]) => kind.read(value, {}) !== undefined).map(([, schema]) => schema)
  const record = oneOf.length > 2 ? ', a record with its ID, or a new one' : ''
  return {
    anyOf: [{ oneOf }, { type: 'array', items: { oneOf } }, { type: 'null' }],
    description: `${words.en.replace(/:.*/, '')}: an ID, a slug or a name${record}${multiple === false ? '' : '; or several'}`,
  }
}

/** The paths of lists: types of filters are made of their parameters. */
const onlyLists = paths =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, { get }]) => (get.operationId.startsWith('list') ? [[path, { get }]] : [])),
  )

/** Says of each property what its values are, with time zones. */
function describe(properties, fields) {
  for (const [name, property] of Object.entries(properties)) {
    const expected = expectedOf(name, fields[name])
    if (expected !== '' && !property.description.includes(expected)) property.description += `: ${expected}`
  }
}

function expectedOf(name, field) {
  if (!field) return ''
  if (field.kind.shape !== 'moment') return field.kind.expected(field)
  return `YYYY-MM-DD HH:MM:SS ${name.endsWith('utc') ? 'in UTC' : 'in the time zone of the event'}`
}
