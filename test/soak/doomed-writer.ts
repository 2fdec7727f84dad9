// Opens a calendar file, writes to it in every way, and closes it; prints what is acknowledged. At one operation on the files it
// kills itself, before it or in the middle of a write; or it stops itself, and goes on from there when it is continued.
import { openSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'
import { watchFiles } from './file-operations.ts'

const [file = '', round = '', at = '0', where = 'before'] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)
let operation = 0
await watchFiles(dirname(file), {
  before({ kind, bytes, position = 0, path }) {
    if (operation++ !== Number(at)) return
    if (where === 'middle' && kind === 'write' && bytes) writeHalf(path, bytes, position)
    say(`at ${kind} of ${basename(path)}`)
    process.kill(process.pid, where === 'stop' ? 'SIGSTOP' : 'SIGKILL')
  },
})

function writeHalf(path: string, bytes: Uint8Array, position: number): void {
  const fd = openSync(path, 'r+')
  writeSync(fd, bytes, 0, Math.floor(bytes.length / 2), position)
}

const store = await openStore({
  file,
  now: () => new Date('2026-11-21T02:00:00Z'),
  site: { timezone: 'Europe/Madrid' },
  wait: 0,
  longJournal: 1500,
})
const write = async (name: string) => {
  say(`asked ${name}`)
  await store.write(writing => writing.put('tags', { ...addTag(name)(writing), description: 'x'.repeat(200) }))
  say(`acknowledged ${name}`)
}
await write(`${round}-first`)
for (let group = 0; group < 4; group++) await Promise.all([1, 2, 3].map(n => write(`${round}-${group}-${n}`)))
await store.rewrite()
await write(`${round}-last`)
await store.close()
say(`operations ${operation}`)
