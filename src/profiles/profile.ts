import type { Language } from '../contract/words.ts'

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
