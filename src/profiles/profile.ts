import { isLanguage, type Language } from '../contract/words.ts'
import { Failure, wrongValue } from '../failure.ts'
import { parseBaseUrl } from './base-url.ts'
import { parseHeaders, parseSource } from './secrets.ts'

/** A named place to talk to, as the configuration file keeps it. Secrets are kept as where they come from. */
export interface Profile {
  /** None: the embedded calendar. */
  readonly baseUrl?: string | undefined
  /** Base URLs that are in one language. */
  readonly baseUrls?: Readonly<Partial<Record<Language, string>>> | undefined
  readonly lang?: Language | undefined
  readonly namespace?: string | undefined
  readonly user?: string | undefined
  /** `env:NAME`, `command:…` or `file:…`. */
  readonly secret?: string | undefined
  /** Header name → where its value comes from, as for `secret`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Writes must be confirmed by name. */
  readonly protected?: boolean | undefined
}

/** The configuration file. */
export interface Config {
  /** The profile in use where none is named. */
  readonly current?: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The profile that is always there: the embedded calendar. */
export const builtIn = 'local'

/** Every profile there is, the built-in one first. */
export const profileNames = ({ profiles }: Config): string[] => [...new Set([builtIn, ...Object.keys(profiles)])]

/** The profile of this name, if there is one. */
export function profileNamed({ profiles }: Config, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : name === builtIn ? {} : undefined
}

/** What a person said of a profile, as it was typed. */
export interface ProfileInput {
  readonly baseUrl?: string | undefined
  /** `en=https://…` */
  readonly baseUrlFor?: readonly string[]
  readonly lang?: Profile['lang']
  readonly namespace?: string | undefined
  readonly user?: string
  readonly secret?: string
  /** `X-Key: env:NAME` */
  readonly header?: readonly string[] | undefined
  readonly protected?: boolean
  /** Settings that shall be unset, comma-separated. */
  readonly clear?: string
}

const clearable = ['baseUrls', 'lang', 'namespace', 'user', 'secret', 'headers'] as const

/** A profile with what was stated in place of what was there; relative paths are beside `folder`. */
export function applyInput(before: Profile, stated: ProfileInput, folder: string): Profile {
  const { baseUrl, baseUrlFor, lang, namespace, user, secret, header, protected: isProtected, clear } = stated
  const after: Profile = {
    ...without(before, clear),
    ...(baseUrl !== undefined && { baseUrl: checkedBaseUrl('--base-url', baseUrl, folder) }),
    ...(baseUrlFor && { baseUrls: { ...before.baseUrls, ...languageUrls(baseUrlFor, folder) } }),
    ...(lang !== undefined && { lang }),
    ...(namespace !== undefined && { namespace: checkedNamespace(namespace) }),
    ...(user !== undefined && { user: checkedUser(user) }),
    ...(secret !== undefined && { secret: parseSource('--secret', secret, folder) }),
    ...(header && { headers: { ...before.headers, ...parseHeaders(header, folder) } }),
    ...(isProtected !== undefined && { protected: isProtected }),
  }
  if (after.secret !== undefined && after.user === undefined)
    throw new Failure('usage', 'a secret, but no user name', { hint: 'add: --user NAME' })
  return after
}

function without(profile: Profile, clear = ''): Profile {
  const names = clear.split(',').filter(name => name !== '')
  for (const name of names)
    if (!clearable.some(known => known === name))
      throw new Failure('usage', `--clear: there is no setting "${name}"`, {
        hint: `what can be cleared: ${clearable.join(', ')}`,
      })
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !names.includes(name)))
}

function checkedBaseUrl(option: string, text: string, folder: string): string {
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
    return [language, checkedBaseUrl(`--base-url-for ${language}`, url, folder)]
  })
  return Object.fromEntries(urls)
}

function checkedNamespace(text: string): string {
  const namespace = text.replace(/^\/+|\/+$/g, '')
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(namespace)) return namespace
  throw wrongValue('--namespace', 'a path', text, 'tribe/events/v1')
}

function checkedUser(name: string): string {
  if (name !== '' && !name.includes(':')) return name
  throw new Failure('usage', '--user: expected a name without a colon', {
    hint: 'say where the password is with: --secret env:NAME',
  })
}
