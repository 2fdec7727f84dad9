import type { Language } from '../../contract/languages.ts'
import type { Credentials } from './credentials.ts'

/** Where to talk, as whom, in which language. */
export interface Target {
  readonly profile: string
  readonly place:
    | { readonly kind: 'http'; readonly baseUrl: string }
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'demo' }
  readonly language: Language | undefined
  /** Whether each request must contain `lang_code`, because the base URL is not one of a single language. */
  readonly sendLanguage: boolean
  /** The languages for which the profile has an address. */
  readonly languages: readonly Language[]
  /** A name for the site in all languages, if it has an address for each. */
  readonly site?: string | undefined
  /** The languages among them that have their own base URLs. */
  readonly sites: readonly Language[]
  readonly namespace: string
  readonly credentials: Credentials
  /** Of the credentials, those for the web server in front of the site. */
  readonly front: Credentials
  /** Writes must be confirmed with the profile's name. */
  readonly protected: boolean
  /** Lines for stderr. */
  readonly notices: readonly string[]
  /** What the project file decided about it, if anything. */
  readonly chosenBy?: ProjectChoice | undefined
}

/** The settings of a project file that are in force: `profile town`, `baseUrl`. */
export interface ProjectChoice {
  readonly path: string
  readonly settings: readonly string[]
}
