/**
 * The folder of journals, with a file for each run: `20261121-020000.000-k3f.ndjson` is the run `k3f`. Input: the folder, and what somebody
 * typed for a run. Output: the file of its journal, or a name for a new one.
 */

import { lstatSync, readdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { badSettings, conflict, type Failure } from '../../base/failure.ts'
import { reason } from '../../base/io-reasons.ts'
import { type Lock, lockHolder, tryLock } from '../../base/lock/lock.ts'
import { fnv1a } from '../../base/text/fnv1a.ts'
import { phrase } from '../../base/words/phrase.ts'

/** A run, and the file of its journal. */
export interface RunFile {
  /** What people type: `k3f`. Earlier versions named runs by their start: `20261121-020000`, `20261121-020000-2`. */
  readonly run: string
  readonly file: string
  /** Sorts runs by their start. */
  readonly order: string
}

/** The runs whose journals are in a folder, the latest first. */
export const listRuns = (folder: string): RunFile[] =>
  unsortedRuns(folder).toSorted((one, other) => (one.order < other.order ? 1 : -1))

function unsortedRuns(folder: string): RunFile[] {
  try {
    return readdirSync(folder).flatMap(name => runFile(folder, name) ?? [])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw badSettings(
      phrase('cannot read {file}: {reason}', { file: folder, reason: reason(error as Error, 'read') }),
      phrase('make the folder readable, or choose another with: XDG_STATE_HOME=…'),
    )
  }
}

function runFile(folder: string, fileName: string): RunFile | undefined {
  if (!fileName.endsWith(extension)) return undefined
  const name = fileName.slice(0, -extension.length)
  const [, second, ms, run = name, number = '0'] = /^(\d{8}-\d{6})(?:\.(\d{3})-([a-z\d]+)|-(\d+))?$/.exec(name) ?? []
  const order = second === undefined ? name : `${second}.${ms ?? number.padStart(3, '0')}`
  return { run, file: join(folder, fileName), order }
}

export const extension = '.ndjson'
/** The extension of a journal until its header is written. */
export const beginningExtension = '.new'

/** Removes the files of runs that were killed before their journals had a header, if they are older than a time in ms. */
export function removeBeginnings(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.endsWith(extension + beginningExtension) && lstatSync(path).mtimeMs < before) unlinkSync(path)
  }
}

/** Letters and digits that cannot be confused with one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/**
 * A name for a run that starts now, in ms. File names sort by start, even if the clock stands still or was set back: the name is then later
 * than the clock. `attempt` gives another name for the same moment.
 */
export function newRun(folder: string, started: number, attempt: number): RunFile & { isFirstOfDay: boolean } {
  const runs = unsortedRuns(folder)
  const isEarlier = (one: RunFile, other: RunFile) => momentPattern.test(other.order) && one.order < other.order
  const latest = runs.reduce<RunFile>((last, other) => (isEarlier(last, other) ? other : last), noRun)
  const moment = momentOf(Math.max(started, msOf(latest.order) + 1))
  const taken = new Set(runs.map(({ run }) => run))
  const length = runs.length < 1000 ? 3 : 5
  let run = shortName(`${moment} ${attempt}`, length)
  for (let other = 1; taken.has(run); other++) run = shortName(`${moment} ${attempt} ${other}`, length)
  const isFirstOfDay = dayOf(latest, started) < momentOf(started).slice(0, dayLength)
  return { run, file: join(folder, `${moment}-${run}${extension}`), order: moment, isFirstOfDay }
}

const noRun: RunFile = { run: '', file: '', order: '' }

/** The day of a run, from its file if its name is later than the clock. */
function dayOf({ file, order }: RunFile, now: number): string {
  const ms = order > momentOf(now) ? lstatSync(file, { throwIfNoEntry: false })?.mtimeMs : undefined
  return (ms === undefined ? order : momentOf(ms)).slice(0, dayLength)
}

const dayLength = 'YYYYMMDD'.length

/** A moment in a name, up to the year 8999, so that years never need a fifth digit. */
const momentPattern = /^[0-8]\d{7}-\d{6}\.\d{3}$/

/** When a run started according to its name, in ms; 0 if the name does not say. Later runs have later names, whatever the clock said. */
export const startOfRun = ({ order }: RunFile): number => msOf(order)

/** `20261121-020000.000` */
const momentOf = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 23).replaceAll(/[-:]/g, '').replace('T', '-')

/** The moment in ms; 0 for any other text. */
const msOf = (moment: string): number => {
  const iso = moment.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d\.\d{3})$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(iso) || 0
}

/** A short name made from a text, with both a letter and a digit, so that it is neither a word nor a number. */
function shortName(text: string, length: number): string {
  for (let round = 0; ; round++) {
    let hash = hashOf(`${text} ${round}`)
    let name = ''
    for (let index = 0; index < length; index++) {
      name += alphabet[hash % alphabet.length]
      hash = Math.floor(hash / alphabet.length)
    }
    if (/[a-z]/.test(name) && /\d/.test(name)) return name
  }
}

/** FNV-1a with a final mix, in 32 bits. */
function hashOf(text: string): number {
  const start = fnv1a(text)
  const hash = Math.imul(start ^ (start >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether another run in the folder has the same name: two processes that start at the same time may choose the same. */
export const isNameTaken = (folder: string, { run, file }: RunFile): boolean =>
  unsortedRuns(folder).some(other => other.run === run && other.file !== file)

/** Locks a run before its journal is read; throws `conflict` while another process executes it. */
export function lockRun(run: RunFile): Lock {
  const lock = tryLockJournal(run.file)
  if (lock) return lock
  throw runInProgress(run)
}

/** Locks a journal, whether or not it exists; undefined while another process has the lock. */
export function tryLockJournal(file: string): Lock | undefined {
  try {
    return tryLock(file)
  } catch (error) {
    throw folderNotWritable(dirname(file), error)
  }
}

export function runInProgress({ run, file }: Pick<RunFile, 'run' | 'file'>): Failure {
  const { pid } = lockHolder(file)
  return conflict(
    pid === undefined
      ? phrase('another process is executing run {run}', { run })
      : phrase('another process is executing run {run} (pid {pid})', { run, pid: String(pid) }),
    phrase('wait until it ends, or stop that process'),
  )
}

export const folderNotWritable = (folder: string, error: unknown): Failure =>
  badSettings(
    phrase('cannot write a journal in {folder}: {reason}; nothing was sent', {
      folder,
      reason: reason(error as Error),
    }),
    isFull(error)
      ? phrase('free some space, then run the command again')
      : phrase('make the folder writable, or choose another with: XDG_STATE_HOME=…'),
  )

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
