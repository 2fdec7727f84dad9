import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FileOperation, watchFiles } from '../soak/file-operations.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A site with event 1, and command lines whose disk fails with the error that `fault` says, if it says one. */
async function siteWithDisk() {
  const site = await productionSite()
  const folder = dirname(site.file('season.csv', sheet))
  await site.calctl(`events create --title Jazz ${dates} --cost 5`)
  const disk: { fault: (operation: FileOperation) => string | undefined } = { fault: () => undefined }
  const stopWatching = await watchFiles(folder, {
    before(operation) {
      const code = disk.fault(operation)
      if (code) throw Object.assign(new Error(`${code}: the disk failed, ${operation.kind}`), { code })
    },
  })
  onTestFinished(stopWatching)
  /** All records that are not in the trash. */
  const records = async () => {
    const events = await site.calctl('events list --all-dates --status publish --fields title,cost -o csv')
    const tags = await site.calctl('tags list --no-hide-empty --fields name -o csv')
    return [events, tags].flatMap(({ out }) => out.split('\n').slice(1, -1)).toSorted()
  }
  const sent = site.writes().length
  return { ...site, folder, disk, records, written: () => site.writes().length - sent }
}

const titles = ['Blues', 'Swing', 'Bop', 'Funk', 'Soul', 'Rock']
const sheet = `title,start_date,end_date\n${titles.map(title => `${title},2026-12-06 19:00,2026-12-06 21:00\n`).join('')}`

const isJournal = ({ path }: FileOperation) => path.endsWith('.ndjson')
const isWrite = ({ kind, bytes }: FileOperation) => kind === 'write' && (bytes?.length ?? 0) > 0
const hasEntry = (operation: FileOperation, name: string) =>
  isJournal(operation) && Buffer.from(operation.bytes ?? []).includes(`{"${name}":`)

/** What each command leaves in the calendar. */
const commands: [command: string, records: string[]][] = [
  ['events update 1 --cost 7', ['Jazz,$7']],
  ['events delete 1 --yes', []],
  ['tags create --name Swing', ['Jazz,$5', 'Swing']],
  [`events create --title Blues ${dates}`, ['Blues,', 'Jazz,$5']],
  ['apply season.csv --yes', [...titles.map(title => `${title},`), 'Jazz,$5'].toSorted()],
  ['undo --yes', []],
]

const places: Record<string, (operation: FileOperation) => boolean> = {
  'wherever it writes': ({ kind }) => kind === 'write' || kind === 'create' || kind === 'make folder',
  'once files are created': isWrite,
  'at the plan in the journal': operation => hasEntry(operation, 'step'),
  'at the end of the plan': operation => hasEntry(operation, 'session'),
  'when the plan is flushed': operation => isJournal(operation) && operation.kind === 'flush',
}

const some = ['events update 1 --cost 7', 'apply season.csv --yes', 'undo --yes']

test.each(some.flatMap(command => Object.keys(places).map(place => [command, place] as const)))(
  'nothing is sent if the disk is full before a write: %s, %s',
  async (command, place) => {
    const { calctl, disk, written, folder } = await siteWithDisk()
    const { out: runs } = await calctl('runs list --json')
    disk.fault = operation => (places[place]?.(operation) ? 'ENOSPC' : undefined)
    const { status, out, err } = await calctl(command.replace('season', `${folder}/season`))
    expect(written()).toBe(0)
    expect([status, out]).toEqual([3, ''])
    expect(err).toMatch(
      /error: cannot write .* journal .*: the disk is full; nothing was sent\nhint: free some space, then run the command again\n$/,
    )
    disk.fault = () => undefined
    expect((await calctl('runs list --json')).out).toBe(runs)
  },
)

test.each(commands)('nothing is sent if the journal cannot say so: %s', async (command, records) => {
  const { calctl, disk, written, folder, records: now } = await siteWithDisk()
  disk.fault = operation => (hasEntry(operation, 'sent') ? 'ENOSPC' : undefined)
  const { status, err } = await calctl(command.replace('season', `${folder}/season`))
  expect([status, written()]).toEqual([3, 0])
  expect(err).toMatch(
    /error: cannot write .*: the disk is full; nothing was (sent|changed)\nhint: free some space, then .*\n$/,
  )
  disk.fault = () => undefined
  const [, next = command] = /resume with: calctl (.*)\n/.exec(err) ?? []
  expect(await calctl(next)).toMatchObject({ status: 0 })
  expect(await now()).toEqual(records)
})

