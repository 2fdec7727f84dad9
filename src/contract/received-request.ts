import { namePath, readPairs, receivedParameters } from '../base/text/received-parameters.ts'
import type { Request } from './exchange.ts'

type Received = Pick<Request, 'method' | 'query' | 'headers'>

/** The methods that change nothing. */
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request writes, by its own method or by any that it names for WordPress to obey in its place. PHP receives only the first 1,000
 * parameters or so, so that the one which counts for us may not be the one which counts there.
 */
export const isWrite = (request: Received): boolean =>
  [request.method, obeyedMethod(request), ...namedMethods(request)].some(method => !readMethods.has(method ?? ''))

function namedMethods({ query = '', headers = {} }: Received): string[] {
  const inQuery = readPairs(query).filter(([name]) => namePath(name)[0] === '_method')
  return [...inQuery.map(([, method]) => method), overrideIn(headers) ?? 'GET'].map(method => method.toUpperCase())
}

/**
 * The method that WordPress obeys: the parameter `_method` of the query, whatever the method is; otherwise the header
 * `X-HTTP-Method-Override`. Undefined for a list, with which WordPress fails.
 */
export function obeyedMethod({ method, query = '', headers = {} }: Received): string | undefined {
  const other = receivedParameters(query)._method ?? overrideIn(headers)
  if (other === undefined) return method
  return typeof other === 'string' ? other.toUpperCase() : undefined
}

/** Whether a header changes the method. PHP takes headers for the same if only their letters, or `-` and `_`, differ. */
export const overridesMethod = (header: string): boolean => /^x[-_]http[-_]method[-_]override$/i.test(header)

function overrideIn(headers: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(headers).filter(([name]) => overridesMethod(name))
  return found.length === 0 ? undefined : found.map(([, value]) => value).join(', ')
}

/** The route that WordPress obeys: the parameter `rest_route` of the query, whatever the path is. */
export function obeyedRoute({ query = '' }: Pick<Request, 'query'>): string | undefined {
  const { rest_route: route } = receivedParameters(query)
  return typeof route === 'string' && route !== '' ? route : undefined
}
