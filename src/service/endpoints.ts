import { memoizeByObject } from '../base/memoize.ts'
import { decodePercent } from '../base/text/escaping.ts'
import type { Fields } from '../contract/field.ts'
import type { Resource } from '../contract/resource.ts'
import type { Context, Handler, HandlerResult, Method, Operation, Readers, RecordRef } from './dialect.ts'

/** What some methods of a route do. */
export interface Endpoint {
  readonly methods: readonly Method[]
  readonly verb: Operation
  /** The parameters that query and body may contain, by the contract. */
  readonly args: Fields
  /** The parameters of WordPress's own API, which the contract does not describe. */
  readonly readers?: Readers
  readonly required: readonly string[]
  readonly answer: Handler
}

/** One address below the namespace; the segment `{id}` matches digits, `{slug}` anything. */
export interface Route {
  readonly path: string
  /** The resource of a route of the events API. */
  readonly resource?: Resource
  /** The parameters in the path itself. */
  readonly key: Fields
  readonly endpoints: readonly Endpoint[]
}

/** One of the APIs of a site. */
export interface Api {
  readonly namespace: string
  /** Its routes by their paths. */
  readonly routes: ReadonlyMap<string, Route>
  /** Whether the index of the site leaves it out. */
  readonly isHidden?: boolean
  /** Answers OPTIONS. */
  readonly describe?: (context: Context, route: Route) => Promise<HandlerResult>
  /** Headers of every answer of a route. */
  readonly headers?: (route: Route, context: Context) => Readonly<Record<string, string>>
}

/** Routes by their paths. */
export const byPath = (routes: readonly Route[]): ReadonlyMap<string, Route> =>
  new Map(routes.map(route => [route.path, route]))

export const methodsOf = (route: Route): Method[] => route.endpoints.flatMap(({ methods }) => methods)

/** The methods of a route as `Allow` lists them. */
export const allowOf = memoizeByObject((route: Route) => methodsOf(route).join(', '))

/** HEAD counts as GET. */
export const endpointFor = ({ endpoints }: Route, method: string): Endpoint | undefined =>
  endpoints.find(({ methods }) => methods.some(name => name === (method === 'HEAD' ? 'GET' : method)))

/** The route of a path, and the record that the path names, if any. */
export interface RouteMatch {
  readonly route: Route
  readonly ref?: RecordRef
}

/** The route of a path below the namespace; case and a trailing slash do not matter. */
export function findRoute({ routes }: Api, path: string): RouteMatch | undefined {
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const [collection = '', item = '', slug = ''] = segments
  const match = (pattern: string, ref?: RecordRef) => {
    const route = routes.get(pattern)
    return route && { route, ...(ref && { ref }) }
  }
  const name = collection.toLowerCase()
  const rest = segments.join('/').toLowerCase()
  if (segments.length === 2 && /^\d+$/.test(item))
    return match(`/${name}/{id}`, { id: Math.min(Number(item), Number.MAX_SAFE_INTEGER) })
  if (segments.length === 3 && item.toLowerCase() === 'by-slug' && slug !== '')
    return match(`/${name}/by-slug/{slug}`, { slug: decodePercent(slug) })
  const found = match(rest === '' ? '' : `/${rest}`)
  // A path that is written like a pattern names no record.
  return found && Object.keys(found.route.key).length === 0 ? found : undefined
}
