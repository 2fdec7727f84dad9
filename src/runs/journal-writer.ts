import { appendFileSync, closeSync, fdatasync, fsyncSync, openSync, rmSync, truncateSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure, type FailureKind } from '../failure.ts'
import { makeFolder } from '../fs.ts'
import type { Claim } from '../lock/lock.ts'
import { nameOf, self } from '../lock/owner.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { batches } from '../plan/spool.ts'
import { claimed, journalFile, unwritable } from './folder.ts'
import type { PastRun } from './journal-reader.ts'
import type { Result } from './result.ts'

/** The first line of a journal: the plan without its steps, which follow one a line. */
export interface Header {
  readonly calctl: 1
  readonly run: string
  /** When, as an ISO date. */
  readonly started: string
  readonly plan: Omit<Plan, 'steps' | 'invalid'>
  readonly steps: number
  /** The options that lead to where it is carried out: ` --profile site`. */
  readonly to: string
  /** The command that made the plan, by its name alone: `events update`. */
  readonly command?: string
  /** The run that this one undoes. */
  readonly undoes?: string
}

/** What follows the steps: a session each time somebody carries the plan out, and what happened to each step. */
export type Entry =
  | { readonly session: string; readonly at: number }
  /** About to be sent; for a create the highest ID made by then, for a delete those who lose the term. */
  | { readonly sent: string; readonly at: number; readonly newest?: number; readonly users?: Referrers }
  | {
      readonly done: string
      readonly id: number
      readonly isOthers?: true
      readonly left?: Values
      readonly failure?: Told
    }
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
export interface Journal extends Pick<Header, 'run' | 'to'> {
  readonly file: string
  /** Writes a line that outlives this process at once, and a crash of the machine soon. */
  write(entry: Entry): void
  close(): Promise<void>
}

/** Starts the journal of a run, named after the moment and claimed until it is closed: writes the plan, flushed. */
export function startJournal(
  folder: string,
  plan: Plan,
  { started, ...about }: Pick<Header, 'started' | 'to' | 'command' | 'undoes'>,
): Journal {
  const begun = { ...made(folder, started), to: about.to }
  const { run, file, fd, claim } = begun
  const { steps, invalid: _, ...head } = plan
  const header: Header = { calctl: 1, run, started, plan: head, steps: steps.length, ...about }
  try {
    appendFileSync(fd, lineOf(header))
    for (const some of batches(steps)) appendFileSync(fd, some.map(step => lineOf(withoutSecrets(step))).join(''))
    fsyncSync(fd)
    return journalOf(begun, Date.parse(started))
  } catch (error) {
    closeSync(fd)
    rmSync(file, { force: true })
    claim?.release()
    throw error instanceof Failure ? error : unwritten(file, error, 'nothing was sent; make room, then do it again')
  }
}

/** Goes on, now, with the journal of a run that was claimed, of so many bytes; what stands behind them is a line that was cut off. */
export function continueJournal({ run, file, length, header }: PastRun, now: number): Journal {
  try {
    truncateSync(file, length)
    return journalOf({ run, to: header.to, file, fd: openSync(file, 'a') }, now)
  } catch (error) {
    throw error instanceof Failure ? error : unwritten(file, error, `nothing was sent; ${goOn(run, header.to)}`)
  }
}

const sync = promisify(fdatasync)

function journalOf({ fd, claim, ...journal }: Begun, at: number): Journal {
  let flushing: Promise<void> | undefined
  let isDirty = false
  // One flush after another, for as long as there is something new: nobody waits for the disk but at the end.
  const flushAll = async () => {
    while (isDirty) {
      isDirty = false
      await sync(fd)
    }
    flushing = undefined
  }
  let broken: Failure | undefined
  const fail = (error: unknown): Failure =>
    unwritten(journal.file, error, `nothing more was sent; ${goOn(journal.run, journal.to)}`)
  const write = (entry: Entry) => {
    // What came after a line that was cut off would be read as a part of it.
    if (broken) throw broken
    try {
      appendFileSync(fd, lineOf(entry))
    } catch (error) {
      broken = fail(error)
      throw broken
    }
    isDirty = true
    flushing ??= flushAll()
    // Told when the journal is closed.
    flushing.catch(() => {})
  }
  write({ session: nameOf(self()), at })
  return {
    ...journal,
    write,
    async close() {
      try {
        await flushing
      } catch (error) {
        throw fail(error)
      } finally {
        closeSync(fd)
        claim?.release()
      }
    },
  }
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`

/** A journal that is open to be written. */
type Begun = Pick<Journal, 'run' | 'to' | 'file'> & { readonly fd: number; readonly claim?: Claim }

/** A new file named after a moment, claimed before it is there; runs that begin in the same second are numbered. */
function made(folder: string, started: string): Omit<Begun, 'to'> {
  const moment = started.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  try {
    makeFolder(folder, 0o700)
    for (let number = 1; ; number++) {
      const run = number === 1 ? moment : `${moment}-${number}`
      const file = journalFile(folder, run)
      const claim = claimed(file)
      const fd = claim && openNew(file)
      if (fd !== undefined) return { run, file, fd, claim }
      claim?.release()
    }
  } catch (error) {
    throw error instanceof Failure ? error : unwritable(folder, error)
  }
}

function openNew(file: string): number | undefined {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

const unwritten = (file: string, error: unknown, hint: string) =>
  new Failure('settings', `cannot write to the journal ${file}: ${(error as Error).message}`, { hint })

const goOn = (run: string, to: string) => `make room, then go on with: calctl runs resume ${run}${to}`

/** A step as it stands in a journal. */
export interface StepLine {
  readonly step: Step
  /** What unlocks a record, and is not written down: the names of those fields. */
  readonly withheld?: readonly string[]
}

function withoutSecrets(step: Step): StepLine {
  const { fields } = resourceNamed(step.resource)
  const withheld = Object.keys(step.values).filter(name => fields[name]?.queryOnly)
  if (withheld.length === 0) return { step }
  const values = Object.fromEntries(Object.entries(step.values).filter(([name]) => !withheld.includes(name)))
  return { step: { ...step, values }, withheld }
}

/** The line that says what became of a step; undefined where nothing was sent. */
export function entryOf(key: string, { state, id, isOthers, left, failure }: Result): Entry | undefined {
  const told = failure && toldOf(failure)
  if (state === 'done' && id !== undefined)
    return { done: key, id, ...(isOthers && { isOthers }), ...(left && { left }), ...(told && { failure: told }) }
  if (state === 'failed' && told) return { failed: key, failure: told }
  if (state === 'unknown' && told) return { unknown: key, failure: told }
  return undefined
}

const toldOf = ({ kind, message, details: { hint } }: Failure): Told => ({ kind, message, ...(hint && { hint }) })
