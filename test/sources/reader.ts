import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceWorld } from '../../src/cli/commands/sources/source-world.ts'
import { createApp } from '../../src/cli/create-app.ts'
import type { World } from '../../src/cli/world.ts'
import { readSource } from '../../src/sources/read-source.ts'
import type { Source, Validators } from '../../src/sources/source.ts'
import { readSourcesFile } from '../../src/sources/sources-file.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A folder with a `sources.yaml` of these sources, as a command reads them. */
export function reader(sources: readonly Source[], env: Record<string, string> = {}, calendar = '') {
  const root = mkdtempSync(join(tmpdir(), 'reader-'))
  const cwd = join(root, 'folder')
  mkdirSync(cwd)
  const path = join(cwd, 'sources.yaml')
  writeFileSync(path, JSON.stringify({ sources }))
  const homes = { HOME: root, XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state'), ...env }
  let now = testTime
  const stop = new AbortController().signal
  const stderr = { write: async () => {}, isTTY: false, columns: undefined }
  const world = {
    args: [],
    env: homes,
    cwd,
    platform: 'linux',
    now: () => now,
    sleep: async () => {},
    stderr,
    stopSignal: () => stop,
    stopping: () => stop,
  } as unknown as World
  const app = createApp(world, () => ({ retries: 0 }))
  const notices: string[] = []
  const reading = () =>
    sourceWorld(
      app,
      { path, text: readFileSync(path, 'utf8') },
      {
        notice: text => void notices.push(text),
        timezone: 'Europe/Madrid',
        agent: 'calctl (+https://town.example)',
        calendar,
      },
    )
  let shared = reading()
  /** Reads each source that the file has now, in order of their names here, or all. */
  const read = async (earlier?: Validators, name?: string) => {
    const file = await readSourcesFile(cwd)
    const source = file?.sources.find(source => name === undefined || source.name === name)
    if (!source) throw new Error('no such source')
    return readSource(source, earlier, shared)
  }
  return {
    cwd,
    root,
    world,
    notices,
    read,
    trust: () => worldOf({ cwd, env: homes })('trust'),
    write: (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text),
    /** A later command, at this time. */
    later(time = now) {
      now = time
      shared = reading()
    },
  }
}

/** The events of a reading by title and start, or why there are none. */
export const eventsOf = (reading: Awaited<ReturnType<typeof readSource>>): unknown =>
  reading.state === 'read'
    ? reading.records.map(({ values }) => [values.title, values.start_date])
    : reading.state === 'failed'
      ? reading.failure.message
      : reading.state
