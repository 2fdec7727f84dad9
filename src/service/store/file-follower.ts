import { existsSync, readdirSync } from 'node:fs'
import { basename, format, join, parse } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../base/failure.ts'
import { statOf } from '../../base/fs.ts'
import { inEnglish, phrase } from '../../base/words/phrase.ts'
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
} from './disk.ts'
import type { CalendarJournal } from './journal.ts'
import { type CalendarFile, contentsOf, type Loaded, readCalendarFile } from './load.ts'
import type { Rows, Site, TableName } from './rows.ts'
import type { RowChange } from './store.ts'
import { type Commit, restoring, rowKey, withHeldRows } from './tables.ts'

/** Receives sentences about a file that another program has changed. */
export interface FileReport {
  notice(text: string): void
  warning(text: string): void
}

/** A calendar in memory, and the file from which it was read. */
interface Followed extends Pick<Loaded, 'file' | 'tables' | 'site'> {
  readonly path: string
  /** Writes that are not in the file yet; a calendar that is only read has none. */
  readonly journal: CalendarJournal | undefined
  readonly now: () => Date
  readonly report?: FileReport | undefined
}

/** Why a changed file cannot be read, or a calendar cannot be written. */
interface Obstacle {
  readonly code: string
  readonly message: string
  /** In s, if waiting may help. */
  readonly retryAfter?: number
  /** The copy of the calendar in memory; the conflict is resolved once it is removed. */
  readonly copy?: string | undefined
}

/**
 * Keeps a calendar in memory up to date with a file that other programs may change: editors, git, sync tools. The file wins if it is sound
 * and contains everything in memory. If both have changed, neither is overwritten: the calendar in memory stays, a copy of it is put next
 * to the file, and writes are refused until a person removes that copy; then the file wins.
 */
export class FileFollower {
  readonly #followed: Followed
  #file: Pick<CalendarFile, 'stamp' | 'fingerprint' | 'isUnedited'>
  #site: Site
  #obstacle: Obstacle | undefined
  /** The rows that have been written since the file was read, as they were then, by table and ID. */
  readonly #rowsBefore = new Map<string, Rows[TableName] | undefined>()
  readonly #listeners: (() => void)[] = []

  constructor(followed: Followed) {
    this.#followed = followed
    this.#file = followed.file
    this.#site = followed.site
  }

  /** The settings of the calendar, which a changed file may change. */
  get site(): Site {
    return this.#site
  }

  /** Whether calctl was the last to write the file, so that the journal can continue it. */
  get isUnedited(): boolean {
    return this.#file.isUnedited
  }

