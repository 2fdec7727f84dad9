import { dirname, join } from 'node:path'
import { conflict, Failure } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { type LockHolder, lockFile, lockHolder, tryLock } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Plan } from '../plan/plan.ts'
import type { Journal } from './journal-writer.ts'
import { folderNotWritable } from './runs-folder.ts'

interface TurnOptions {
  /** The command of the run, for the messages of others that wait for it. */
  readonly command: string
  /** When the run starts. */
  readonly now: Date
  /** Called only if there is something to wait for. */
  signal(): AbortSignal
  sleep(ms: number): Promise<void>
  /** How long to wait for another run on the same calendar, in ms. */
  readonly wait?: number | undefined
  /** Called before a wait that was asked for, with a sentence about it. */
  onWait?(text: string): Promise<void>
}

/** How long a run waits by default for another one on the same calendar, in ms. */
const patience = 5000

/**
 * Opens the journal of a run once no other run on this machine writes to the same calendar; closing it lets the next run begin. Calendar
 * files have a lock of their own.
 */
export async function takeTurn<J extends Journal>(
  folder: string,
  { calendar }: Pick<Plan, 'calendar'>,
  options: TurnOptions,
  open: () => J,
): Promise<J> {
  if (calendar.id.startsWith('file:')) return open()
  const file = join(folder, fileNameOf(calendar.id))
  const { lock, hasWaited } = await lockTarget(file, calendar.label, options)
  try {
    const journal = open()
    const release = () => lock.release()
    return {
      ...journal,
      hasWaited,
      close: () => journal.close().finally(release),
      discard: () => journal.discard().finally(release),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** `https-example.org-calendar-events-v1`; only its end if it is very long. */
const fileNameOf = (id: string): string => id.replaceAll(/[^\w.]+/g, '-').slice(-100)

async function lockTarget(file: string, label: string, options: TurnOptions) {
  const { command, now, signal, sleep, wait = patience, onWait } = options
  const note = phrase('calctl {command}, since {time}', { command, time: now.toTimeString().slice(0, 8) })
  const sentence = ({ pid, note: other }: LockHolder) =>
    phrase('another run is writing to {calendar}: {command}, pid {pid}', {
      calendar: label,
      command: other || phrase('an unknown command'),
      pid: String(pid),
    })
  const inUse = (holder: LockHolder) =>
    conflict(
      sentence(holder),
      phrase(
        'nothing was sent; wait until that run ends, or stop it, and run the command again, with --wait 10m to wait longer',
      ),
    )
  try {
    makeFolder(dirname(file), 0o700)
    const free = tryLock(file, note)
    if (!free && wait > patience)
      await onWait?.(phrase('{sentence}; waiting for it to end', { sentence: sentence(lockHolder(file)) }))
    const lock = free ?? (await lockFile(file, { wait, note, signal: signal(), sleep, inUse }))
    return { lock, hasWaited: free === undefined }
  } catch (error) {
    throw error instanceof Failure ? error : folderNotWritable(dirname(file), error)
  }
}
