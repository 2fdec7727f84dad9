import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, readStoredFile, storedFileProblem } from '../fs.ts'

/** A line of a file in which calctl notes what it found out about sites. */
interface SiteNote {
  readonly site: string
}

/** The notes about a site, the latest last. A file that cannot be read is as good as an empty one. */
export function notesOf<Note extends SiteNote>(file: string, site: string): Note[] {
  let text = ''
  try {
    text = readStoredFile(file)
  } catch {}
  return text
    .split('\n')
    .map(parseLine)
    .filter((note): note is Note => note?.site === site)
}

/** Adds a note. Notes are only appended, so that processes need not wait for one another; one that cannot be written is left out. */
export function addNote<Note extends SiteNote>(file: string, note: Note): void {
  // Nobody may ever read from a pipe.
  if (storedFileProblem(file) !== undefined) return
  try {
    makeFolder(dirname(file), 0o700)
    // A line that a killed process left unfinished stays a line of its own.
    appendFileSync(file, `\n${JSON.stringify(note)}`, { mode: 0o600 })
  } catch {}
}

/** A line that another process is just writing is not complete. */
function parseLine(line: string): SiteNote | null | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