  /** Whether the file is still as it was last read or written, and there is nothing to resolve. */
  isCurrent(): boolean {
    return isSameStamp(statOf(this.#followed.path), this.#file.stamp) && !this.#isResolved()
  }

  /** The answer to writes while the file cannot be read, or contains changes that would be lost. */
  obstacle(): Refusal | undefined {
    return this.#obstacle && refusalOf(this.#obstacle)
  }

  /** Calls the listener after a changed file has been read. */
  onReread(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Reads a file that has changed, or finds out why that is not possible. Nothing may be written at the same time. */
  async catchUp(): Promise<void> {
    const isStuck = this.#obstacle?.copy !== undefined && !this.#isResolved()
    this.#file = { ...this.#file, stamp: statOf(this.#followed.path) }
    if (isStuck) return
    try {
      await this.#read()
    } catch (error) {
      if (!(error instanceof Failure || isSystemError(error))) throw error
      this.#refuseWrites(error)
    }
  }

  /** Puts writes that cannot be saved in the file next to it; to be called before the file is closed. */
  async leave(): Promise<void> {
    if (this.#obstacle && this.#hasUnsaved()) await this.#beginConflict(unwritable)
  }

  /** To be called just after the file was written. */
  wrote(fingerprint: Fingerprint): void {
    this.#file = { stamp: statOf(this.#followed.path), fingerprint, isUnedited: true }
  }

  /** Remembers rows as they were before a write, to notice if a changed file reverts it. */
  remember({ changes }: Commit): void {
    for (const { table, id, before } of changes) {
      const key = rowKey(table, id)
      if (!this.#rowsBefore.has(key)) this.#rowsBefore.set(key, before)
    }
  }

  #isResolved(): boolean {
    return this.#obstacle?.copy !== undefined && statOf(this.#obstacle.copy) === undefined
  }

  #hasUnsaved(): boolean {
    return this.#followed.journal?.isEmpty === false
  }

  async #read(): Promise<void> {
    const { path, now, report } = this.#followed
    this.#file = { ...this.#file, isUnedited: false }
    const { source, ...found } = readCalendarFile(path)
    if (source === undefined) {
      report?.warning(
        phrase('{file} was removed; its contents are still served, and the next write creates it again', {
          file: path,
        }),
      )
    } else if (isSameFingerprint(found.fingerprint, this.#file.fingerprint)) {
      this.#file = { ...this.#file, isUnedited: found.isUnedited }
      if (this.#obstacle) report?.notice(phrase('{file} is as it was; writes are accepted again', { file: path }))
    } else {
      const contents = await contentsOf(path, source, now())
      if (this.#hasUnsaved()) return await this.#beginConflict(changedDuringWrites)
      await this.#apply(found, contents)
    }
    this.#obstacle = undefined
  }

  async #apply(found: CalendarFile, contents: CalendarContents): Promise<void> {
    const { path, tables, journal, report } = this.#followed
    const held = tables.snapshot()
    const { changes } = tables.commit(restoring(tables, withHeldRows(held, contents.start))).commit
    const before = this.#rowsBefore
    const isReverted = ({ table, id, after }: RowChange) =>
      before.has(rowKey(table, id)) && isDeepStrictEqual(before.get(rowKey(table, id)), after)
    const reverted = changes.filter(isReverted).length
    report?.notice(
      phrase('another program changed {file}; read it again: {changes}', { file: path, changes: describe(changes) }),
    )
    if (reverted > 0) await this.#keepReplaced({ site: this.#site, start: held }, reverted)
    this.#site = contents.site
    before.clear()
    this.#file = found
    journal?.discard(found.isUnedited ? found.fingerprint : undefined)
    for (const listener of this.#listeners) listener()
  }

  /** An editor that was opened before the writes does not have them. */
  async #keepReplaced(held: CalendarContents, reverted: number): Promise<void> {
    const { path, report } = this.#followed
    const copy = siblingOf(path, 'replaced')
    const code = await this.#copyTo(copy, held)
    report?.warning(
      phrase(
        'the file has earlier versions of {count, plural, one {# record} other {# records}} written here; {copied}',
        {
          count: reverted,
          copied:
            code === undefined
              ? phrase('the calendar served until now is in {copy}', { copy })
              : copyProblem(copy, code),
        },
      ),
    )
  }

  /** Writes a copy of the calendar; returns the error code if that is not possible. */
  async #copyTo(copy: string, contents: CalendarContents): Promise<string | undefined> {
    try {
      await replaceFile(copy, textOf(contents), { mode: modeOf(this.#followed.path) })
      return undefined
    } catch (error) {
      if (!isSystemError(error)) throw error
      return String(error.code)
    }
  }

  /** Puts a copy of the calendar next to the file, with what the journal has. */
  async #beginConflict(stateOf: (file: string) => string): Promise<void> {
    const { path, tables, journal, report } = this.#followed
    const copy = freePath(number => siblingOf(path, number === 1 ? 'conflict' : `conflict-${number}`))
    const [here, other] = [basename(path), basename(copy)]
    const failed = await this.#copyTo(copy, { site: this.#site, start: tables.snapshot() })
    const code = 'calctl_file_conflict'
    const state = stateOf(path)
    const answer = inEnglish(() => stateOf(here))
    if (failed !== undefined) {
      const problem = copyProblem(copy, failed)
      if (this.#obstacle?.code !== code)
        report?.warning(phrase('{state}, and {problem}; writes are refused', { state, problem }))
      const said = inEnglish(() => copyProblem(other, failed))
      this.#obstacle = { code, message: `${answer}, and ${said}. Free some space.` }
      return
    }
    journal?.discard()
    this.#file = { ...this.#file, fingerprint: undefined }
    this.#rowsBefore.clear()
    this.#obstacle = {
      code,
      copy,
      message: `${answer}. Neither was overwritten: what is served here is in ${other}. Add what is missing to ${here}, then remove ${other}; writes are accepted again after that.`,
    }
    const hint = phrase('hint: {hint}', {
      hint: phrase('add the missing records to {file} and remove {copy}, or keep the served calendar with: {command}', {
        file: here,
        copy: other,
        command: `mv ${copy} ${path}`,
      }),
    })
    report?.warning(
      `${phrase('{state}; neither is overwritten, and writes are refused. The served calendar is also in {copy}.', { state, copy })}\n${hint}`,
    )
  }

  #refuseWrites(error: Failure | NodeJS.ErrnoException): void {
    const { path, report } = this.#followed
    const problem =
      error instanceof Failure
        ? error.message
        : phrase('{file} cannot be read: {code}', { file: path, code: String(error.code) })
    this.#obstacle = {
      code: 'calctl_file_unreadable',
      message: `${basename(path)} cannot be read, and the log of the server says why. Writes are accepted again when the file is fixed.`,
      retryAfter: 1,
    }
    report?.warning(
      phrase('{problem}; its earlier contents are still served, and writes are refused until it is fixed', { problem }),
    )
  }
}

const unwritable = (file: string): string => phrase('{file} cannot be written', { file })

const changedDuringWrites = (file: string): string =>
  phrase('{file} was changed by another program during writes', { file })

const copyProblem = (copy: string, code: string): string =>
  phrase('the copy {copy} cannot be written: {code}', { copy, code })

const refusalOf = ({ code, message, retryAfter }: Obstacle): Refusal =>
  new Refusal(503, code, message).with({
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  })

/** Refuses a write at the same moment as a change of the file. */
export const changedMeanwhile = (): Refusal =>
  refusalOf({
    code: 'calctl_file_changed',
    message: 'Another program changed the calendar file at this moment. Nothing was written; try again.',
    retryAfter: 1,
  })

/** The copies of a calendar file that were made because both the file and the served calendar had changed, the latest first. */
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

/** `1 record added, 2 records changed` */
function describe(changes: readonly RowChange[]): string {
  const added = changes.filter(({ before }) => !before).length
  const removed = changes.filter(({ after }) => !after).length
  const changed = changes.length - added - removed
  const parts = [
    ...(added > 0 ? [phrase('{count, plural, one {# record added} other {# records added}}', { count: added })] : []),
    ...(changed > 0
      ? [phrase('{count, plural, one {# record changed} other {# records changed}}', { count: changed })]
      : []),
    ...(removed > 0
      ? [phrase('{count, plural, one {# record removed} other {# records removed}}', { count: removed })]
      : []),
  ]
  return parts.length > 0 ? parts.join(', ') : phrase('no record differs')
}
