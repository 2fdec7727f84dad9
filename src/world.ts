import type { Readable } from 'node:stream'
import type { Transport } from './contract/exchange.ts'

/** Where text goes. `write` resolves when more may be written. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** Width in columns; undefined where it has none. */
  readonly columns: number | undefined
}

/** Everything outside the program, made once in `main.ts` and faked whole in tests. */
export interface World {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  /** The exit status of a command whose answer nobody reads to the end; 0 unless it is set. */
  statusUnread?: number
  now(): Date
  /** Resolves after so many ms. */
  sleep(ms: number): Promise<void>
  /** The time zone of whoever looks. */
  timeZone(): string
  /** Aborted when the process is asked to stop (SIGINT, SIGTERM, SIGHUP); who calls this ends in good order then. */
  stopping(): AbortSignal
  /** Opens a file in an editor, given as a shell would take it, and waits; answers the editor's exit status. */
  edit(editor: string, file: string): Promise<number>
  /** Opens a calendar in this process; who only reads does not keep it from others. */
  openCalendar(place: CalendarPlace, onlyReads: boolean): Promise<OpenCalendar>
}

/** A calendar that needs no network: a JSON file, or the demo in memory. */
export type CalendarPlace = { readonly file: string } | { readonly demo: true }

/** A calendar in this process, and how to let go of it. */
export interface OpenCalendar {
  readonly transport: Transport
  close(): Promise<void>
}
