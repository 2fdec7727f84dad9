import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { safeSink } from '../../src/cli/terminal/streams.ts'
import type { World } from '../../src/cli/world.ts'
import type { Transport } from '../../src/contract/exchange.ts'
import { built } from './built.ts'
import { run } from './program.ts'

/** The time in all tests. */
export const testTime = new Date('2026-11-21T02:00:00Z')

/** The exit status and the output of a command line; bytes as characters up to 255. */
export interface Outcome {
  status: number
  out: string
  err: string
}

/** The parts of the world that a test can set. */
export interface Setup {
  /** Answers in place of the embedded calendar, for as long as the world exists. */
  transport?: Transport
  /** Opens a calendar file; for tests with a real one. */
  openCalendar?: World['openCalendar']
  /** The time, or a clock. */
  now?: Date | (() => Date)
  env?: Record<string, string>
  cwd?: string
  /** A terminal on all three streams, this many columns wide. */
  terminal?: number
  /** The height of the terminal; without it no pager is started. */
  rows?: number
  /** Stands for the pager: gets its command line, then reads until it returns false. Without it there is none. */
  pager?: (command: string) => (text: string) => boolean
  /**
   * What the user types at a terminal, a batch after each question; as `[first, sees, then]`, the rest once that can be seen.
   */
  keys?: readonly Keys[]
  /** Whether stdin is a pipe, though there is a terminal. */
  piped?: boolean
  /** Aborted when the user presses Ctrl-C. */
  stopping?: AbortSignal
  /** Called instead of opening a page in a browser. */
  openPage?: World['openPage']
  /** Called instead of waiting. */
  sleep?: World['sleep']
  /** A program that converses with the command: what it writes, and what it is told. */
  partner?: { readonly input: Readable; hear(text: string): void; notice?(text: string): void }
}

/** A batch of keys, or two of which the second waits until something is on the screen. */
export type Keys = string | readonly [first: string, sees: string, then: string]

/** The notice after a write of a single record: a sentence, and how to undo it. */
export const undoLine = (sentence: string): RegExp =>
  new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\. Undo: calctl undo [a-z\\d]{3}\n$`)

/** A function that runs one command line in this process, in a world made for the test. */
export function worldOf({
  transport = unanswered,
  openCalendar,
  now = testTime,
  env = {},
  cwd = '/',
  terminal,
  rows,
  pager,
  keys,
  piped = false,
  stopping = new AbortController().signal,
  sleep = async () => {},
  openPage = async () => {},
  partner,
}: Setup) {
  return async (line: string | readonly string[], stdin: string | Uint8Array = ''): Promise<Outcome> => {
    // Removed at the end of the test file.
    const stateHome = join(tmpdir(), 'state')
    const out: string[] = []
    const err: string[] = []
    const person = keys && typist(keys)
    const world: World = {
      args: typeof line === 'string' ? words(line) : line,
      env: { HOME: '/nowhere', XDG_STATE_HOME: stateHome, XDG_CACHE_HOME: stateHome, ...env },
      cwd,
      platform: 'linux',
      stdin: Object.assign(
        partner?.input ?? (piped ? undefined : person?.stdin) ?? Readable.from(stdin === '' ? [] : [stdin]),
        {
          isTTY: terminal !== undefined && !piped,
        },
      ),
      openKeyboard: () => (piped && person ? Object.assign(person.stdin, { isTTY: true }) : undefined),
      stdout: { ...sink(out, terminal, partner?.hear), rows },
      stderr: sink(err, terminal, person?.hear ?? partner?.notice),
      now: typeof now === 'function' ? now : () => now,
      sleep,
      timeZone: () => 'Europe/Madrid',
      openPage,
      startPager: async command => {
        const read = pager?.(command)
        return { write: async text => read?.(text) ?? false, end: async () => read !== undefined }
      },
      stopping: () => stopping,
      stopSignal: () => stopping,
      openCalendar: openCalendar ?? (async () => ({ transport, close: async () => {} })),
    }
    const status = await run(world)
    if (terminal === undefined) {
      await checkHints(err.join(''))
      await checkKeys(world.args, out.join(''), err.join(''))
    }
    return { status, out: out.join(''), err: err.join('') }
  }
}

/** Throws for a hint that suggests a command line that the program would refuse. */
async function checkHints(err: string): Promise<void> {
  const hints = err.split('\n').filter(line => line.startsWith('hint: ') && line.includes('calctl '))
  if (hints.length === 0 || built !== undefined) return
  const { unparsable } = await import('./hints.ts')
  const wrong = await unparsable(hints.join('\n'))
  if (wrong.length > 0) throw new Error(`the program refuses what a hint suggests: ${wrong.join(' | ')}`)
}

/** Commands whose JSON is made by others: answers of a service, records as they were answered, JSON Schema, and filters. */
const isOthers = (args: readonly string[]): boolean =>
  args.some(word => ['api', 'doc', 'routes', 'schema', 'export', '--jq'].includes(word) || word.startsWith('--jq=')) ||
  /\b(events|venues|organizers|categories|tags) (get|list)\b/.test(args.join(' '))

/** Throws for a key in JSON that docs/json.md does not explain. */
async function checkKeys(args: readonly string[], out: string, err: string): Promise<void> {
  if (built !== undefined || isOthers(args) || !args.some(word => /json$/.test(word))) return
  const { jsonIn, unknownKeys } = await import('./json-keys.ts')
  const unknown = await unknownKeys([...jsonIn(out), ...jsonIn(err)])
  if (unknown.length > 0) throw new Error(`keys of JSON that docs/json.md does not explain: ${unknown.join(', ')}`)
}

const unanswered: Transport = () => Promise.reject(new Error('this test has no calendar'))

/** A user at a terminal who types the next batch of keys whenever a question has been asked. */
function typist(keys: readonly Keys[]) {
  const stdin = new PassThrough()
  const left = [...keys]
  const answered = new Set<string>()
  let waiting: readonly [sees: string, then: string] | undefined
  const type = (text: string) => setImmediate(() => stdin.write(text))
  return {
    stdin,
    hear(text: string) {
      // Prompts are drawn again with every key.
      const shown = stripVTControlCharacters(text)
      if (waiting && shown.includes(waiting[0])) {
        type(waiting[1])
        waiting = undefined
        return
      }
      // The same question may be asked again once it has been answered.
      if (shown.includes('✔')) return answered.clear()
      const question = /\? (.*?(?: \([a-zA-Z](?:\/[a-zA-Z])+\)|:|$))/m.exec(shown)?.[1]
      if (question === undefined || [...answered].some(one => question.startsWith(one))) return
      answered.add(question)
      const batch = left.shift()
      // A question too many ends the command, so that the test fails at once.
      if (batch === undefined) return type('\u0003')
      const [first, sees, then] = typeof batch === 'string' ? [batch] : batch
      if (sees !== undefined && then !== undefined) waiting = [sees, then]
      type(first)
    },
  }
}

const sink = (into: string[], columns: number | undefined, hear: (text: string) => void = () => {}) =>
  safeSink({
    write: async text => {
      into.push(typeof text === 'string' ? text : Buffer.from(text).toString('latin1'))
      hear(String(text))
    },
    isTTY: columns !== undefined,
    columns,
  })

/** Splits a line as a shell does, with single and double quotes. */
export function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  )
}
