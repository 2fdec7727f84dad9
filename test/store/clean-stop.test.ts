import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { openEmbedded } from '../support/program.ts'
import { testTime, words, worldOf } from '../support/world.ts'

const home = mkdtempSync(join(tmpdir(), 'calctl-stop-'))
let script = ''
beforeAll(async () => {
  script = await bundle('calctl')
})
afterAll(() => rmSync(home, { recursive: true }))

let folder: string
const file = () => join(folder, 'town.json')
beforeEach(() => {
  folder = mkdtempSync(join(home, 'calendar-'))
})

const calctl = (line: string) =>
  worldOf({
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    cwd: folder,
    env: { XDG_STATE_HOME: home },
  })(line)

/** calctl as a process. */
function started(line: string): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home }
  const child = spawn(process.execPath, [script, ...words(line)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('after %s to a server, only its file remains', async signal => {
  const server = started('serve --file town.json --port 0')
  const [line] = await once(server.stdout ?? server, 'data')
  const tags = `${String(line).trim()}/calendar/events/v1/tags`
  expect((await fetch(tags, { method: 'POST', body: new URLSearchParams({ name: 'Jazz' }) })).status).toBe(201)
  expect(readdirSync(folder)).toContain('town.json.journal')
  server.kill(signal)
  expect(await once(server, 'close')).toEqual([0, null])
  expect(readdirSync(folder)).toEqual(['town.json'])
  expect(readFileSync(file(), 'utf8')).toContain('Jazz')
})

test('after a command, only the calendar file remains, however large it is', async () => {
  const rows = Array.from({ length: 9000 }, (_, n) => ({ id: n + 1, name: `Tag ${n}`, description: 'x'.repeat(200) }))
  writeFileSync(file(), JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid' }, tags: rows }))
  for (const name of ['Jazz', 'Blues'])
    expect(await calctl(`tags create --name ${name} --base-url file:town.json -o ids`)).toMatchObject({ status: 0 })
  expect(readdirSync(folder)).toEqual(['town.json'])
  expect(readFileSync(file(), 'utf8')).toContain('Blues')
})

test('after Ctrl-C during a run on a calendar file, only the file remains', async () => {
  const events = Array.from({ length: 3000 }, (_, n) => `Concert ${n},2026-12-05 19:00,2026-12-05 21:00`)
  writeFileSync(join(home, 'many.csv'), ['title,start_date,end_date', ...events].join('\n'))
  const child = started(`apply ${join(home, 'many.csv')} --yes --rate 100/s --base-url file:town.json`)
  await expect.poll(() => readdirSync(folder)).toContain('town.json.journal')
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
  expect(readdirSync(folder)).toEqual(['town.json'])
})
