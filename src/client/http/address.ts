import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Request } from '../../contract/exchange.ts'

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

type ParsedBaseUrl = { readonly baseUrl: string } | { readonly problem: string }

/** Parses a base URL and normalizes it: no slash at its end, the path of a file absolute, from `folder`. */
export function parseBaseUrl(text: string, folder: string): ParsedBaseUrl {
  if (/^file:/i.test(text)) return parseFileUrl(text, folder)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return invalid('expected https://…, http://… or file:…')
  const url = new URL(text)
  if (url.username || url.password) return invalid('a base URL must not contain credentials')
  if (url.hash) return invalid('a base URL must not contain #')
  // Without permalinks, the path of a request is a parameter, and the page before it is part of the address.
  if (/^\?rest_route=\/*$/.test(url.search)) return { baseUrl: url.origin + url.pathname + plainPermalinks }
  if (url.search) return invalid('a base URL must not contain ?, other than ?rest_route= at its end')
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, '') }
}

/** The path of the calendar file of a `file:` base URL; undefined for others. */
export const fileOf = (baseUrl: string): string | undefined =>
  baseUrl.startsWith('file:') ? fileURLToPath(baseUrl) : undefined

/** `file:town.json` is relative to `folder`, `file:///srv/town.json` is absolute. */
function parseFileUrl(text: string, folder: string): ParsedBaseUrl {
  const path = text.slice('file:'.length)
  if (path === '' || path.endsWith('/')) return invalid('expected the path of a calendar file after file:')
  if (!path.startsWith('//')) return { baseUrl: pathToFileURL(resolve(folder, path)).href }
  try {
    return { baseUrl: pathToFileURL(fileURLToPath(text)).href }
  } catch {
    return invalid('expected file:///path/to/calendar.json')
  }
}

const invalid = (problem: string): ParsedBaseUrl => ({ problem })
