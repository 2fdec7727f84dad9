import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenOptions, openStore } from '../../src/service/store/open-calendar-file.ts'
import type { TermRow } from '../../src/service/store/rows.ts'
import type { Writing } from '../../src/service/store/store.ts'

/** The time in the tests of the store. */
const now = () => new Date('2026-11-21T02:00:00Z')

/** A calendar file in a folder that is removed after the test. */
export function tempCalendarFile(texts: { calendar?: string; journal?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const file = join(folder, 'calendar.json')
  const journal = `${file}.journal`
  if (texts.calendar !== undefined) writeFileSync(file, texts.calendar)
  if (texts.journal !== undefined) writeFileSync(journal, texts.journal)
  return {
    folder,
    file,
    journal,
    read: () => readFileSync(file, 'utf8'),
    readJournal: () => readFileSync(journal, 'utf8'),
    edit: (change: (text: string) => string, path = file) => writeFileSync(path, change(readFileSync(path, 'utf8'))),
    open: (options: Partial<OpenOptions> = {}) =>
      openStore({ file, now, site: { timezone: 'Europe/Madrid' }, ...options }),
  }
}

/** A write that adds a tag. */
export const addTag =
  (name: string) =>
  (writing: Writing): TermRow => {
    const tag: TermRow = {
      id: writing.nextId('term'),
      lang_code: 'ca',
      slug: name.toLowerCase(),
      name,
      description: '',
    }
    writing.put('tags', tag)
    return tag
  }
