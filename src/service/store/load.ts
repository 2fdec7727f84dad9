import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { Failure } from '../../failure.ts'
import { type Calendar, isReadable, newSite, parse, readText } from './calendar-text.ts'
import { fingerprintOf, isSystemError } from './disk.ts'
import { type JournalContents, readJournal, replaying } from './journal.ts'
import type { Site } from './rows.ts'
import { createTables, emptySnapshot, type Tables } from './tables.ts'

/** A calendar as it was found on disk, its journal replayed. */
export interface Loaded {
  readonly site: Site
  readonly tables: Tables
  readonly journal: JournalContents
  /** In bytes; undefined where there is no file. */
  readonly size: number | undefined
  /** What had to be kept aside to go on. */
  readonly keptAside: readonly string[]
}

/** Which file to read, and what to make of it. */
export interface LoadOptions {
  readonly file: string
  readonly now: () => Date
  /** What holds whatever the file says. */
  readonly site?: Partial<Site>
  /** Goes on with what is sound, and keeps the rest aside. */
  readonly repair?: boolean
}

/** The path of a calendar file's journal. */
export const journalOf = (file: string) => `${file}.journal`

/** Reads the calendar file and its journal. What calctl did not write itself is checked whole. */
export async function load({ file, now, site: given, repair }: LoadOptions): Promise<Loaded> {
  const bytes = read(file)
  const found = readJournal(read(journalOf(file)) ?? Buffer.alloc(0), bytes && fingerprintOf(bytes))
  const isOurs = bytes !== undefined && found.knowsFile && isReadable(bytes)
  const data = bytes && !isOurs ? parse(file, bytes) : undefined
  const trouble = troubleOf(file, found, bytes !== undefined)
  if (trouble && !repair) throw trouble
  const keptAside = trouble ? [keepAside(journalOf(file))] : []
  const journal = found.knowsFile ? found : { ...unread, length: found.length }
  const { site, start } = isOurs ? readText(bytes) : data ? await checked(file, data, now) : newCalendar(given)
  const tables = createTables(start)
  for (const entry of journal.entries) tables.commit(replaying(entry))
  return { site: { ...site, ...given }, tables, journal, size: bytes?.length, keptAside }
}

const unread: JournalContents = { knowsFile: false, entries: [], end: { size: 0, checksum: 0 }, length: 0 }

/** The machine's time zone is slow to find out, and not asked for where one is given. */
const newCalendar = ({ timezone }: Partial<Site> = {}): Calendar => ({
  site: timezone === undefined ? newSite() : { language: 'ca', timezone, quirks: false },
  start: emptySnapshot,
})

async function checked(file: string, data: object, now: () => Date): Promise<Calendar> {
  const { checkCalendar } = await import('./check/check-calendar.ts')
  return checkCalendar(file, data, now())
}

function troubleOf(file: string, journal: JournalContents, hasFile: boolean): Failure | undefined {
  const path = journalOf(file)
  if (journal.damagedLine !== undefined)
    return new Failure('settings', `${path} is damaged in line ${journal.damagedLine}`, {
      hint: `keep the damaged journal aside and go on with what comes before with: calctl serve --repair --file ${file}`,
    })
  if (journal.knowsFile || journal.entries.length === 0) return undefined
  const what = hasFile ? 'was edited' : 'was removed'
  return new Failure('settings', `${file} ${what} while ${path} still had changes for it`, {
    hint: `put the file back as it was, or keep the journal aside and go on without its changes with: calctl serve --repair --file ${file}`,
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
