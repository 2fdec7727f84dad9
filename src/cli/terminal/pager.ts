import { once } from 'node:events'
import { phrase } from '../../base/words/phrase.ts'
import type { Globals, Pager, Sink, TextForm, World } from '../world.ts'
import { safeSink } from './streams.ts'
import { widthOf } from './table.ts'

/** The user has left the pager. */
class ReaderGone extends Error {}

/** In characters: this much is kept, to be printed if the pager cannot be started. A pager that has taken more is running. */
const keptLength = 200_000

/**
 * Prints to the terminal, or through a pager if the text is longer than the terminal. Short texts start no program. If the user leaves the
 * pager early, printing ends; if it cannot be started, the text is printed without it.
 */
export async function printPaged(
  { stdout, env, startPager }: World,
  { pager: isWanted, input }: Globals,
  print: (stdout: Sink) => Promise<void>,
  notice: (text: string) => Promise<void>,
): Promise<void> {
  const command = pagerCommand(env)
  if (isWanted === false || input === false || command === undefined) return print(stdout)
  const screen = new Screen(stdout, () => startPager(command))
  try {
    await print(screen.sink)
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error
  } finally {
    await screen.end()
  }
  if (screen.isPagerMissing && command !== defaultPager)
    await notice(phrase('cannot start the pager "{command}"; choose another with CALCTL_PAGER or PAGER', { command }))
}

const defaultPager = 'less'

/** The user's pager; undefined for none. */
function pagerCommand({ CALCTL_PAGER, PAGER, TERM }: World['env']): string | undefined {
  const command = (CALCTL_PAGER ?? PAGER ?? defaultPager).trim()
  return command === '' || command === 'cat' || TERM === 'dumb' ? undefined : command
}

/** Keeps what fits on the terminal; if there is more, everything goes to a pager. */
class Screen {
  readonly sink: Sink
  isPagerMissing = false
  readonly #stdout: Sink
  readonly #startPager: () => Promise<Pager>
  #kept: (readonly [text: string, form: TextForm | undefined])[] = []
  #length = 0
  #lines = 0
  #pager: Pager | undefined
  /** The pager, with text sanitized for it. */
  #paged: Sink | undefined

  constructor(stdout: Sink, startPager: () => Promise<Pager>) {
    this.#stdout = stdout
    this.#startPager = startPager
    this.sink = { ...stdout, write: (text, form) => this.#write(String(text), form) }
  }

  async #write(text: string, form: TextForm | undefined): Promise<void> {
    if (this.isPagerMissing) return this.#stdout.write(text, form)
    if (this.#length <= keptLength) this.#kept.push([text, form])
    this.#length += text.length
    if (this.#paged) return this.#paged.write(text, form)
    this.#lines += linesOf(text, this.#stdout.columns)
    if (this.#lines < (this.#stdout.rows ?? 0)) return
    await this.#openPager()
  }

  async #openPager(): Promise<void> {
    const pager = await this.#startPager()
    this.#pager = pager
    this.#paged = safeSink({ ...this.#stdout, write: text => this.#send(pager, String(text)) })
    for (const [text, form] of [...this.#kept]) await this.#paged?.write(text, form)
  }

  async #send(pager: Pager, text: string): Promise<void> {
    if (this.isPagerMissing || (await pager.write(text))) return
    await this.end()
    if (!this.isPagerMissing) throw new ReaderGone()
  }

  /** Prints what was kept, or waits until the user leaves the pager. */
  async end(): Promise<void> {
    if (this.isPagerMissing) return
    if (this.#pager && (await this.#pager.end())) return
    this.isPagerMissing = this.#pager !== undefined
    const kept = this.#kept
    this.#kept = []
    for (const [text, form] of kept) await this.#stdout.write(text, form)
  }
}

/** The number of lines that a text takes up on a terminal. */
function linesOf(text: string, columns: number | undefined): number {
  const lines = text.split('\n').slice(0, -1)
  if (!columns) return lines.length
  const height = (line: string) => (isShort(line, columns) ? 1 : Math.max(1, Math.ceil(widthOf(line) / columns)))
  return lines.reduce((sum, line) => sum + height(line), 0)
}

/** Whether a line fits even if all of its characters are wide; most lines do, and need not be measured. */
const isShort = (line: string, columns: number): boolean => line.length * 2 <= columns

/** The exit statuses of a shell for a command that cannot be executed, or not be found. */
const notStarted = new Set([126, 127])

/** Starts the command line of a pager; `ended` is called once it has ended. */
export async function startPager(command: string, env: NodeJS.ProcessEnv, ended: () => void): Promise<Pager> {
  const { spawn } = await import('node:child_process')
  // As for git: colours are passed on, and text that fits on the screen stays there. The text is UTF-8 even if the locale of LANG is not
  // installed, in which case less would show bytes instead of accents.
  // less does not say by itself how it is left.
  const prompt = `?e(END) .${phrase('q to leave, space to go on')}`
  const settings = { LESS: `FRX -Ps${prompt}`, LV: '-c', LESSCHARSET: 'utf-8', ...env }
  const [program = '', ...words] = command.trim().split(/\s+/)
  // Without a shell, a missing program is an error instead of a line from the shell on the screen.
  const isPlain = /^[\w\s./:=@%+,-]+$/.test(command)
  const child = spawn(isPlain ? program : command, isPlain ? words : [], {
    env: settings,
    stdio: ['pipe', 'inherit', 'inherit'],
    shell: !isPlain,
  })
  const { stdin } = child
  stdin.on('error', () => {})
  const isStarted = once(child, 'close').then(
    ([status]) => !notStarted.has(Number(status)),
    () => false,
  )
  void isStarted.then(ended)
  return {
    write: text => new Promise(resolve => stdin.write(text, error => resolve(!error))),
    async end() {
      stdin.end()
      return isStarted
    },
  }
}
