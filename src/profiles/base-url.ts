import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

type Read = { readonly baseUrl: string } | { readonly problem: string }

/** Reads a base URL and gives it back as it is kept: no slash at its end, a file's path whole from `folder` on. */
export function parseBaseUrl(text: string, folder: string): Read {
  if (/^file:/i.test(text)) return readFileUrl(text, folder)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return wrong('expected https://…, http://… or file:…')
  const url = new URL(text)
  if (url.username || url.password) return wrong('credentials do not belong into a base URL')
  if (url.search || url.hash) return wrong('a base URL has no ? and no #')
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, '') }
}

/** The path of the calendar file that a base URL names; undefined where it names none. */
export const fileOf = (baseUrl: string): string | undefined =>
  baseUrl.startsWith('file:') ? fileURLToPath(baseUrl) : undefined

/** `file:town.json` is beside whoever says it, `file:///srv/town.json` is absolute. */
function readFileUrl(text: string, folder: string): Read {
  const path = text.slice('file:'.length)
  if (path === '' || path.endsWith('/')) return wrong('expected the path of a calendar file after file:')
  if (!path.startsWith('//')) return { baseUrl: pathToFileURL(resolve(folder, path)).href }
  try {
    return { baseUrl: pathToFileURL(fileURLToPath(text)).href }
  } catch {
    return wrong('expected file:///path/to/calendar.json')
  }
}

const wrong = (problem: string): Read => ({ problem })
