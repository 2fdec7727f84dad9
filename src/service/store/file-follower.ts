import { existsSync, readdirSync } from 'node:fs'
import { basename, format, join, parse } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../base/failure.ts'
import { counted, nounFor } from '../../base/text/similarity.ts'
import { Refusal } from '../refusal.ts'
import { type CalendarContents, textOf } from './calendar-text.ts'
import {
  type Fingerprint,
  freePath,
  isSameFingerprint,
  isSameStamp,
  isSystemError,
  modeOf,
  replaceFile,
  stampOf,
} from './disk.ts'
import type { CalendarJournal } from './journal.ts'
import { type CalendarFile, contentsOf, readCalendarFile } from './load.ts'
import type { Rows, Site, TableName } from './rows.ts'
import type { RowChange } from './store.ts'
import { type Commit, restoring, rowKey, type Tables, withHeldRows } from './tables.ts'

/** Receives what people should know about a file that another program changed. */
export interface FileReport {
  notice(text: string): void
  warning(text: string): void
}

/** A calendar in memory, and the file that it was read from. */
interface Followed {
  readonly path: string
  readonly file: CalendarFile
  readonly tables: Tables
  /** Writes that are not in the file yet; a calendar that is only read has none. */
  readonly journal: CalendarJournal | undefined
  readonly now: () => Date
  readonly report?: FileReport | undefined
  readonly site: Site
}

/** Keeps a calendar in memory up to date with a file that other programs may change: editors, git, sync tools. */
export interface FileFollower {
  /** Whether the file is still the one that was read or written last, and nothing is to be resolved. */
  isCurrent(): boolean
  /** Reads a file that is no longer current, or sees why that cannot be done. Nothing may be written meanwhile. */
  catchUp(): Promise<void>
  /** Puts writes that cannot get into the file next to it; to be called before the file is closed. */
  leave(): Promise<void>
  /** The answer to writes while the file cannot be read, or has changes that would be lost. */
  obstacle(): Refusal | undefined
  /** Calls the listener when a changed file was read. */
  onReread(listener: () => void): void
  /** The settings of the calendar, which a changed file may change. */
  readonly site: Site
  /** Whether calctl wrote the file last, so that the journal can continue it. */
  readonly isUnedited: boolean
  /** To be called right after the file was written. */
  wrote(fingerprint: Fingerprint): void
  /** Remembers what was before a write, to notice if a changed file takes it back. */
  remember(commit: Commit): void
}

/** What keeps a changed file from being read, or a calendar from being written. */
interface Obstacle {
  readonly code: string
  readonly message: string
  /** In s, if waiting may help. */
  readonly retryAfter?: number
  /** The copy of the calendar in memory; the conflict is resolved once it is removed. */
  readonly copy?: string | undefined
}

/**
 * The file wins if it is sound and the calendar in memory has nothing that was not in it. If both have changed, neither is
 * overwritten: the calendar in memory stays, a copy of it is put next to the file, and writes are refused until a person removes
 * that copy; the file wins then.
 */
