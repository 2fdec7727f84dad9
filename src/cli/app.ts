import type { Client } from '../client/client.ts'
import type { TrafficLog } from '../client/http/traffic.ts'
import type { Language } from '../contract/languages.ts'
import type { Print } from './terminal/json-filter.ts'
import type { PrintOptions } from './terminal/print.ts'
import type { Globals, Output, World } from './world.ts'

/**
 * What a command gets from the rest of the program: clients, notices, and printing in the form that the global options ask for, through
 * --jq and a pager, or as a calendar file.
 */

/** Everything that a command may use. What is expensive is a function, so that `--help` reads no file. */
export interface App extends Printing {
  readonly world: World
  readonly globals: Globals
  /** The name of the command: `events update`. */
  readonly command: string
  /** The exit status of a command that ends without a failure. */
  status: number
  /**
   * The client of the current profile, opened once and closed by `close`. Throws `settings` if the calendar file does not exist, unless it
   * `mayBeNew`, or the client is for a plan (`toPlan`), which creates the file.
   */
  client(options?: { toPlan?: boolean; mayBeNew?: boolean }): Promise<Client>
  /** Connects in the language of a run from now on, unless --lang names one. Must be called before the first request. */
  useLanguage(language: Language | undefined): Promise<void>
  /**
   * The client for a command that writes. A protected profile must be confirmed by its name: at a terminal this asks, unless the command
   * asks `later`, once it can say what it will write; without a terminal it throws `declined`.
   */
  writer(options?: { confirmed?: 'later' }): Promise<Client>
  /** Whether the profile is protected and has not been confirmed by its name. */
  isUnconfirmed(): Promise<boolean>
  /**
   * Asks once for the name of a protected profile, after `question` if there is one. False if there was nothing to confirm; throws
   * `declined` for any other answer.
   */
  confirmProfile(question?: string): Promise<boolean>
  /** Waits from now on for at most this many ms in a row while the site refuses everything. */
  waitForSite(maxWait: number): void
  /**
   * Runs work on which only a notice depends, without holding up the command: each of its requests is sent once, and fails when 3 seconds
   * have passed in all.
   */
  briefly<T>(work: () => Promise<T>): Promise<T>
  /** The log that --debug and --print-curl ask for; undefined without them. */
  traffic(): Promise<TrafficLog | undefined>
  /** Whether questions can be asked at a terminal. */
  readonly canAsk: boolean
  /** Prints a line on stderr, unless -q is given. */
  notice(text: string): Promise<void>
  close(): Promise<void>
}

/** What a command prints with. */
export interface Printing {
  /** The requested form of output; undefined for the default. */
  readonly output: Output | undefined
  /** Prints records in the form that the global options ask for. `wereWritten`: --fields has already been checked. */
  print(
    shape: PrintOptions['shape'],
    records: PrintOptions['records'],
    options?: Pick<PrintOptions, 'total'> & { wereWritten?: boolean },
  ): Promise<void>
  /** Prints a value that is not a record: as JSON, NDJSON or YAML. */
  printValue(value: unknown): Promise<void>
  /** Prints through a pager if the output is longer than the terminal. */
  page(print: Print): Promise<void>
  /** Prints JSON that is written part by part, as --jq produces it. */
  writeJson(print: Print): Promise<void>
}
