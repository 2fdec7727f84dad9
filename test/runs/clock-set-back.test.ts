import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { worldOf } from '../support/world.ts'

/** A calendar, and a machine whose clock can be set. */
function town() {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = { time: new Date('2026-11-21T02:00:00Z') }
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const calctl = worldOf({ transport: service, now: () => clock.time, env: { XDG_STATE_HOME: folder } })
  const runs = join(folder, 'calctl/runs')
  return {
    calctl,
    clock,
    files: () =>
      readdirSync(runs)
        .toSorted()
        .map(name => join(runs, name)),
  }
}

test.each(['2026-11-21T01:00:00Z', '2016-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
  'history and undo follow the order of the writes after the clock was set back to %s',
  async time => {
    const { calctl, clock } = town()
    await calctl('tags create --name First')
    clock.time = new Date(time)
    await calctl('tags create --name Second')
    clock.time = new Date('2026-11-21T03:00:00Z')
    await calctl('tags create --name Third')
    expect((await calctl('history --fields what -o csv')).out).toMatch(/Third.*\n.*Second.*\n.*First/)
    for (const left of ['First\nSecond', 'First', '']) {
      expect(await calctl('undo --last 1 --yes')).toMatchObject({ status: 0 })
      expect((await calctl('tags list --no-hide-empty --fields name -o csv')).out.trim()).toBe(`name\n${left}`.trim())
    }
  },
)

test('a run that was written while the clock was set back is not pruned as if it was old', async () => {
  const { calctl, clock, files } = town()
  await calctl('tags create --name First')
  clock.time = new Date('2016-01-01T00:00:00Z')
  await calctl('tags create --name Second')
  for (const file of files().slice(1)) utimesSync(file, clock.time, clock.time)
  clock.time = new Date('2026-11-22T02:00:00Z')
  await calctl('tags create --name Third')
  expect(files()).toHaveLength(3)
  expect((await calctl('runs prune --older-than 30d --yes')).err).toContain(
    'no journals of finished runs older than 30d',
  )
})

test('a clock that is a year ahead for one command prunes none of the latest fifty journals', async () => {
  const { calctl, clock, files } = town()
  for (let number = 1; number <= 52; number++) await calctl(`tags create --name Tag-${number}`)
  const [first = '', second = ''] = files()
  for (const file of files()) utimesSync(file, clock.time, clock.time)
  clock.time = new Date('2027-11-21T02:00:00Z')
  await calctl('tags create --name Late')
  expect(files()).toHaveLength(50)
  expect(files()).not.toContain(first)
  expect(files()).not.toContain(second)
  clock.time = new Date('2026-11-21T02:10:00Z')
  expect((await calctl('undo --last 3 --yes')).status).toBe(0)
  expect((await calctl('tags list --no-hide-empty -o count')).out).toBe('50\n')
})

test('undo --yes takes back what was just done, and an older run only by its name', async () => {
  const { calctl, clock, files } = town()
  const written = () => {
    for (const file of files()) utimesSync(file, clock.time, clock.time)
  }
  await calctl('tags create --name Jazz')
  written()
  clock.time = new Date('2026-11-21T02:10:01Z')
  const { status, err } = await calctl('undo --yes')
  const [, run = ''] = /older than ten minutes: (\w+) \(.*\nhint: .* name it: calctl undo \1 --yes\n/.exec(err) ?? []
  expect([status, run]).toEqual([8, expect.stringMatching(/^\w{3}$/)])
  expect((await calctl('tags list --no-hide-empty -o count')).out).toBe('1\n')
  expect((await calctl('undo --dry-run --yes')).status).toBe(0)
  expect((await calctl(`undo ${run} --yes`)).status).toBe(0)
  await calctl('tags create --name Swing')
  written()
  clock.time = new Date('2026-11-21T02:20:01Z')
  expect((await calctl('undo --yes')).status).toBe(0)
})

test('what is left of a run that was killed before its journal had a header is removed after a day, and not before', async () => {
  const { calctl, files } = town()
  await calctl('tags create --name First')
  const [journal = ''] = files()
  const [old = '', recent = ''] = ['abc', 'abd'].map(name => journal.replace(/\w+(?=\.ndjson$)/, name).concat('.new'))
  for (const [name, hour] of [
    [old, '2026-11-20T01:59:00Z'],
    [recent, '2026-11-20T02:01:00Z'],
  ] as const) {
    writeFileSync(name, '')
    utimesSync(name, new Date(hour), new Date(hour))
  }
  rmSync(journal)
  await calctl('tags create --name Second')
  expect(files()).toContain(recent)
  expect(files()).not.toContain(old)
})
