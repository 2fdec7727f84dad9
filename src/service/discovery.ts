import { offsetAt } from '../base/time/zone.ts'
import type { Field } from '../contract/field.ts'
import { siteWall } from './comparisons.ts'
import type { Context } from './dialect.ts'
import { fieldSchema } from './doc/document.ts'
import { apiRoot } from './render/addresses.ts'
import type { HandlerResult } from './request-context.ts'
import { type Endpoint, methodsOf, type Route, routes } from './routes.ts'
import type { Site } from './store/rows.ts'

/** GET at the root of all APIs: what WordPress returns there, as far as clients of calctl use it. */
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
export const discovery = (context: Context): HandlerResult => ({
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
          argument(context, route, endpoint, name, field),
        ]),
      ),
    })),
    ...(!isPattern && { _links: { self: [{ href: `${apiRoot(context, context.language)}${route.path}` }] } }),
  }
}

function argument(context: Context, route: Route, endpoint: Endpoint, name: string, field: Field): object {
  const defaultValue = defaultOf(context, endpoint, name, field)
  return {
    ...fieldSchema(field),
    ...(defaultValue !== undefined && { default: defaultValue }),
    description: field.words[context.language],
    required: endpoint.required.includes(name) || (name in route.key && endpoint.args[name] === undefined),
  }
}

/** The default of a parameter; those of a list's date filters depend on the time. */
function defaultOf(context: Context, endpoint: Endpoint, name: string, field: Field): unknown {
  const { [name]: date } =
    endpoint.verb === 'list' && field.kind.shape === 'moment' ? context.dialect.dates(context) : {}
  if (typeof date === 'string') return siteWall(context, date)
  return endpoint.verb === 'list' && name === 'per_page' ? context.perPage : field.default
}
