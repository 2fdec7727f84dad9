import type { InterfaceLanguage } from '../base/words/phrase.ts'
import type { Language } from '../contract/languages.ts'

/** The forms that `--output` takes. */
export const outputs = [
  'table',
  'json',
  'ndjson',
  'csv',
  'tsv',
  'xlsx',
  'yaml',
  'ics',
  'ids',
  'count',
  'sarif',
  'github',
] as const

/** The APIs of a site: its events API, and WordPress's own. */
export const apis = ['events', 'wp'] as const

export type Output = (typeof outputs)[number]

/** The global options, as commander parsed them; undefined if not given. */
export interface Globals {
  readonly profile?: string
  readonly baseUrl?: string
  /** `all` is for exports only. */
  readonly lang?: Language | 'all'
  readonly namespace?: string
  /** The API for updates; undefined for `wp/v2` where available. */
  readonly via?: (typeof apis)[number]
  /** The language of messages and help. */
  readonly ui?: InterfaceLanguage
  readonly demo?: true
  readonly output?: Output
  readonly json?: true
  /** A jq expression for the JSON output. */
  readonly jq?: string
  readonly fields?: readonly string[]
  /** Names in JSON and YAML with their HTML entities decoded. */
  readonly plain?: true
  readonly quiet?: true
  readonly yes?: true
  /** False with `--no-input`. */
  readonly input?: boolean
  /** False with `--no-pager`. */
  readonly pager?: boolean
  /** Name of the protected profile that this command may write to. */
  readonly confirm?: string
  /** In ms. */
  readonly timeout?: number
  /** Retries for transient failures. */
  readonly retries?: number
  /** `X-Key: env:NAME` */
  readonly header?: readonly string[]
  /** Other origins to which reads may be redirected. */
  readonly follow?: readonly string[]
  /** Path of a PEM file with certificates to trust. */
  readonly caFile?: string
  /** Prints each request and answer on stderr. */
  readonly debug?: true
  /** Prints each request as a command line of curl. */
  readonly printCurl?: true
  readonly color?: boolean
}

/** A named place to talk to, as in the configuration file. */
export interface Profile {
  /** Absent: the embedded calendar. */
  readonly baseUrl?: string | undefined
  /** Base URLs of single languages. */
  readonly baseUrls?: Readonly<Partial<Record<Language, string>>> | undefined
  readonly lang?: Language | undefined
  /** The language of messages and help. */
  readonly ui?: InterfaceLanguage | undefined
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
