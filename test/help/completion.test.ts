import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { commandTree } from '../support/command-tree.ts'
import { worldOf } from '../support/world.ts'

const newFolder = (prefix: string) => mkdtempSync(join(tmpdir(), prefix))

/** What Tab offers after these words; the last one is being typed. */
async function offered(calctl: ReturnType<typeof worldOf>, ...words: string[]): Promise<string[]> {
  const { status, out, err } = await calctl(['__complete', '--', ...words])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  return out.split('\n').slice(0, -2)
}

const valuesOf = (lines: readonly string[]) => lines.map(line => line.split('\t')[0])

/** A calendar with a venue and two events, which are three runs. */
async function calendarWithRuns() {
  const cache = newFolder('tab-')
  const env = { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache, NO_COLOR: '1' }
  const calctl = calendar({ env, terminal: 100 })
  const day = { start_date: '2026-12-05', end_date: '2026-12-05' }
  await calctl(['venues', 'create', '--venue', 'Plaça Major', '--yes'])
  for (const title of ['Jazz a la plaça', 'Joan & Maria'])
    expect(
      await calctl(['events', 'create', '--data', JSON.stringify({ ...day, title, venue: 1 }), '--yes']),
    ).toMatchObject({ status: 0 })
  return calctl
}

test('Tab offers every command of the tree, with what it does', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, ''))).toEqual(
    expect.arrayContaining(commandTree().commands.map(child => child.name())),
  )
  expect(await offered(calctl, 'events', 'restor')).toEqual(['restore\tRestore events from the trash'])
})

test('Tab offers the options of a command and the global ones, and the words that they take', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--starts-'))).toEqual(['--starts-before', '--starts-after'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--outp'))).toEqual(['--output'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '-o', 'n'))).toEqual(['ndjson'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--output=n'))).toEqual(['--output=ndjson'])
  expect(valuesOf(await offered(calctl, 'events', 'update', '1', '--status', 'd'))).toEqual(['draft'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--where', 'venue.ci'))).toEqual(['venue.city'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--sort', 'cost,titl'))).toEqual(['cost,title'])
  expect((await calctl(['__complete', '--', 'events', 'create', '--image', 'pos'])).out).toBe(':files\n')
  expect(valuesOf(await offered(calctl, 'events', 'list', '--status', 'draft,p'))).toContain('draft,publish')
})

test('Tab offers fields, also within what a record links to, and the elements of a list that are left', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--fields', 'id,tit'))).toEqual(['id,title'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--fields', 'venue.cit'))).toEqual(['venue.city'])
  expect(valuesOf(await offered(calctl, 'events', 'update', '1', '--clear', 'web'))).toEqual(['website'])
})

test('Tab offers days and months in words where they are asked for', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--on', 'to'))).toEqual(['today', 'tomorrow'])
  expect(valuesOf(await offered(calctl, 'agenda', '--from', 'sat'))).toEqual(['saturday'])
  expect(valuesOf(await offered(calctl, 'agenda', '--week', 'ne'))).toEqual(['next'])
  expect(valuesOf(await offered(calctl, 'agenda', '--weekend', 'mon'))).toEqual(['monday'])
  for (const words of [['month'], ['agenda', '--month'], ['events', 'list', '--month']])
    expect(valuesOf(await offered(calctl, ...words, 'n'))).toEqual(['next', 'november'])
  expect(await offered(calctl, 'month', 'december', '')).toEqual([])
})

test('Tab offers the resources whose records can be copied, and the fields of a condition', async () => {
  const calctl = worldOf({})
  const copied = await offered(calctl, 'languages', 'copy', '')
  expect(valuesOf(copied).toSorted()).toEqual(['categories', 'events', 'organizers', 'tags', 'venues'])
  expect((await calctl(['__complete', '--', 'events', 'list', '--where', 'websi'])).out).toMatch(
    /^website\t.*\n:open\n$/,
  )
})

test('Tab offers profiles, commands and topics for help, and files', async () => {
  const config = newFolder('tab-config-')
  const calctl = worldOf({ env: { XDG_CONFIG_HOME: config } })
  await calctl('profiles add town --base-url http://127.0.0.1:1')
  expect(valuesOf(await offered(calctl, 'events', 'list', '-p', ''))).toEqual(['local', 'town'])
  expect(valuesOf(await offered(calctl, 'profiles', 'show', 'to'))).toEqual(['town'])
  expect(valuesOf(await offered(calctl, 'help', 'lan'))).toEqual(['languages'])
  expect((await calctl(['__complete', '--', 'apply', ''])).out).toBe(':files\n')
})

test('Tab offers the runs, the latest first, with what they were and when', async () => {
  const calctl = await calendarWithRuns()
  for (const words of [['undo'], ['redo'], ['runs', 'show'], ['runs', 'resume'], ['runs', 'undo']]) {
    const runs = await offered(calctl, ...words, '')
    expect(runs).toHaveLength(3)
    expect(runs[0]).toMatch(/^[a-z\d]{3}\tevents create, 2026-11-21 03:00$/)
    expect(await offered(calctl, ...words, runs[0]?.slice(0, 3) ?? '')).toEqual([runs[0]])
  }
})

test('Tab answers a line as a shell would split it, whatever is in it', async () => {
  const calctl = worldOf({})
  const lines = [
    'calctl events get "a b" --outp',
    "calctl events list --search 'x y' --outp",
    'calctl events --demo get a\\ b --outp',
  ]
  for (const line of lines)
    expect((await calctl(['__complete', '--line', line])).out).toBe('--output\tOutput format\n:none\n')
  for (const line of ['', 'calctl', 'calctl "', 'calctl events get \\', 'calctl --', 'calctl events list --output='])
    expect((await calctl(['__complete', '--line', line])).status).toBe(0)
})

test('no command of the tree makes Tab fail', async () => {
  const calctl = worldOf({})
  for (const name of ['events', 'tags'])
    for (const verb of commandTree().commands.find(one => one.name() === name)?.commands ?? [])
      for (const option of verb.options) await offered(calctl, name, verb.name(), option.long ?? '', '')
})

test('completion --help says how each shell is set up', async () => {
  const calctl = worldOf({})
  const { out } = await calctl('completion --help --all')
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) expect(out).toContain(`calctl completion ${shell}`)
})
