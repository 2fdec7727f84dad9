import type { Readable } from 'node:stream'
import type { CalendarPlace, OpenCalendar } from '../service/embedded.ts'

/** What is written: text, JSON, or text with colors and cursor movements of our own, in which foreign text is harmless already. */
export type TextForm = 'text' | 'json' | 'painted'

/** An output stream: `terminal/streams.ts` makes one of a stream of the process. */
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
  /** Resolves when more may be written, to false if nobody reads any more. */
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
  /** The exit status if the reader of stdout stops early (default: 0). */
  statusUnread?: number
  now(): Date
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The user's time zone. */
  timeZone(): string
  /** Aborted on SIGINT, SIGTERM and SIGHUP. A caller must stop cleanly then, because the signal no longer ends the process. */
  stopping(): AbortSignal
  /** The same for a caller that only waits: unless another one stops cleanly, the signal ends the process. */
  stopSignal(): AbortSignal
  /** Opens a page in the user's browser; rejects where there is none. */
  openPage(url: string): Promise<void>
  /** Starts a pager, which is a command line such as `less -R`. While it runs, Ctrl-C is for the pager. */
  startPager(command: string): Promise<Pager>
  /** Opens a file in an editor, which is a shell command, and returns its exit status. */
  edit(editor: string, file: string): Promise<number>
  /**
   * Opens a calendar in this process. With `onlyReads` a file is locked only while it is loaded, and what is read is a
   * snapshot. `notice` is told if another program changes the file meanwhile.
   */
  openCalendar(place: CalendarPlace, onlyReads: boolean, notice: (text: string) => void): Promise<OpenCalendar>
}
