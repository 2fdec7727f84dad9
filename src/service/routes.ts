import { decodePercent } from '../base/text/escaping.ts'
import { resources } from '../contract/contract.ts'
import type { Fields } from '../contract/field.ts'
import { paging } from '../contract/filter.ts'
import { integer } from '../contract/kinds/number-kinds.ts'
import { choice, text } from '../contract/kinds/text-kinds.ts'
import { languages, say } from '../contract/languages.ts'
import { creationFields, type Resource, requestFields } from '../contract/resource.ts'

/** The methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The kinds of requests. */
export type Operation = 'discovery' | 'doc' | 'list' | 'create' | 'get' | 'update' | 'remove'

/** What some methods of a route do, with the parameters that query and body may contain. */
export interface Endpoint {
  readonly methods: readonly Method[]
  readonly verb: Operation
  readonly args: Fields
  readonly required: readonly string[]
}

/** One address below the namespace; the segment `{id}` matches digits, `{slug}` anything. */
export interface Route {
  readonly path: string
  readonly resource?: Resource
  /** The parameters in the path itself. */
  readonly key: Fields
  readonly endpoints: readonly Endpoint[]
}

const langCode = choice(say('Llengua del contingut', 'Language of the content', 'Idioma del contenido'), languages)
const id = integer(say('Identificador del registre', 'ID of the record', 'Identificador del registro'))
const slug = text(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL'))

const endpoint = (
  methods: readonly Method[],
  verb: Operation,
  args: Fields = {},
  required: readonly string[] = [],
): Endpoint => ({
  methods,
  verb,
  args: { ...args, lang_code: langCode },
  required,
})

const routesOf = (resource: Resource): Route[] => {
  const { name, fields, filters, required, keys } = resource
  const passwordFields = Object.fromEntries(Object.entries(fields).filter(([, field]) => field.queryOnly))
  const get = endpoint(['GET'], 'get', passwordFields)
  const update = endpoint(['POST', 'PUT', 'PATCH'], 'update', Object.fromEntries(requestFields(resource)))
  const remove = endpoint(['DELETE'], 'remove', passwordFields)
  const itemEndpoints = keys.includes('slug') ? [get, remove, update] : [get, update, remove]
  const collectionEndpoints = [
    endpoint(['GET'], 'list', { ...paging, ...filters }),
    endpoint(['POST'], 'create', Object.fromEntries(creationFields(resource)), required),
  ]
  const collection = { path: `/${name}`, resource, key: {}, endpoints: collectionEndpoints }
  const byId = { path: `/${name}/{id}`, resource, key: { id }, endpoints: itemEndpoints }
  const bySlug = { path: `/${name}/by-slug/{slug}`, resource, key: { slug }, endpoints: itemEndpoints }
  return keys.includes('slug') ? [collection, byId, bySlug] : [collection, byId]
}

const discovery: Fields = {
  namespace: text(say('Espai de noms', 'Namespace', 'Espacio de nombres')),
  context: text(say('Context de la petició', 'Context of the request', 'Contexto de la petición'), { default: 'view' }),
}

/** Every route of the API, in the order of `/doc`. */
export const routes: readonly Route[] = [
  { path: '', key: {}, endpoints: [endpoint(['GET'], 'discovery', discovery)] },
  { path: '/doc', key: {}, endpoints: [endpoint(['GET'], 'doc')] },
  ...resources.flatMap(routesOf),
]

export const methodsOf = (route: Route): Method[] => route.endpoints.flatMap(({ methods }) => methods)

/** HEAD counts as GET. */
export const endpointFor = ({ endpoints }: Route, method: string): Endpoint | undefined =>
  endpoints.find(({ methods }) => methods.some(name => name === (method === 'HEAD' ? 'GET' : method)))

/** What names a record in a path: digits are an ID, `by-slug` is followed by a slug. */
export type RecordRef = { readonly id: number } | { readonly slug: string }

/** The route of a path, and the record that the path names, if any. */
export interface RouteMatch {
  readonly route: Route
  readonly ref?: RecordRef
}

/** The route of a path below the namespace; case and a trailing slash do not matter. */
export function findRoute(path: string): RouteMatch | undefined {
  const [collection = '', item, slug, ...deeper] = path.replace(/\/$/, '').split('/').slice(1)
  const name = collection.toLowerCase()
  const routeOf = (pattern: string) => routes.find(({ path }) => path === pattern)
  const match = (route: Route | undefined, ref?: RecordRef) => route && { route, ...(ref && { ref }) }
  if (deeper.length > 0) return undefined
  if (item === undefined) return match(routeOf(name === '' ? '' : `/${name}`))
  if (slug === undefined)
    return /^\d+$/.test(item)
      ? match(routeOf(`/${name}/{id}`), { id: Math.min(Number(item), Number.MAX_SAFE_INTEGER) })
      : undefined
  return item.toLowerCase() === 'by-slug' && slug !== ''
    ? match(routeOf(`/${name}/by-slug/{slug}`), { slug: decodePercent(slug) })
    : undefined
}
