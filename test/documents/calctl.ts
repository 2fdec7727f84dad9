import { fstatSync, statSync } from 'node:fs'
import { run } from '../../src/program.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { safeSink } from '../../src/terminal/streams.ts'
import type { Sink, World } from '../../src/world.ts'

/**
 * calctl as the documents run it (`terminal.ts` bundles this file and puts it on the PATH). It differs from the real one in
 * two ways: it takes the time from CALCTL_NOW, and it takes the file CALCTL_SCREEN for a terminal, so that a command that
 * writes there prints a table, and one that writes into a pipe or another file does not.
 */
const { CALCTL_NOW = '', CALCTL_SCREEN = '', CALCTL_COLUMNS, ...env } = process.env
const now = () => new Date(CALCTL_NOW)
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())

function sink(stream: NodeJS.WriteStream, isTTY: boolean): Sink {
  stream.on('error', () => process.exit(0))
  return safeSink({
    write: text => new Promise(resolve => stream.write(text, () => resolve())),
    isTTY,
    columns: isTTY ? Number(CALCTL_COLUMNS) : undefined,
  })
}

function isScreen(descriptor: number): boolean {
  const [stream, screen] = [fstatSync(descriptor), statSync(CALCTL_SCREEN)]
  return stream.ino === screen.ino && stream.dev === screen.dev
}

const world: World = {
  args: process.argv.slice(2),
  env,
  cwd: process.cwd(),
  platform: 'linux',
  stdin: process.stdin,
  stdout: sink(process.stdout, isScreen(1)),
  // Never a terminal: progress bars have no place in a document.
  stderr: sink(process.stderr, false),
  now,
  sleep: ms => new Promise(done => setTimeout(done, ms)),
  timeZone: () => 'Europe/Madrid',
  stopping: () => stopping.signal,
  stopSignal: () => stopping.signal,
  openPage: async () => {},
  startPager: async () => ({ write: async () => false, end: async () => false }),
  edit: async () => 1,
  openCalendar: (place, onlyReads, notice) => openEmbedded(place, now, { onlyReads, notice }),
}
process.exitCode = await run(world)
