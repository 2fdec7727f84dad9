import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { Failure } from '../../failure.ts'
import { fingerprintOf, isSystemError } from './disk.ts'
import { replaying } from './entries.ts'
import { type JournalContents, readJournal } from './journal.ts'
import { type CalendarFile, formatVersion, unpackAll } from './layout.ts'
import type { Site } from './rows.ts'
import type { Snapshot } from './store.ts'
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

export interface LoadOptions {
  readonly file: string
  readonly now: () => Date
  /** What holds whatever the file says. */
  readonly site?: Partial<Site>
  /** Goes on with what is sound, and keeps the rest aside. */
  readonly repair?: boolean
}

export const journalOf = (file: string) => `${file}.journal`

/** Reads the calendar file and its journal. What calctl did not write itself is checked whole. */
export async function load({ file, now, site, repair }: LoadOptions): Promise<Loaded> {
  const bytes = read(file)
  const data = bytes && parse(file, bytes)
  const found = readJournal(read(journalOf(file)) ?? Buffer.alloc(0), bytes && fingerprintOf(bytes))
  const trouble = troubleOf(file, found, bytes !== undefined)
  if (trouble && !repair) throw trouble
  const keptAside = trouble ? [keepAside(journalOf(file))] : []
  const journal = found.knowsFile ? found : { ...unread, length: found.length }
  const calendar = await readCalendar(file, data, { isTrusted: found.knowsFile, now, site })
  const tables = createTables(calendar.start)
  for (const entry of journal.entries) tables.commit(replaying(entry))
  return { site: calendar.site, tables, journal, size: bytes?.length, keptAside }
}

const unread: JournalContents = { knowsFile: false, entries: [], end: { size: 0, checksum: 0 }, length: 0 }

interface Calendar {
  readonly site: Site
  readonly start: Snapshot
}

async function readCalendar(
  file: string,
  data: object | undefined,
  { isTrusted, now, site = {} }: { isTrusted: boolean; now: () => Date; site: Partial<Site> | undefined },
): Promise<Calendar> {
  if (!data) {
    const timezone = site.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    return { site: { language: 'ca', quirks: false, ...site, timezone }, start: emptySnapshot }
  }
  if (isTrusted) {
    const ours = data as CalendarFile
    return { site: { ...ours.site, ...site }, start: { rows: unpackAll(ours), sequence: ours.sequence } }
  }
  const { checkCalendar } = await import('./check/calendar.ts')
  return checkCalendar(file, data, { now, site })
}

/** What of a file can be read at all: that it is JSON, and a calendar, and of this version. */
function parse(file: string, bytes: Buffer): object {
  const data = parseJson(file, bytes.toString('utf8'))
  if (typeof data !== 'object' || data === null || !('calctl' in data))
    throw new Failure('settings', `${file} is not a calendar of calctl`, {
      hint: `a calendar file begins with {"calctl": ${formatVersion}, …}; name another file, or one that does not exist yet`,
    })
  if (data.calctl === formatVersion) return data
  throw new Failure('settings', `${file} is from a newer calctl: it says "calctl": ${JSON.stringify(data.calctl)}`, {
    hint: `this one reads "calctl": ${formatVersion}; update it. The file was left as it is`,
  })
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const before = text.slice(0, soundLength(text)).split('\n')
    const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new Failure('settings', `${file} is not valid JSON: ${where}`, { hint: 'correct it there, then try again' })
  }
}

/** How much of a text could be the beginning of JSON. Node says only sometimes where it stopped. */
function soundLength(text: string): number {
  let [sound, unsound] = [0, text.length + 1]
  while (unsound - sound > 1) {
    const middle = (sound + unsound) >> 1
    if (isBeginning(text.slice(0, middle))) sound = middle
    else unsound = middle
  }
  return sound
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    return /end of JSON|Unterminated/.test(message) || message.includes(`at position ${text.length}`)
  }
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