const lacks = /; the journal may lack part of it\nhint: free some space, then .* with: calctl (runs resume \w{3})[;\n]/

test.each(commands.flatMap(([command, records]) => ['done', 'ended'].map(entry => ({ command, records, entry }))))(
  'a disk that is full after the request: $command is reported, and resume finds out ($entry)',
  async ({ command, records, entry }) => {
    const { calctl, disk, written, folder, records: now } = await siteWithDisk()
    disk.fault = operation => (hasEntry(operation, entry) ? 'ENOSPC' : undefined)
    const { status, err } = await calctl(command.replace('season', `${folder}/season`))
    disk.fault = () => undefined
    expect(status).toBe(6)
    expect(err).toMatch(/error: (updated|trashed|created) (event|tag) \d;|error: \d done(, \d not sent)?;/)
    expect(written()).toBeGreaterThan(0)
    const [, resume = ''] = lacks.exec(err) ?? []
    expect(await calctl(resume)).toMatchObject({ status: 0 })
    expect(await now()).toEqual(records)
    expect((await calctl('history --fields state -o csv')).out).toMatch(/^state\ndone\n/)
    expect(await calctl(`${command === 'undo --yes' ? 'redo' : 'undo'} --yes`)).toMatchObject({ status: 0 })
    expect(await now()).toEqual(['Jazz,$5'])
  },
)

test.each(commands.slice(0, -1))('undo takes back what a journal on a full disk lacks: %s', async command => {
  const { calctl, disk, folder, records } = await siteWithDisk()
  disk.fault = operation => (hasEntry(operation, 'done') ? 'ENOSPC' : undefined)
  await calctl(command.replace('season', `${folder}/season`))
  disk.fault = () => undefined
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await records()).toEqual(['Jazz,$5'])
})

test.each(['undo --yes', 'redo --yes', 'runs resume'])('%s in a folder that is read-only sends nothing', async line => {
  const { calctl, disk, written } = await siteWithDisk()
  if (line === 'redo --yes') await calctl('undo --yes')
  if (line === 'runs resume') {
    disk.fault = operation => (hasEntry(operation, 'done') ? 'ENOSPC' : undefined)
    await calctl('events update 1 --cost 7')
  }
  const before = written()
  for (const [code, reason] of Object.entries({ EROFS: 'the disk is read-only', EACCES: 'no permission' })) {
    disk.fault = () => code
    const { status, err } = await calctl(line)
    expect([status, written()]).toEqual([3, before])
    expect(err).toContain(`${reason}`)
    expect(err).toMatch(/error: cannot write a journal in .*; nothing was sent\nhint: make the folder writable, .*\n$/)
  }
})

test('a journal has its header as soon as it is there, so that a kill leaves none that nobody can read', async () => {
  const { calctl, disk, folder } = await siteWithDisk()
  const journals = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ndjson'))
  const sizes: number[] = []
  disk.fault = () => {
    sizes.push(...journals().map(name => statSync(join(folder, name)).size))
    return undefined
  }
  for (const line of ['events update 1 --cost 7', `apply ${folder}/season.csv --yes`, 'undo --yes'])
    expect(await calctl(line)).toMatchObject({ status: 0 })
  expect(journals()).toHaveLength(4)
  expect(Math.min(...sizes)).toBeGreaterThan(0)
})

test('a journal whose header cannot be written leaves nothing behind, and no lock', async () => {
  const { calctl, disk, folder } = await siteWithDisk()
  const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const before = names()
  disk.fault = operation => (operation.path.endsWith('.ndjson.new') && isWrite(operation) ? 'ENOSPC' : undefined)
  expect(await calctl('events update 1 --cost 7')).toMatchObject({ status: 3 })
  expect(names()).toEqual(before)
})
