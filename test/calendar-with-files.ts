import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { calendar } from './calendar.ts'

/** A calendar whose runs are kept in a folder of its own, with files to apply. */
export function calendarWithFiles(options: Parameters<typeof calendar>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const runs = join(folder, 'state/calctl/runs')
  const path = (name: string) => join(folder, name)
  return {
    calctl: calendar({ ...options, env: { XDG_STATE_HOME: join(folder, 'state') } }),
    folder,
    path,
    text: (name: string) => readFileSync(path(name), 'utf8'),
    /** A file of this text; its path. */
    file(name: string, text: string): string {
      writeFileSync(path(name), text)
      return path(name)
    },
    /** The lines of each journal, the earliest first. */
    journals: () =>
      readdirSync(runs)
        .map(name => name.replace('.ndjson', ''))
        .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .map(run =>
          readFileSync(join(runs, `${run}.ndjson`), 'utf8')
            .trim()
            .split('\n'),
        ),
  }
}

/** The columns that an event needs, and a row of them. */
export const head = 'title,start_date,end_date\n'
export const row = (title: string) => `${title},2026-12-05 19:00,2026-12-05 21:00\n`
