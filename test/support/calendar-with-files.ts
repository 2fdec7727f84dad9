import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { calendar } from './calendar.ts'

/** A calendar with a temporary folder for its journals and for files to apply. */
export function calendarWithFiles(options: Parameters<typeof calendar>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const runs = join(folder, 'state/calctl/runs')
  const path = (name: string) => join(folder, name)
  return {
    calctl: calendar({ ...options, env: { XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1' } }),
    folder,
    path,
    text: (name: string) => readFileSync(path(name), 'utf8'),
    /** Writes a file and returns its path. */
    file(name: string, text: string | Uint8Array): string {
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

/** The required columns of an event, and a row with them. */
export const head = 'title,start_date,end_date\n'
export const row = (title: string) => `${title},2026-12-05 19:00,2026-12-05 21:00\n`
