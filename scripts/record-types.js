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
    export { answerDescription, schemaName } from './src/service/api-description.ts'
    export { routes } from './src/service/routes.ts'
    export { resources } from './src/contract/contract.ts'`
  const { outputFiles } = await esbuild.build({ ...options, stdin: { contents, resolveDir: root }, write: false })
  const built = new Module(join(root, 'record-types.cjs'))
  built.paths = Module._nodeModulePaths(root)
  built._compile(outputFiles[0].text, join(root, 'record-types.cjs'))
  const { answerDescription, resources, routes, schemaName } = built.exports
  const context = { baseUrl: '', namespace: 'calendar/events/v1', language: 'en', store: { site: { language: 'en' } } }
  const document = structuredClone(answerDescription(context, routes).body)
  document.paths = onlyLists(document.paths)
  for (const resource of resources)
    for (const name of [schemaName(resource), `New${schemaName(resource)}`, `${schemaName(resource)}Changes`])
      describe(document.components.schemas[name].properties, resource.fields)
  return openapiTypes(document)
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
