/**
 * What the API says about itself, made from the contract and the routes: `/doc`, an OpenAPI document; and the indexes of the site and
 * of the namespace, as WordPress has them.
 */

import { offsetAt } from '../base/time/zone.ts'
import {
  type AnswerShape,
  answerDescriptions,
  answerSchemas,
  reference,
  sharedSchemas,
} from '../contract/answer-schemas.ts'
import { resources } from '../contract/contract.ts'
import type { Field, Schema } from '../contract/field.ts'
import { largestPage } from '../contract/filter.ts'
import { type Language, say, type Words } from '../contract/languages.ts'
import { creationFields, type Resource, requestFields } from '../contract/resource.ts'
import { siteWall } from './comparisons.ts'
import { controlPaths } from './control-description.ts'
import type { Context, HandlerResult, Method, Operation } from './dialect.ts'
import { type Endpoint, methodsOf, type Route } from './endpoints.ts'
import { apiRoot } from './render/addresses.ts'
import type { Site } from './store/rows.ts'

const title = say('API del calendari d’esdeveniments', 'Events calendar API', 'API del calendario de eventos')
const description = say(
  'Esdeveniments, llocs, organitzadors, categories i etiquetes d’un calendari.',
  'Events, venues, organizers, categories and tags of a calendar.',
  'Eventos, lugares, organizadores, categorías y etiquetas de un calendario.',
)

/** GET on the description of the API: an OpenAPI document made from the contract, in the language of the request. */
export const answerDescription = (
  { baseUrl, namespace, language, store, hasControl }: Context,
  routes: readonly Route[],
): HandlerResult => ({
  status: 200,
  body: {
    openapi: '3.1.0',
    info: { title: title[language], description: description[language], version: '1.0.0' },
    servers: [{ url: language === store.site.language ? baseUrl : `${baseUrl}/${language}` }],
    tags: resources.map(({ name, words }) => ({ name, description: words[language] })),
    paths: { ...paths(routes, namespace, language), ...(hasControl && controlPaths(baseUrl, language)) },
    components: components(language),
  },
})

const verbWords: Record<Operation, Words> = {
  discovery: say('Rutes de l’API', 'Routes of the API', 'Rutas de la API'),
  doc: say('Aquest document', 'This document', 'Este documento'),
  list: say('Llista', 'List', 'Lista'),
  create: say('Crea', 'Create', 'Crear'),
  get: say('Llegeix', 'Read', 'Leer'),
  update: say('Modifica', 'Update', 'Modificar'),
  remove: say('Esborra', 'Delete', 'Borrar'),
}

const responseText = say('La resposta', 'The answer', 'La respuesta')

/** What each refusal is about. */
const refusals: Readonly<Record<string, Words>> = {
  400: say('Paràmetres incorrectes o que falten', 'Wrong or missing parameters', 'Parámetros incorrectos o que faltan'),
  401: say(
    'Credencials incorrectes o que falten',
    'Wrong or missing credentials',
    'Credenciales incorrectas o que faltan',
  ),
  403: say('No és per a qui ho demana', 'Not allowed for this caller', 'No es para quien lo pide'),
  404: say('No existeix', 'Does not exist', 'No existe'),
  410: say('És a la paperera', 'Is in the trash', 'Está en la papelera'),
}

/** The statuses that a verb may refuse with, in addition to those for parameters and credentials. */
const refusing: Record<Operation, readonly number[]> = {
  discovery: [],
  doc: [],
  list: [404],
  create: [403],
  get: [403, 404],
  update: [403, 404, 410],
  remove: [403, 404, 410],
}

/** Every path of the API below its namespace, with descriptions in a language. */
const paths = (routes: readonly Route[], namespace: string, language: Language): Schema =>
  Object.fromEntries(routes.map(route => [`/${namespace}${route.path}`, pathItem(route, language)]))

const pathItem = (route: Route, language: Language): Schema => ({
  ...(Object.keys(route.key).length > 0 && {
    parameters: Object.entries(route.key).map(([name, field]) => parameter('path', name, field, language)),
  }),
  ...Object.fromEntries(
    route.endpoints.flatMap(endpoint =>
      endpoint.methods.map(method => [method.toLowerCase(), operation(route, endpoint, method, language)]),
    ),
  ),
})

function operation({ path, resource, key }: Route, { verb, args }: Endpoint, method: Method, language: Language) {
  const isWrite = verb === 'create' || verb === 'update'
  const inQuery = Object.entries(args).filter(([name]) => !isWrite || name === 'lang_code')
  const name = resource ? schemaName(resource) : ''
  const summary = verbWords[verb][language]
  return {
    operationId: [verb, name, 'slug' in key && 'BySlug', verb === 'update' && method !== 'POST' && method]
      .filter(Boolean)
      .join(''),
    summary: resource ? `${resource.words[language]}: ${summary.toLowerCase()}` : summary,
    ...(resource && { tags: [resource.name] }),
    parameters: inQuery
      .filter(([name]) => !path.includes(`{${name}}`))
      .map(([name, field]) => parameter('query', name, field, language)),
    ...(resource &&
      isWrite && { requestBody: requestBody(verb === 'create' ? `New${name}` : `${name}Changes`, verb === 'create') }),
    responses: responses(verb, resource, language),
    security: [{}, { basic: [] }],
  }
}

