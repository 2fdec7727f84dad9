type Headers = Readonly<Record<string, string>>

const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'
const exposed = 'X-TEC-Total, X-TEC-TotalPages, Allow, Location, Retry-After'
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Which pages of other sites may use this calendar from a browser. */
export interface Sharing {
  readonly origins: ReadonlySet<string>
  /** Answers carry production's headers, which let every origin read. */
  readonly quirks: boolean
}

/** Whether a page of another site, which nobody allowed, is trying to write. */
export const isForeignWrite = (method: string, origin: string | undefined, host: string, sharing: Sharing): boolean =>
  origin !== undefined &&
  !reads.has(method) &&
  !sharing.origins.has(origin) &&
  origin !== `http://${host}` &&
  origin !== `https://${host}`

/** What an answer says about the pages that may read it. */
export function sharingHeaders(origin: string | undefined, { origins, quirks }: Sharing): Headers {
  if (origins.size === 0 && !quirks) return {}
  if (origin === undefined || !(quirks || origins.has(origin))) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...(quirks ? { 'access-control-allow-methods': methods } : { 'access-control-expose-headers': exposed }),
    vary: 'Origin',
  }
}

/** Whether a browser asks beforehand if it may send a request for a page. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers

/** What a browser that asks beforehand is told. */
export const preflightHeaders: Headers = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': 'Authorization, Content-Type, X-HTTP-Method-Override',
  'access-control-max-age': '600',
}
