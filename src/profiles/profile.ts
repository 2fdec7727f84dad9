import { isLanguage, type Language } from '../contract/languages.ts'
import { Failure, wrongValue } from '../failure.ts'
import { listOf } from '../text/words.ts'
import { parseBaseUrl } from './base-url.ts'
import { parseHeaders, parseSource } from './secrets.ts'

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

/** The options of `profiles add` and `profiles edit`, as typed. */
export interface ProfileInput {
  readonly baseUrl?: string | undefined
  /** `en=https://…` */
  readonly baseUrlFor?: readonly string[]
  readonly lang?: Profile['lang']
  readonly namespace?: string | undefined
  readonly user?: string
  readonly secret?: string
  readonly frontUser?: string
  readonly frontSecret?: string
  /** `X-Key: env:NAME` */
  readonly header?: readonly string[] | undefined
  readonly protected?: boolean
  /** Settings to unset, comma-separated. */
  readonly clear?: string
}

const clearable = ['baseUrls', 'lang', 'namespace', 'user', 'secret', 'frontUser', 'frontSecret', 'headers'] as const

/** A profile changed by options; relative paths in them start at `folder`. */
export function applyInput(before: Profile, input: ProfileInput, folder: string): Profile {
  const { baseUrl, baseUrlFor, lang, namespace, user, secret, header, protected: isProtected, clear } = input
  const { frontUser, frontSecret } = input
  const after: Profile = {
    ...unset(before, clear),
    ...(baseUrl !== undefined && { baseUrl: baseUrlOption('--base-url', baseUrl, folder) }),
    ...(baseUrlFor && { baseUrls: { ...before.baseUrls, ...languageUrls(baseUrlFor, folder) } }),
    ...(lang !== undefined && { lang }),
    ...(namespace !== undefined && { namespace: namespaceOption(namespace) }),
    ...(user !== undefined && { user: userOption('--user', user) }),
    ...(frontUser !== undefined && { frontUser: userOption('--front-user', frontUser) }),
    ...(frontSecret !== undefined && { frontSecret: parseSource('--front-secret', frontSecret, folder) }),
    ...(secret !== undefined && { secret: parseSource('--secret', secret, folder) }),
    ...(header && { headers: { ...before.headers, ...parseHeaders(header, folder) } }),
    ...(isProtected !== undefined && { protected: isProtected }),
  }
  if (after.secret !== undefined && after.user === undefined)
    throw new Failure('usage', 'a secret needs a user name', { hint: 'add: --user NAME' })
  if ((after.frontSecret === undefined) !== (after.frontUser === undefined))
    throw new Failure('usage', '--front-user and --front-secret belong together', {
      hint: 'for example: --front-user staging --front-secret env:STAGING_PASSWORD',
    })
  return after
}

function unset(profile: Profile, clear = ''): Profile {
  const names = clear.split(',').filter(name => name !== '')
  for (const name of names)
    if (!clearable.some(known => known === name))
      throw new Failure('usage', `--clear: no setting "${name}"`, {
        hint: `these can be cleared: ${listOf(clearable)}`,
      })
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !names.includes(name)))
}

function baseUrlOption(option: string, text: string, folder: string): string {
  const read = parseBaseUrl(text, folder)
  if ('baseUrl' in read) return read.baseUrl
  throw new Failure('usage', `${option}: ${read.problem}`, {
    hint: `for example: ${option} https://example.org/wp-json`,
  })
}

function languageUrls(texts: readonly string[], folder: string): NonNullable<Profile['baseUrls']> {
  const urls = texts.map((text): [string, string] => {
    const [, language, url] = /^(\w+)=(.+)$/.exec(text) ?? []
    if (!isLanguage(language) || url === undefined)
      throw new Failure('usage', '--base-url-for: expected a language and its base URL', {
        hint: 'for example: --base-url-for en=https://example.org/en/wp-json',
      })
    return [language, baseUrlOption(`--base-url-for ${language}`, url, folder)]
  })
  return Object.fromEntries(urls)
}

function namespaceOption(text: string): string {
  const namespace = text.replace(/^\/+|\/+$/g, '')
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(namespace)) return namespace
  throw wrongValue('--namespace', 'a path', text, 'tribe/events/v1')
}

function userOption(option: string, name: string): string {
  if (name !== '' && !name.includes(':')) return name
  throw new Failure('usage', `${option}: expected a name without a colon`, {
    hint: 'say where the password is with: --secret env:NAME',
  })
}
