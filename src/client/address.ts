import type { Request } from '../contract/exchange.ts'

/** What the base URL of a WordPress site without permalinks ends with: there the path of a request is a parameter. */
export const plainPermalinks = '?rest_route='

/** The URL of a request: `https://example.org/wp-json/tribe/events/v1/events?page=2`, or `https://example.org/?rest_route=/tribe/…`. */
export function addressOf(baseUrl: string, { path, query }: Pick<Request, 'path' | 'query'>): string {
  const address = `${baseUrl.replace(/\/+$/, '')}${path}`
  if (!query) return address
  return `${address}${baseUrl.includes('?') ? '&' : '?'}${query}`
}

/** Whether a file is named by its address on the web, and not by a path. */
export const isWebAddress = (name: string): boolean => /^(https?|webcal):\/\//i.test(name)