/** Lists are given with commas, as everywhere in the API. */
const parameter = (place: 'path' | 'query', name: string, field: Field, language: Language): Schema => {
  const schema = fieldSchema(field)
  return {
    name,
    in: place,
    required: place === 'path',
    description: field.words[language],
    schema,
    ...(schema.type === 'array' && { style: 'form', explode: false }),
  }
}

const requestBody = (name: string, required: boolean): Schema => ({
  required,
  content: {
    'application/json': { schema: reference(name) },
    'application/x-www-form-urlencoded': { schema: reference(name) },
  },
})

function responses(verb: Operation, resource: Resource | undefined, language: Language): Schema {
  const success = { description: responseText[language], ...headers(verb), content: json(answerOf(verb, resource)) }
  const refused = [400, 401, ...refusing[verb]].map(status => [
    status,
    { description: refusals[status]?.[language] ?? '', content: json(reference('Error')) },
  ])
  return { [verb === 'create' ? 201 : 200]: success, ...Object.fromEntries(refused) }
}

const answerOf = (verb: Operation, resource: Resource | undefined): Schema => {
  if (!resource) return { type: 'object' }
  return reference(verb === 'list' ? `${schemaName(resource)}List` : schemaName(resource))
}

const json = (schema: Schema): Schema => ({ 'application/json': { schema } })

const headers = (verb: Operation): Schema =>
  verb === 'list'
    ? {
        headers: {
          'X-TEC-Total': { schema: { type: 'integer' } },
          'X-TEC-TotalPages': { schema: { type: 'integer' } },
        },
      }
    : {}

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

/** GET at the root of all APIs: the part of WordPress's answer that clients of calctl use. */
export function siteIndex(
  { timezone }: Site,
  baseUrl: string,
  now: Date,
  namespaces: readonly string[],
): HandlerResult {
  const home = baseUrl.replace(/\/wp-json$/, '')
  return {
    status: 200,
    body: {
      name: 'calctl',
      url: home,
      home,
      gmt_offset: String(offsetAt(now.getTime(), timezone) / 3_600_000),
      // WordPress has no name for `UTC+2`.
      timezone_string: /^UTC[+-]/.test(timezone) ? '' : timezone,
      namespaces,
      // Every user's password is an application password here.
      ...(namespaces.includes('wp/v2') && {
        authentication: {
          'application-passwords': { endpoints: { authorization: `${home}/wp-admin/authorize-application.php` } },
        },
      }),
    },
  }
}

/** GET on the namespace: all routes. */
export const describeApi = (context: Context, routes: readonly Route[]): HandlerResult => ({
  status: 200,
  body: {
    namespace: context.namespace,
    routes: Object.fromEntries(
      routes.map(route => [`/${context.namespace}${pattern(route)}`, routeDescription(context, route)]),
    ),
    _links: { self: [{ href: apiRoot(context, context.language) }] },
  },
})

/** OPTIONS on a route. */
export const describeRoute = (context: Context, route: Route): HandlerResult => ({
  status: 200,
  body: routeDescription(context, route),
})

const patterns: Readonly<Record<string, string>> = { id: '\\d+', slug: '[^/]+' }

/** A path as discovery writes it: `/events/(?P<id>\d+)`. */
const pattern = ({ path }: Route): string => path.replace(/\{(\w+)\}/g, (_, name) => `(?P<${name}>${patterns[name]})`)

function routeDescription(context: Context, route: Route): object {
  const isPattern = route.path.includes('{')
  return {
    namespace: context.namespace,
    methods: methodsOf(route),
    endpoints: route.endpoints.map(endpoint => ({
      methods: endpoint.methods,
      args: Object.fromEntries(
        Object.entries({ ...route.key, ...endpoint.args }).map(([name, field]) => [
          name,
          {
            ...argument(context, endpoint, name, field),
            required: endpoint.required.includes(name) || (name in route.key && endpoint.args[name] === undefined),
          },
        ]),
      ),
    })),
    ...(!isPattern && { _links: { self: [{ href: `${apiRoot(context, context.language)}${route.path}` }] } }),
  }
}

function argument(context: Context, endpoint: Endpoint, name: string, field: Field): object {
  const defaultValue = defaultOf(context, endpoint, name, field)
  return {
    ...fieldSchema(field),
    ...(defaultValue !== undefined && { default: defaultValue }),
    description: field.words[context.language],
  }
}

/** The default of a parameter; those of a list's date filters depend on the time. */
function defaultOf(context: Context, endpoint: Endpoint, name: string, field: Field): unknown {
  const { [name]: date } =
    endpoint.verb === 'list' && field.kind.shape === 'moment' ? context.dialect.dates(context) : {}
  if (typeof date === 'string') return siteWall(context, date)
  return endpoint.verb === 'list' && name === 'per_page' ? context.perPage : field.default
}
