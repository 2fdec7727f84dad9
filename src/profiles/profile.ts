import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { plainPermalinks } from '../client/address.ts'
import type { Language } from '../contract/languages.ts'
import { Failure } from '../failure.ts'
import { storedFileProblem } from '../fs.ts'

/**
 * Profiles: which calendar to use, as which user and in which language. `resolve.ts` decides it for a command from its options, the
 * environment, the project file and the profile, and returns a `Target`; `config.ts` keeps the profiles in a file;
 * `credentials.ts` makes the headers for a target from secrets that are never stored here, only where to read them.
 */

/** A named place to talk to, as in the configuration file. */
export interface Profile {
  /** Absent: the embedded calendar. */
  readonly baseUrl?: string | undefined
  /** Base URLs of single languages. */
  readonly baseUrls?: Readonly<Partial<Record<Language, string>>> | undefined
  readonly lang?: Language | undefined
  readonly namespace?: string | undefined
  readonly user?: string | undefined
  /** `env:NAME`, `command:…` or `file:…`. */
  readonly secret?: string | undefined
  /** The user of a password that the web server asks for, in front of the site; `frontSecret` is its source. */
  readonly frontUser?: string | undefined
  readonly frontSecret?: string | undefined
  /** Header name → where its value comes from, as for `secret`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Writes must be confirmed with the profile's name. */
  readonly protected?: boolean | undefined
}

/** The configuration file. */
export interface Config {
  /** The profile to use if none is named. */
  readonly current?: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The profile that always exists: the embedded calendar. */
export const builtIn = 'local'

/** The names of all profiles, the built-in one first. */
export const profileNames = ({ profiles }: Config): string[] => [...new Set([builtIn, ...Object.keys(profiles)])]

/** The profile with this name; undefined if there is none. */
export function profileNamed({ profiles }: Config, name: string): Profile | undefined {
  if (Object.hasOwn(profiles, name)) return profiles[name]
  return name === builtIn ? {} : undefined
}

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

/** The failure for a calendar file that does not exist; undefined if it does. */
export function missingFile(file: string): Failure | undefined {
  if (existsSync(file)) return undefined
  return new Failure('settings', `no such file: ${file}`, {
    hint: existsSync(dirname(file))
      ? `create an empty calendar with: calctl serve --file ${file}`
      : `the folder ${dirname(file)} does not exist either: is the path right?`,
  })
}

/** Refuses a calendar file whose folder does not exist, and a path that is not a file. */
export function requireFolder(file: string): void {
  const missing = existsSync(dirname(file)) ? undefined : missingFile(file)
  if (missing) throw missing
  const problem = storedFileProblem(file)
  if (problem !== undefined)
    throw new Failure('settings', `cannot open ${file}: ${problem}`, { hint: 'name a calendar file of calctl' })
}
