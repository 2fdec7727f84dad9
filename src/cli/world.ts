import type { Readable } from 'node:stream'
import type { Failure } from '../base/failure.ts'
import type { InterfaceLanguage } from '../base/words/phrase.ts'
import type { Language } from '../contract/languages.ts'
import type { CalendarPlace, OpenCalendar } from '../service/embedded.ts'

/** The kind of text: text, JSON, or `painted`, which is text with our own control sequences and with foreign ones already removed. */
export type TextForm = 'text' | 'json' | 'painted'

/** An output stream, which `terminal/streams.ts` makes from a stream of the process. */
export interface Sink {
  /** Resolves when more may be written. Bytes are for files and pipes only. */
  write(text: string | Uint8Array, form?: TextForm): Promise<void>
  readonly isTTY: boolean
  /** Width of the terminal; undefined for a pipe. */
  readonly columns: number | undefined
  /** Height of the terminal, if it is known. */
  readonly rows?: number | undefined
}

/** A program that shows long output a screen at a time. */
export interface Pager {
  /** Resolves when more may be written; to false if the user has left the pager. */
  write(text: string): Promise<boolean>
  /** Waits until the user leaves the pager. False if it could not be started. */
  end(): Promise<boolean>
}

/** Everything outside the program: created once in `main.ts`, and replaced as a whole in tests. */
export interface World {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Whether stdin was read as data, so that answers cannot come from it. */
  hasReadStdin?: boolean
  /** The terminal that the process was started from, for answers if stdin is a pipe; undefined if there is none. */
  openKeyboard?(): World['stdin'] | undefined
  readonly stdout: Sink
  readonly stderr: Sink
  /** Told of the failure of a command line, before the user is. */
  fail?(failure: Failure): void
  /** The exit status if the reader of stdout stops early (default: 0), or that writing fails then. */
  statusUnread?: number | 'none'
  now(): Date
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The user's time zone. */
  timeZone(): string
  /** Aborted on SIGINT, SIGTERM and SIGHUP. A caller must stop cleanly then, because the signal no longer ends the process. */
  stopping(): AbortSignal
  /** The same for a caller that only waits: unless another one stops cleanly, the signal ends the process. */
  stopSignal(): AbortSignal
  /** Opens an address or a file in the user's browser; rejects where there is none. Others can read what is passed on. */
  openPage(address: string): Promise<void>
  /** Starts a pager, which is a command line such as `less -R`. While it runs, Ctrl-C is for the pager. */
  startPager(command: string): Promise<Pager>
  /**
   * Opens a calendar in this process. With `onlyReads`, a file is locked only while it is loaded, and the client reads a snapshot. `notice`
   * is called if another program changes the file at the same time.
   */
  openCalendar(place: CalendarPlace, onlyReads: boolean, notice: (text: string) => void): Promise<OpenCalendar>
}

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
  'markdown',
  'html',
] as const

/** The APIs of a site: its events API, and WordPress's own. */
export const apis = ['events', 'wp'] as const

export type Output = (typeof outputs)[number]

/** Forms of a text for people, which a single kind of command writes: newsletters. */
export const newsletterForms = ['markdown', 'html'] as const satisfies readonly Output[]

export type NewsletterForm = (typeof newsletterForms)[number]

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
  /** Decodes HTML entities in names in JSON and YAML. */
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
