import { isLanguage } from '../../contract/words.ts'

/** What a request line asks for. */
export interface Target {
  /** Where it was asked, from a request line with a whole URL in it. */
  readonly host?: string
  readonly path: string
  readonly query: string
}

const form = /^(?:https?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i

/** Reads `/events?page=2`, and `http://host/events?page=2` as proxies send it. */
export function readTarget(url: string): Target {
  const [, host, path = '', query = ''] = form.exec(url) ?? []
  return { ...(host === undefined ? {} : { host }), path: path || '/', query }
}

/**
 * What comes after the base path, beginning with `/`; undefined for a path outside of it. A language may stand before the
 * base path as well as after it: `/en/wp-json/…` is `/en/…` below `/wp-json`.
 */
export function belowBase(path: string, basePath: string): string | undefined {
  if (basePath === '') return path
  const below = after(path, basePath)
  if (below !== undefined) return below
  const [, language = ''] = path.split('/', 2)
  const rest = isLanguage(language.toLowerCase()) ? after(path, `/${language}${basePath}`) : undefined
  return rest === undefined ? undefined : `/${language}${rest}`
}

const after = (path: string, start: string): string | undefined => {
  if (path === start) return '/'
  return path.startsWith(`${start}/`) ? path.slice(start.length) : undefined
}
