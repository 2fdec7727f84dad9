import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendar } from '../support/calendar.ts'

/** A folder with these files, in which command lines are run, on a calendar of this time zone. */
export function folder(
  files: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
  timezone = 'Europe/Madrid',
) {
  const root = mkdtempSync(join(tmpdir(), 'sources-'))
  const cwd = join(root, 'folder')
  mkdirSync(cwd)
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const world = { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state'), ...env }
  const read = (name = 'sources.yaml') => readFileSync(join(cwd, name), 'utf8')
  return { calctl: calendar({ cwd, env: world, timezone }), cwd, root, write, read, env: world }
}
