import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { Failure } from '../../failure.ts'
import { type CalendarContents, isReadable, newSite, parse, readText } from './calendar-text.ts'
import { fingerprintOf, isSystemError } from './disk.ts'
import { type CalendarJournalContents, readCalendarJournal, replaying } from './journal.ts'
import type { Site } from './rows.ts'
import { createTables, emptySnapshot, type Tables } from './tables.ts'

/** A calendar as it was found on disk, its journal replayed. */
export interface Loaded {
  readonly site: Site
  readonly tables: Tables
  readonly journal: CalendarJournalContents
  /** In bytes; undefined if there is no file. */
  readonly size: number | undefined
  /** The paths of copies of damaged journals. */
  readonly keptAside: readonly string[]
}

/** Which file to read, and what to make of it. */
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

/** Reads the calendar file and its journal. What calctl did not write itself is checked whole. */
export async function load({ file, now, site: siteOptions, repair }: LoadOptions): Promise<Loaded> {
  const bytes = read(file)
  const found = readCalendarJournal(read(journalOf(file)) ?? Buffer.alloc(0), bytes && fingerprintOf(bytes))
  const isOurs = bytes !== undefined && found.matchesFile && isReadable(bytes)
  const data = bytes && !isOurs ? parse(file, bytes) : undefined
  const problem = problemOf(file, found, bytes !== undefined)
  if (problem && !repair) throw problem
  const keptAside = problem ? [keepAside(journalOf(file))] : []
  const journal = found.matchesFile ? found : { ...noJournal, length: found.length }
  const edited = data && (await readEditedFile(file, data, now))
  const { site, start } = isOurs ? readText(bytes) : (edited ?? newCalendar(siteOptions))
  const tables = createTables(start)
  for (const entry of journal.entries) tables.commit(replaying(entry))
  return { site: { ...site, ...siteOptions }, tables, journal, size: bytes?.length, keptAside }
}

const noJournal: CalendarJournalContents = { matchesFile: false, entries: [], end: { size: 0, checksum: 0 }, length: 0 }

/** Reading the machine's time zone is slow, so it is skipped if the options set one. */
const newCalendar = ({ timezone }: Partial<Site> = {}): CalendarContents => ({
  site: timezone === undefined ? newSite() : { language: 'ca', timezone, quirks: false },
  start: emptySnapshot,
})

async function readEditedFile(file: string, data: object, now: () => Date): Promise<CalendarContents> {
  const { checkCalendar } = await import('./check/check-calendar.ts')
  return checkCalendar(file, data, now())
}

function problemOf(file: string, journal: CalendarJournalContents, hasFile: boolean): Failure | undefined {
  const path = journalOf(file)
  if (journal.damagedLine !== undefined)
    return new Failure('settings', `${path} is damaged at line ${journal.damagedLine}`, {
      hint: `open what comes before that line, and keep a copy of the journal, with: calctl serve --repair --file ${file}`,
    })
  if (journal.matchesFile || journal.entries.length === 0) return undefined
  const what = hasFile ? 'was edited' : 'was removed'
  return new Failure('settings', `${file} ${what} although ${path} holds changes not yet written to it`, {
    hint: `restore the file as it was, or open it without those changes with: calctl serve --repair --file ${file}`,
  })
}

function keepAside(path: string): string {
  let aside = `${path}.aside`
  for (let n = 2; existsSync(aside); n++) aside = `${path}.aside-${n}`
  copyFileSync(path, aside)
  return aside
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}
