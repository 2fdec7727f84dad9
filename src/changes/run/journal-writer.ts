import { closeSync, existsSync, fdatasync, fsyncSync, openSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { uptime } from 'node:os'
import { promisify } from 'node:util'
import { badSettings, Failure } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { type Lock, removeDeadLocks } from '../../base/lock/lock.ts'
import { currentOwner, ownerName } from '../../base/lock/owner.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Plan } from '../plan/plan.ts'
import { batches } from '../plan/spool.ts'
import { journalStep } from './journal-entries.ts'
import type { JournalEntry, JournalHeader } from './journal-format.ts'
import { createLineWriter } from './journal-lines.ts'
import type { JournaledRun } from './journal-reader.ts'
import { beginningExtension, folderNotWritable, isNameTaken, newRun, tryLockJournal } from './runs-folder.ts'

/** Records on disk what a run is going to do and what it has done. */
export interface Journal extends Pick<JournalHeader, 'run' | 'to'> {
  readonly file: string
  /** Whether another run wrote to the calendar until just now. */
  readonly hasWaited?: boolean
  /**
   * Appends an entry, which survives the end of this process at once, and a crash of the machine soon. False if it could not be written:
   * after a failed write, nothing more is written.
   */
  write(entry: JournalEntry): boolean
  /** Why entries are not on the disk; the run then sends no further step. */
  fault(): Failure | undefined
  close(): Promise<void>
  /** Closes and removes the journal, for a run that certainly changed nothing. */
  discard(): Promise<void>
}

/** A journal that is open for writing. */
interface OpenJournal extends Pick<Journal, 'run' | 'to' | 'file'> {
  readonly fd: number
  readonly writeLines: (values: readonly object[]) => void
  readonly lock?: Lock
  /** Called once it is closed. */
  readonly afterwards?: (() => Promise<void>) | undefined
}

/** Starts the journal of a run: writes the plan and flushes it. It is locked until it is closed. */
export function startJournal(
  folder: string,
  plan: Plan,
  { started, ...context }: Pick<JournalHeader, 'started' | 'to' | 'command'>,
): Journal {
  const { steps, invalid: _, undoes, ...planHead } = plan
  const headerOf = (run: string): JournalHeader => {
    return { calctl: 1, run, started, plan: planHead, steps: steps.length, ...context, ...(undoes && { undoes }) }
  }
  const created = createJournalFile(folder, started, headerOf)
  const { file, fd, lock } = created
  const journal = { ...created, to: context.to }
  try {
    for (const batch of batches(steps)) journal.writeLines(batch.map(journalStep))
    fsyncSync(fd)
    return journalOn(journal, Date.parse(started))
  } catch (error) {
    closeSync(fd)
    rmSync(file, { force: true })
    lock?.release()
    throw notStarted(file, error, phrase('free some space, then run the command again'))
  }
}

/** Opens the journal of a locked run for another session; cuts off an incomplete last line. */
export function continueJournal({ run, file, lines, header }: JournaledRun, now: number): Journal {
  let fd: number | undefined
  try {
    truncateSync(file, lines.length)
    fd = openSync(file, 'r+')
    return journalOn({ run, to: header.to, file, fd, writeLines: createLineWriter(fd, lines) }, now)
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw notStarted(
      file,
      error,
      phrase('free some space, then resume with: {command}', { command: `calctl runs resume ${run}${header.to}` }),
    )
  }
}

/** How long the machine has been running, in ms: unlike the clock, nobody can set it. */
export const upTime = (): number => Math.round(uptime() * 1000)

const sync = promisify(fdatasync)

function journalOn({ fd, writeLines, lock, afterwards, ...journal }: OpenJournal, at: number): Journal {
  let flushing: Promise<void> | undefined
  let isDirty = false
  // Flushes again for as long as there is something new; only the end waits for the disk.
  const flushAll = async () => {
    while (isDirty) {
      isDirty = false
      await sync(fd)
    }
    flushing = undefined
  }
  let fault: Failure | undefined
  const fail = (error: unknown) => {
    fault ??= new Failure(
      'settings',
      phrase('cannot write to the journal {file}: {reason}', { file: journal.file, reason: reason(error as Error) }),
    )
  }
  const append = (entry: JournalEntry) => {
    // The clock may be set back before the run is resumed.
    writeLines(['sent' in entry ? { ...entry, up: upTime() } : entry])
    isDirty = true
    flushing ??= flushAll().catch(fail)
  }
  const release = () => {
    closeSync(fd)
    lock?.release()
    return afterwards?.()
  }
  append({ session: ownerName(currentOwner()), at })
  return {
    ...journal,
    write(entry) {
      // After an incomplete line, an entry would be read as a part of that line.
      if (fault) return false
      try {
        append(entry)
      } catch (error) {
        fail(error)
      }
      return fault === undefined
    },
    fault: () => fault,
    async close() {
      await flushing
      await release()
    },
    async discard() {
      await flushing
      rmSync(journal.file, { force: true })
      await release()
    },
  }
}

/** A new file with its header, locked before it exists. */
function createJournalFile(
  folder: string,
  started: string,
  headerOf: (run: string) => JournalHeader,
): Omit<OpenJournal, 'to'> {
  const now = Date.parse(started)
  let lock: Lock | undefined
  try {
    makeFolder(folder, 0o700)
    removeDeadLocks(folder, () => true)
    for (let attempt = 0; ; attempt++) {
      const named = newRun(folder, now, attempt)
      const { run, file, isFirstOfDay } = named
      lock = tryLockJournal(file)
      const begun = lock && beginFile(file, headerOf(run))
      if (begun && !isNameTaken(folder, named))
        return {
          run,
          file,
          ...begun,
          lock,
          ...(isFirstOfDay && { afterwards: async () => (await import('./prune.ts')).pruneRuns(folder, now) }),
        }
      if (begun) {
        closeSync(begun.fd)
        rmSync(file, { force: true })
      }
      lock?.release()
      lock = undefined
    }
  } catch (error) {
    lock?.release()
    throw error instanceof Failure ? error : folderNotWritable(folder, error)
  }
}

/** Makes a file that has its header as soon as it is there; undefined if there is one. The caller has its lock. */
function beginFile(file: string, header: JournalHeader): Pick<OpenJournal, 'fd' | 'writeLines'> | undefined {
  if (existsSync(file)) return undefined
  const beginning = `${file}${beginningExtension}`
  rmSync(beginning, { force: true })
  const fd = openSync(beginning, 'wx', 0o600)
  try {
    const writeLines = createLineWriter(fd)
    writeLines([header])
    renameSync(beginning, file)
    return { fd, writeLines }
  } catch (error) {
    closeSync(fd)
    rmSync(beginning, { force: true })
    throw notStarted(file, error, phrase('free some space, then run the command again'))
  }
}

const notStarted = (file: string, error: unknown, hint: string) =>
  badSettings(
    phrase('cannot write to the journal {file}: {reason}; nothing was sent', { file, reason: reason(error as Error) }),
    hint,
  )
