import { copyFileSync, lstatSync, readFileSync } from 'node:fs'
import { badSettings, type Failure } from '../../base/failure.ts'
import { statOf, storedFileProblem } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import { type CalendarContents, hasChecksum, isUnedited, newSite, parse, readText } from './calendar-text.ts'
import { type FileStamp, type Fingerprint, fingerprintOf, freePath, isSystemError } from './disk.ts'
import { type CalendarJournalContents, isJournal, readCalendarJournal, replaying } from './journal.ts'
import type { Site } from './rows.ts'
import { createTables, emptySnapshot, type Tables } from './tables.ts'

/** A calendar file as it was found on disk. */
export interface CalendarFile {
  /** Taken before the file was read, so that a change during the reading is noticed later. */
  readonly stamp: FileStamp | undefined
  /** Undefined if there is no file. */
  readonly fingerprint: Fingerprint | undefined
  /** Whether calctl was the last to write it; values that are filled in for an edited file are not in the file. */
  readonly isUnedited: boolean
  /** Whether calctl wrote it, but something has changed it since: an editor, or a fault of the disk. */
  readonly isAltered: boolean
}

/** A calendar as it was found on disk, its journal replayed. */
export interface Loaded {
  readonly site: Site
  readonly tables: Tables
  readonly file: CalendarFile
  readonly journal: CalendarJournalContents
  /** The paths of copies of damaged journals. */
  readonly keptAside: readonly string[]
}

/** Which file to read, and how. */
export interface LoadOptions {
  readonly file: string
  readonly now: () => Date
  /** Settings that override those of the file. */
  readonly site?: Partial<Site>
  /** Opens what can be read of a damaged calendar, and keeps a copy of the journal. */
  readonly repair?: boolean
}

/** The path of a calendar file's journal. */
export const journalOf = (file: string) => `${file}.journal`

/** Reads the calendar file and its journal. A file that calctl did not write is checked completely. */
export async function load({ file: path, now, site: siteOptions, repair }: LoadOptions): Promise<Loaded> {
  const { source, ...file } = readCalendarFile(path)
  const found = readCalendarJournal(readJournal(journalOf(path)), file.fingerprint)
  const problem = problemOf(path, found, source !== undefined)
  if (problem && !repair) throw problem
  const keptAside = problem ? [keepAside(journalOf(path))] : []
  const journal = found.matchesFile ? found : { ...noJournal, length: found.length }
  const { site, start } = source ? await contentsOf(path, source, now()) : newCalendar(siteOptions)
  const tables = createTables(start)
  for (const entry of journal.entries) tables.commit(replaying(entry))
  return { site: { ...site, ...siteOptions }, tables, file, journal, keptAside }
}

/** The bytes that calctl wrote, or the parsed contents of a file from somebody else. */
type Source = Buffer | object

/** Reads and parses a calendar file. Its source is undefined if there is no file; `contentsOf` makes a calendar of it. */
export function readCalendarFile(path: string): CalendarFile & { readonly source: Source | undefined } {
  const stamp = statOf(path)
  const bytes = read(path)
  if (!bytes) return { stamp, fingerprint: undefined, isUnedited: false, isAltered: false, source: undefined }
  const ours = isUnedited(bytes)
  const isAltered = !ours && hasChecksum(bytes)
  const source = ours ? bytes : parse(path, bytes)
  return { stamp, fingerprint: fingerprintOf(bytes), isUnedited: ours, isAltered, source }
}

/** The calendar in a source. A file from somebody else is checked completely. */
export async function contentsOf(path: string, source: Source, now: Date): Promise<CalendarContents> {
  if (Buffer.isBuffer(source)) return readText(source)
  const { checkCalendar } = await import('./check/check-calendar.ts')
  return checkCalendar(path, source, now)
}

const noJournal: CalendarJournalContents = { matchesFile: false, entries: [], end: { size: 0, checksum: 0 }, length: 0 }

/** Reading the machine's time zone is slow, so it is skipped if the options set one. */
const newCalendar = ({ timezone }: Partial<Site> = {}): CalendarContents => ({
  site: timezone === undefined ? newSite() : { language: 'ca', timezone, quirks: false },
  start: emptySnapshot,
})

function problemOf(file: string, journal: CalendarJournalContents, hasFile: boolean): Failure | undefined {
  const path = journalOf(file)
  if (journal.damagedLine !== undefined)
    return badSettings(
      phrase('{file} is damaged at line {line}', { file: path, line: journal.damagedLine }),
      phrase('recover the part before that line, and keep a copy of the journal, with: {command}', {
        command: `calctl serve --repair --file ${file}`,
      }),
    )
  if (journal.matchesFile || journal.entries.length === 0) return undefined
  const message = hasFile
    ? phrase('{file} was edited although {journal} holds changes not yet written to it', { file, journal: path })
    : phrase('{file} was removed although {journal} holds changes not yet written to it', { file, journal: path })
  return badSettings(
    message,
    phrase('restore the file as it was, or open it without those changes with: {command}', {
      command: `calctl serve --repair --file ${file}`,
    }),
  )
}

/** The bytes of a journal; none if there is no file. A link, or a file of another user, must not be written to. */
function readJournal(path: string): Buffer {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  const bytes = isLink ? undefined : (read(path) ?? Buffer.alloc(0))
  if (bytes && isJournal(bytes)) return bytes
  const message = isLink
    ? phrase('{file} is a symbolic link', { file: path })
    : phrase('{file} is not a journal of calctl', { file: path })
  throw badSettings(
    message,
    phrase('calctl keeps its journal under that name: move it out of the way, or name another calendar file'),
  )
}

function keepAside(path: string): string {
  const aside = freePath(n => `${path}.aside${n === 1 ? '' : `-${n}`}`)
  copyFileSync(path, aside)
  return aside
}

function read(path: string): Buffer | undefined {
  const problem = storedFileProblem(path)
  if (problem !== undefined)
    throw badSettings(
      phrase('cannot open {file}: {reason}', { file: path, reason: problem }),
      phrase('name a calendar file of calctl, or move that out of the way'),
    )
  try {
    return readFileSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}
