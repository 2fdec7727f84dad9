import { Failure } from '../failure.ts'

/** The proxies that the environment names, and the hosts that need none. */
export interface Proxies {
  readonly http: URL | undefined
  readonly https: URL | undefined
  /** Comma-separated, as in `NO_PROXY`. */
  readonly not: string
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; the lower-case names win, as with curl. */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): Proxies {
  return {
    http: proxy(env, 'http_proxy'),
    https: proxy(env, 'https_proxy'),
    not: either(env, 'no_proxy') ?? '',
  }
}

/** The proxy through which an origin is reached; those of `not` are left out by undici. */
export const proxyFor = (origin: string, { http, https }: Proxies): URL | undefined =>
  origin.startsWith('https:') ? https : http

const either = (env: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined

function proxy(env: Readonly<Record<string, string | undefined>>, name: string): URL | undefined {
  const text = either(env, name)
  if (text === undefined) return undefined
  const url = /^[a-z0-9]+:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(url)) return new URL(url)
  // What it says may hold a password, and is not repeated.
  throw new Failure('settings', `${name.toUpperCase()}: expected the address of a proxy`, {
    hint: `for example: export ${name.toUpperCase()}=http://proxy.example:3128`,
  })
}
