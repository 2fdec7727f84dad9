import { resources } from '../contract/contract.ts'
import { choice, type Fields, integer, text } from '../contract/field.ts'
import { paging } from '../contract/filter.ts'
import { type Resource, writableFields } from '../contract/resource.ts'
import { languages, say } from '../contract/words.ts'
import type { Ref } from './context.ts'

/** The methods that routes answer. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What can be asked of the API. */
export type Verb = 'discovery' | 'doc' | 'list' | 'create' | 'get' | 'update' | 'remove'

/** What some methods of a route do, and what they take in query and body. */
export interface Endpoint {
  readonly methods: readonly Method[]
  readonly verb: Verb
  readonly args: Fields
  readonly required: readonly string[]
}

/** One address below the namespace; the segment `{id}` matches digits, `{slug}` anything. */
export interface Route {
  readonly path: string
  readonly resource?: Resource
  /** What the path itself carries. */
  readonly key: Fields
  readonly endpoints: readonly Endpoint[]
}

const langCode = choice(say('Llengua del contingut', 'Language of the content', 'Idioma del contenido'), languages)
const id = integer(say('Identificador del registre', 'ID of the record', 'Identificador del registro'))
const slug = text(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL'))

const endpoint = (
  methods: readonly Method[],
  verb: Verb,
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
  const unlocking = Object.fromEntries(Object.entries(fields).filter(([, field]) => field.queryOnly))
  const get = endpoint(['GET'], 'get', unlocking)
  const update = endpoint(['POST', 'PUT', 'PATCH'], 'update', fields)
  const remove = endpoint(['DELETE'], 'remove', unlocking)
  const ofOne = keys.includes('slug') ? [get, remove, update] : [get, update, remove]
  const ofAll = [
    endpoint(['GET'], 'list', { ...paging, ...filters }),
    endpoint(['POST'], 'create', Object.fromEntries(writableFields(resource)), required),
  ]
  const collection = { path: `/${name}`, resource, key: {}, endpoints: ofAll }
  const byId = { path: `/${name}/{id}`, resource, key: { id }, endpoints: ofOne }
  const bySlug = { path: `/${name}/by-slug/{slug}`, resource, key: { slug }, endpoints: ofOne }
  return keys.includes('slug') ? [collection, byId, bySlug] : [collection, byId]
}

const discovery: Fields = {
  namespace: text(say('Espai de noms', 'Namespace', 'Espacio de nombres')),
  context: text(say('Context de la petició', 'Context of the request', 'Contexto de la petición'), { default: 'view' }),
}

/** Every route of the API, in the order in which it is described. */
export const routes: readonly Route[] = [
  { path: '', key: {}, endpoints: [endpoint(['GET'], 'discovery', discovery)] },
  { path: '/doc', key: {}, endpoints: [endpoint(['GET'], 'doc')] },
  ...resources.flatMap(routesOf),
]

/** The methods that a route answers, in the order of its endpoints. */
export const methodsOf = (route: Route): Method[] => route.endpoints.flatMap(({ methods }) => methods)

/** What a method does on a route; HEAD is a GET. */
export const endpointFor = ({ endpoints }: Route, method: string): Endpoint | undefined =>
  endpoints.find(({ methods }) => methods.some(known => known === (method === 'HEAD' ? 'GET' : method)))

/** Where a path leads. */
export interface Found {
  readonly route: Route
  /** The record that the path names, where it names one. */
  readonly ref?: Ref
}

/** The route of a path below the namespace. Case does not matter, nor does a slash at the end. */
export function findRoute(path: string): Found | undefined {
  const [collection = '', item, slug, ...rest] = path.replace(/\/$/, '').split('/').slice(1)
  const name = collection.toLowerCase()
  const route = (found: string) => routes.find(({ path }) => path === found)
  const matched = (found: Route | undefined, ref?: Ref) => found && { route: found, ...(ref && { ref }) }
  if (rest.length > 0) return undefined
  if (item === undefined) return matched(route(name === '' ? '' : `/${name}`))
  if (slug === undefined)
    return /^\d+$/.test(item)
      ? matched(route(`/${name}/{id}`), { id: Math.min(Number(item), Number.MAX_SAFE_INTEGER) })
      : undefined
  return item.toLowerCase() === 'by-slug' && slug !== ''
    ? matched(route(`/${name}/by-slug/{slug}`), { slug: decoded(slug) })
    : undefined
}

/** A segment without its percent-encoding, or as it is where that is broken. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