export function followFile({ path, tables, journal, now, report, ...opened }: Followed): FileFollower {
  let { stamp, fingerprint, isUnedited } = opened.file
  let { site } = opened
  let obstacle: Obstacle | undefined
  /** What rows were when the file was read, by table and ID, if they were written since. */
  const rowsBefore = new Map<string, Rows[TableName] | undefined>()

  const listeners: (() => void)[] = []

  const isResolved = () => obstacle?.copy !== undefined && stampOf(obstacle.copy) === undefined

  async function apply(found: CalendarFile, contents: CalendarContents): Promise<void> {
    const held = tables.snapshot()
    const { changes } = tables.commit(restoring(tables, withHeldRows(held, contents.start))).commit
    const isReverted = ({ table, id, after }: RowChange) =>
      rowsBefore.has(rowKey(table, id)) && isDeepStrictEqual(rowsBefore.get(rowKey(table, id)), after)
    const reverted = changes.filter(isReverted).length
    report?.notice(`another program changed ${path}; read it again: ${describe(changes)}`)
    if (reverted > 0) await keepReplaced({ site, start: held }, reverted)
    site = contents.site
    rowsBefore.clear()
    stamp = found.stamp
    fingerprint = found.fingerprint
    isUnedited = found.isUnedited
    journal?.discard(isUnedited ? fingerprint : undefined)
    for (const listener of listeners) listener()
  }

  /** An editor that was opened before the writes does not know of them. */
  async function keepReplaced(held: CalendarContents, reverted: number): Promise<void> {
    const copy = siblingOf(path, 'replaced')
    const what = `${counted(reverted, 'record')} written here ${nounFor(reverted, 'is', 'are')} in it as before`
    const problem = await copyTo(copy, held)
    report?.warning(`${what}; ${problem ?? `what was served until now is in ${copy}`}`)
  }

  /** Writes a copy of the calendar; returns why that is not possible. */
  async function copyTo(copy: string, contents: CalendarContents): Promise<string | undefined> {
    try {
      await replaceFile(copy, textOf(contents), { mode: modeOf(path) })
      return undefined
    } catch (error) {
      if (!isSystemError(error)) throw error
      return `the copy ${copy} cannot be written: ${error.code}`
    }
  }

  /** Puts a copy of the calendar next to the file, with what the journal has. */
  async function beginConflict(what: string): Promise<void> {
    const copy = freePath(number => siblingOf(path, number === 1 ? 'conflict' : `conflict-${number}`))
    const [here, other] = [basename(path), basename(copy)]
    const problem = await copyTo(copy, { site, start: tables.snapshot() })
    const code = 'calctl_file_conflict'
    if (problem) {
      if (obstacle?.code !== code) report?.warning(`${path} ${what}, and ${problem}; writes are refused`)
      obstacle = { code, message: `${here} ${what}, and ${problem.replace(copy, other)}. Free some space.` }
      return
    }
    journal?.discard()
    fingerprint = undefined
    rowsBefore.clear()
    obstacle = {
      code,
      copy,
      message: `${here} ${what}. Neither was overwritten: what is served here is in ${other}. Add what is missing to ${here}, then remove ${other}; writes are accepted again after that.`,
    }
    report?.warning(
      `${path} ${what}; neither is overwritten, and writes are refused. What is served is also in ${copy}.\nhint: add what is missing to ${here} and remove ${other}, or to keep what is served: mv ${copy} ${path}`,
    )
  }

  function refuseWrites(error: Failure | NodeJS.ErrnoException): void {
    const problem = error instanceof Failure ? error.message : `${path} cannot be read: ${error.code}`
    obstacle = {
      code: 'calctl_file_unreadable',
      message: `${problem.replaceAll(path, basename(path))}. Writes are accepted again when the file is fixed.`,
      retryAfter: 1,
    }
    report?.warning(`${problem}; still serving what it held before, and refusing writes until it is fixed`)
  }

  async function read(): Promise<void> {
    stamp = stampOf(path)
    isUnedited = false
    try {
      const { source, ...found } = readCalendarFile(path)
      if (source === undefined) {
        report?.warning(`${path} was removed; still serving what it held, and the next write creates it again`)
      } else if (isSameFingerprint(found.fingerprint, fingerprint)) {
        isUnedited = found.isUnedited
        if (obstacle) report?.notice(`${path} is as it was; writes are accepted again`)
      } else {
        const contents = await contentsOf(path, source, now())
        if (journal?.isEmpty === false) return await beginConflict('was changed by another program during writes')
        await apply(found, contents)
      }
      obstacle = undefined
    } catch (error) {
      if (!(error instanceof Failure || isSystemError(error))) throw error
      refuseWrites(error)
    }
  }

  return {
    isCurrent: () => isSameStamp(stampOf(path), stamp) && !isResolved(),
    async catchUp() {
      if (obstacle?.copy !== undefined && !isResolved()) stamp = stampOf(path)
      else await read()
    },
    async leave() {
      if (obstacle && journal?.isEmpty === false) await beginConflict('cannot be written')
    },
    obstacle: () => obstacle && refusalOf(obstacle),
    onReread(listener) {
      listeners.push(listener)
    },
    get site() {
      return site
    },
    get isUnedited() {
      return isUnedited
    },
    wrote(written) {
      stamp = stampOf(path)
      fingerprint = written
      isUnedited = true
    },
    remember({ changes }) {
      for (const { table, id, before } of changes) {
        const key = rowKey(table, id)
        if (!rowsBefore.has(key)) rowsBefore.set(key, before)
      }
    },
  }
}

const refusalOf = ({ code, message, retryAfter }: Obstacle): Refusal =>
  new Refusal(503, code, message, {}, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })

/** Refuses a write that met a change of the file at the same moment. */
export const changedMeanwhile = (): Refusal =>
  refusalOf({
    code: 'calctl_file_changed',
    message: 'Another program changed the calendar file at this moment. Nothing was written; try again.',
    retryAfter: 1,
  })

/** The copies of a calendar file that were made because both it and what was served had changed, the latest first. */
export function conflictCopies(path: string): string[] {
  const { dir, name, ext } = parse(path)
  if (!existsSync(dir)) return []
  const isCopy = (other: string) =>
    other.startsWith(`${name}.conflict`) &&
    /^(-\d+)?$/.test(parse(other).name.slice(`${name}.conflict`.length)) &&
    parse(other).ext === (ext || '.json')
  return readdirSync(dir)
    .filter(isCopy)
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map(other => join(dir, other))
}

/** `town.json` → `town.conflict.json` */
function siblingOf(path: string, word: string): string {
  const { dir, name, ext } = parse(path)
  return format({ dir, name: `${name}.${word}`, ext: ext || '.json' })
}

/** `1 record added, 2 changed, 1 removed` */
function describe(changes: readonly RowChange[]): string {
  const added = changes.filter(({ before }) => !before).length
  const removed = changes.filter(({ after }) => !after).length
  const changed = changes.length - added - removed
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const
  const [first, ...others] = parts.filter(([count]) => count > 0)
  if (!first) return 'no record differs'
  return [`${counted(first[0], 'record')} ${first[1]}`, ...others.map(part => part.join(' '))].join(', ')
}
