import { closeSync, fdatasync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure, type FailureKind } from '../failure.ts'
import type { Plan, Step } from './plan.ts'
import type { Result } from './result.ts'

/** The first line of a journal: the plan without its steps, which follow one a line. */
export interface Header {
  readonly calctl: 1
  readonly run: string
  /** When, as an ISO date. */
  readonly started: string
  readonly plan: Omit<Plan, 'steps' | 'invalid'>
  readonly steps: number
  /** The run that this one undoes. */
  readonly undoes?: string
}

/** What follows the steps: a session each time somebody carries the plan out, and what happened to each step. */
export type Entry =
  | { readonly session: string; readonly at: number }
  /** About to be sent. For a create: the highest ID known by then. */
  | { readonly sent: string; readonly at: number; readonly newest?: number }
  | { readonly done: string; readonly id: number; readonly left?: Values; readonly failure?: Told }
  | { readonly failed: string; readonly failure: Told }
  | { readonly unknown: string; readonly failure: Told }
  | { readonly ended: number }

/** A failure as it stands in a journal. */
export interface Told {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string
}

/** Keeps on disk what a run is about to do and what it did. */
export interface Journal {
  readonly run: string
  readonly file: string
  /** Writes a line that outlives this process. */
  write(entry: Entry): void
  /** Resolves when all that was written outlives the machine. */
  flush(): Promise<void>
  close(): void
}

/** Starts the journal of a run: writes the plan, flushed. */
export function startJournal(
  folder: string,
  plan: Plan,
  { run, started, undoes }: Pick<Header, 'run' | 'started' | 'undoes'>,
): Journal {
  const file = join(folder, `${run}.ndjson`)
  const { steps, invalid: _, ...head } = plan
  const header: Header = { calctl: 1, run, started, plan: head, steps: steps.length, ...(undoes && { undoes }) }
  const fd = made(file)
  writeSync(fd, lineOf(header))
  for (let from = 0; from < steps.length; from += batch)
    writeSync(
      fd,
      steps
        .slice(from, from + batch)
        .map(step => lineOf({ step: withoutSecrets(step) }))
        .join(''),
    )
  fsyncSync(fd)
  return journalOf(run, file, fd)
}

/** Goes on with a journal of so many bytes; what stands behind them is a line that was cut off. */
export function continueJournal(run: string, file: string, length: number): Journal {
  const fd = openSync(file, 'r+')
  ftruncateSync(fd, length)
  closeSync(fd)
  return journalOf(run, file, openSync(file, 'a'))
}

/** How many steps are written at once. */
const batch = 500

const sync = promisify(fdatasync)

function journalOf(run: string, file: string, fd: number): Journal {
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return {
    run,
    file,
    write: entry => {
      writeSync(fd, lineOf(entry))
    },
    // Whoever comes while one flush is under way shares the next one.
    flush: () => {
      waiting ??= running.then(() => {
        waiting = undefined
        running = sync(fd)
        return running
      })
      return waiting
    },
    close: () => closeSync(fd),
  }
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`

function made(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    throw new Failure('settings', `cannot keep a journal in ${dirname(file)}: ${(error as Error).message}`, {
      hint: 'make the folder writable, or name another with: XDG_STATE_HOME=…',
    })
  }
}

/** What unlocks a record is not written down. */
function withoutSecrets(step: Step): Step {
  const { fields } = resourceNamed(step.resource)
  return {
    ...step,
    values: Object.fromEntries(Object.entries(step.values).filter(([name]) => !fields[name]?.itemOnly)),
  }
}

/** The line that says what became of a step; undefined where nothing was sent. */
export function entryOf(key: string, { state, id, failure }: Result, left?: Values): Entry | undefined {
  const told = failure && toldOf(failure)
  if (state === 'done' && id !== undefined)
    return { done: key, id, ...(left && { left }), ...(told && { failure: told }) }
  if (state === 'failed' && told) return { failed: key, failure: told }
  if (state === 'unknown' && told) return { unknown: key, failure: told }
  return undefined
}

const toldOf = ({ kind, message, details: { hint } }: Failure): Told => ({ kind, message, ...(hint && { hint }) })
