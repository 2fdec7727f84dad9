type Headers = Readonly<Record<string, string>>

const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'
const exposedHeaders = 'X-TEC-Total, X-TEC-TotalPages, Allow, Location, Retry-After'
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Which pages of other sites may use this calendar from a browser. */
export interface CorsOptions {
  readonly origins: ReadonlySet<string>
  /** Answers carry production's headers, which let every origin read. */
  readonly quirks: boolean
}

/** Whether this is a write by a page of another site that is not among the allowed origins. */
export const isForeignWrite = (method: string, origin: string | undefined, host: string, cors: CorsOptions): boolean =>
  !readMethods.has(method) && isForeign(origin, host, cors)

/** Whether a request comes from a page of another site that is not among the allowed origins. */
export const isForeign = (origin: string | undefined, host: string, cors: CorsOptions): boolean =>
  origin !== undefined && !cors.origins.has(origin) && origin !== `http://${host}` && origin !== `https://${host}`

/** The headers that tell a browser which pages may read an answer. */
export function corsHeaders(origin: string | undefined, { origins, quirks }: CorsOptions): Headers {
  if (origins.size === 0 && !quirks) return {}
  if (origin === undefined || !(quirks || origins.has(origin))) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...(quirks ? { 'access-control-allow-methods': methods } : { 'access-control-expose-headers': exposedHeaders }),
    vary: 'Origin',
  }
}

export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers

export const preflightHeaders: Headers = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': 'Authorization, Content-Type, X-HTTP-Method-Override',
  'access-control-max-age': '600',
}
