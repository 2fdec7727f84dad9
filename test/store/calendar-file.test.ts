import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/cli/connect/connect.ts'
import type { World } from '../../src/cli/world.ts'
import type { Sending } from '../../src/client/http/retry.ts'
import { tags } from '../../src/contract/terms.ts'
import { openEmbedded } from '../support/program.ts'
import { startServe } from '../support/start-serve.ts'
import { testTime, worldOf } from '../support/world.ts'

/** An empty folder, and `calctl` in it. */
function emptyHome(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const calctl = worldOf({
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    cwd: folder,
    env: { HOME: folder, ...env },
  })
  return { folder, calctl }
}

test('a missing calendar file is an error, not an empty calendar', async () => {
  const { folder, calctl } = emptyHome()
  const missingFile = {
    status: 3,
    out: '',
    err: `error: no such file: ${folder}/town.json\nhint: create an empty calendar with: calctl serve --file ${folder}/town.json\n`,
  }
  for (const line of ['events list', 'events get 1', 'doc', 'export'])
    expect(await calctl(`${line} --base-url file:town.json`)).toEqual(missingFile)
  expect(readdirSync(folder)).toEqual([])
})

test('the first write creates the calendar file', async () => {
  const { folder, calctl } = emptyHome()
  expect(await calctl('tags create --name Jazz --base-url file:town.json -o ids -q')).toMatchObject({
    status: 0,
    err: '',
  })
  expect(readdirSync(folder)).toContain('town.json')
  expect(await calctl('tags list --no-hide-empty --fields name -o tsv --base-url file:town.json')).toMatchObject({
    out: 'name\nJazz\n',
  })
})

test('a calendar file is not created in a missing folder', async () => {
  const { folder, calctl } = emptyHome()
  const missingFile = {
    status: 3,
    out: '',
    err: `error: no such file: ${folder}/deep/town.json\nhint: the folder ${folder}/deep does not exist either: check the path\n`,
  }
  for (const line of ['events list', 'tags create --name Jazz'])
    expect(await calctl(`${line} --base-url file:deep/town.json`)).toEqual(missingFile)
  expect(await startServe('--file deep/town.json --port 0', { cwd: folder })).toEqual({
    status: 3,
    err: missingFile.err,
  })
  expect(readdirSync(folder)).toEqual([])
})

test('serve --read-only and serve --memory do not create a calendar file', async () => {
  const { folder } = emptyHome()
  for (const how of ['--read-only', '--memory'])
    expect(await startServe(`--file town.json --port 0 ${how}`, { cwd: folder })).toMatchObject({ status: 3 })
  expect(readdirSync(folder)).toEqual([])
})

test('the embedded calendar needs no setup', async () => {
  const { calctl } = emptyHome()
  expect(await calctl('events list')).toMatchObject({ status: 0, out: '' })
})

test('resume finds an unanswered create in the calendar file, and does not repeat it', async () => {
  const state = mkdtempSync(join(tmpdir(), 'calctl-state-'))
  onTestFinished(() => rmSync(state, { recursive: true }))
  const { calctl } = emptyHome({ XDG_STATE_HOME: state })
  expect(await calctl('venues create --from - --yes', '{"venue":"Sala"}\n')).toMatchObject({ status: 0 })
  const runs = join(state, 'calctl/runs')
  const journal = join(runs, readdirSync(runs)[0] ?? '')
  const lines = readFileSync(journal, 'utf8').split('\n')
  const sent = lines.findIndex(line => line.startsWith('{"sent"'))
  // Sent some time ago, so that resume does not wait for it.
  const entry = { ...JSON.parse(lines[sent] ?? ''), at: testTime.getTime() - 10_000 }
  writeFileSync(journal, `${lines.slice(0, sent).join('\n')}\n${JSON.stringify(entry)}\n`)
  expect(await calctl('runs resume')).toMatchObject({ status: 0, err: expect.stringContaining('1 done') })
  expect((await calctl('venues list -o count')).out).toBe('1\n')
})

test('a list of a calendar file can be piped into apply on the same file', async () => {
  const { folder } = emptyHome()
  const file = join(folder, 'town.json')
  const calctl = join(import.meta.dirname, '../../bin/calctl.js')
  const run = (line: string) =>
    spawnSync('sh', ['-c', `calctl() { "${process.execPath}" "${calctl}" --base-url "file:${file}" "$@"; }; ${line}`], {
      env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      encoding: 'utf8',
    })
  // More than the buffer of a pipe.
  const records = Array.from({ length: 150 }, (_, index) =>
    JSON.stringify({ venue: `Sala ${index}`, description: 'a'.repeat(900) }),
  )
  writeFileSync(join(folder, 'venues.ndjson'), records.join('\n'))
  expect(run(`calctl venues create --from ${join(folder, 'venues.ndjson')} --yes -q`)).toMatchObject({
    status: 0,
    stderr: '',
  })
  expect(run('calctl export venues | calctl diff -')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('150 unchanged'),
  })
  expect(
    run(
      'calctl venues list --all -o ndjson | while read line; do echo "$line" | calctl venues get 1 -o ids; break; done',
    ),
  ).toMatchObject({
    status: 0,
    stdout: '1\n',
  })
})

test('a connection that has read cannot be used to write', async () => {
  const { folder, calctl } = emptyHome()
  await calctl('tags create --name Jazz --base-url file:town.json')
  const transport = await openEmbedded({ file: join(folder, 'town.json') }, () => testTime, { onlyReads: true })
  onTestFinished(() => transport.close())
  const world: Partial<World> = { env: {}, cwd: folder, openCalendar: async () => transport }
  const sending: Sending = {}
  const globals = { baseUrl: 'file:town.json' }
  const { client } = await connect({ world: world as World, globals, notice: async () => {}, sending })
  await client.list(tags, {})
  sending.toWrite = true
  await expect(client.create(tags, { name: 'Opera' })).rejects.toThrow('open for reading')
})

test('an image ID that a record of a served file has is an image for --quirks too', async () => {
  const { folder, calctl } = emptyHome()
  const times = '--start-date "2027-03-04 18:30" --end-date "2027-03-04 20:00"'
  const created = await calctl(`events create --title Ball ${times} --image 99 --base-url file:town.json`)
  expect(created.status).toBe(0)
  const server = await startServe(`--file ${join(folder, 'town.json')} --quirks --open --port 0`)
  if (!('url' in server)) throw new Error(server.err)
  const curl = (image: string) =>
    fetch(`${server.url}/calendar/events/v1/events/by-slug/ball`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ image }),
    })
  expect([(await curl('99')).status, (await curl('98')).status]).toEqual([200, 400])
  await server.stop()
})
