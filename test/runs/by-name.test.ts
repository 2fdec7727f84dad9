import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isNameTaken, listRuns } from '../../src/changes/run/runs-folder.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { Failure } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'

const create = (title: string) =>
  `events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"`

/** A calendar with three events, and the names of the runs that made them. */
async function threeEvents() {
  const site = calendarWithFiles()
  for (const title of ['Jazz', 'Opera', 'Rock']) await site.calctl(create(title))
  const runs = async () => (await site.calctl('runs list -o ids')).out.trim().split('\n')
  const titles = async () =>
    (await site.calctl('events list --fields title -o csv')).out.split('\n').slice(1, -1).join(' ')
  return { ...site, runs, titles }
}

test('runs have short names that can be typed, and shortened as long as only one begins so', async () => {
  const { calctl, runs } = await threeEvents()
  const names = await runs()
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect(name).toMatch(/^(?=.*\d)(?=.*[a-z])[abcdefghjkmnpqrstuvwxyz23456789]{3}$/)
  const [name = ''] = names
  for (const typed of [name.slice(0, 2), name.toUpperCase(), '20261121-020000.002'])
    expect((await calctl(['runs', 'show', typed])).out, typed).toContain('+ "Rock", Sat 5 Dec 19:00 (3)')
  expect(await calctl('runs show 20261121')).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /^error: 3 runs begin with "20261121": \w+, \w+ and \w+\nhint: type more of the name\n$/,
    ),
  })
})

test('runs are listed in the order in which they started, although the clock stands still', async () => {
  const { calctl } = await threeEvents()
  const { out } = await calctl('history --fields what -o csv')
  expect(out.match(/Jazz|Opera|Rock/g)).toEqual(['Rock', 'Opera', 'Jazz'])
})

test('undo and redo walk through the runs of a calendar like the undo of an editor', async () => {
  const { calctl, titles } = await threeEvents()
  for (const [command, expected] of [
    ['undo', 'Jazz Opera'],
    ['undo', 'Jazz'],
    ['redo', 'Jazz Opera'],
    ['redo', 'Jazz Opera Rock'],
    ['undo --last 2', 'Jazz'],
    ['redo --last 2', 'Jazz Opera Rock'],
    ['undo --last 3', ''],
  ] as const) {
    expect(await calctl(`${command} --yes`), command).toMatchObject({ status: 0 })
    expect(await titles(), command).toBe(expected)
  }
  expect(await calctl('undo --yes')).toMatchObject({
    status: 4,
    err: expect.stringContaining('error: nothing to undo in this calendar\n'),
  })
})

test('several runs are undone from the latest back, whatever the order of their names', async () => {
  const { calctl } = calendarWithFiles()
  const runs = async () => (await calctl('runs list -o ids')).out.trim().split('\n')
  await calctl(create('Jazz'))
  for (const title of ['Opera', 'Rock']) await calctl(`events update 1 --title ${title}`)
  const [rock, opera] = await runs()
  expect(await calctl(`undo ${opera} ${rock} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events get 1 --fields title -o csv')).out).toBe('title\nJazz\n')
})

test('several runs are undone after one question, which lists them', async () => {
  const { calctl, titles } = await threeEvents()
  const { status, err } = await calctl('undo --last 2')
  expect(status).toBe(8)
  expect(err.match(/\(events create, /g)).toHaveLength(2)
  expect(err).toContain('Undo these 2 runs at ')
  expect(await titles()).toBe('Jazz Opera Rock')
})

test('undo of several runs keeps and lists what somebody else changed', async () => {
  const { calctl, titles, runs } = await threeEvents()
  const names = await runs()
  await calctl('events update 2 --title Dansa')
  const { status, err } = await calctl(`undo ${names.join(' ')} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('kept event "Opera": title changed after the run\n')])
  expect(await titles()).toBe('Dansa')
})

test('history says what was written when, and to what, for all records and for one', async () => {
  const { calctl } = await threeEvents()
  await calctl('events update 2 --title Dansa')
  await calctl('undo --yes')
  const { out } = await calctl('history --fields started,command,state,what -o csv')
  expect(out.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^2026-11-21T02:00:00.000Z,undo,done,/),
    '2026-11-21T02:00:00.000Z,events update,undone,"~ ""Opera"", Sat 5 Dec 19:00 (2): title ""Opera"" → ""Dansa"""',
  ])
  for (const line of ['history events/2', 'history events 2', 'history 2', 'history opera', 'events history 2'])
    expect((await calctl(`${line} -o count`)).out, line).toBe('3\n')
  expect(await calctl('history events/99')).toMatchObject({
    status: 4,
    err: expect.stringContaining('error: calctl wrote nothing to event 99 in this calendar\n'),
  })
})

test('the history of a record names what was created with it', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = 'title,start_date,end_date,venue\nJazz,2026-12-05 19:00,2026-12-05 21:00,Sala Gran\n'
  await calctl(`apply ${file('one.csv', sheet)} --create-missing --yes`)
  expect((await calctl('events history jazz --fields what -o csv')).out).toContain('venue new ""Sala Gran""')
})

test('prune asks, takes a number for days, and keeps what is not finished unless it is told', async () => {
  const { calctl, file, folder } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  const tags = '{"resource":"tags","name":"Rock"}\n{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n'
  await calctl(`apply ${file('tags.ndjson', tags)} --yes`)
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  const [, unfinished = ''] = (await calctl('runs list -o ids')).out.split('\n')
  for (const name of readdirSync(join(folder, 'state/calctl/runs'))) {
    const old = new Date('2026-08-01T00:00:00Z')
    if (name.endsWith('.ndjson')) utimesSync(join(folder, 'state/calctl/runs', name), old, old)
  }
  expect(await calctl('runs prune --older-than 200')).toMatchObject({ status: 0 })
  expect(await calctl('runs prune --older-than 100')).toMatchObject({
    status: 8,
    err: expect.stringMatching(
      /^kept \w{3}: not finished; to remove it too, add --unfinished\nerror: cannot ask .*: Remove 2 journals: /,
    ),
  })
  expect((await calctl('runs list -o count')).out).toBe('3\n')
  expect(await calctl('runs prune --older-than 100 --yes')).toMatchObject({ status: 0 })
  expect((await calctl('runs list -o ids')).out).toBe(`${unfinished}\n`)
  expect(await calctl('runs prune --unfinished --yes')).toMatchObject({ status: 0 })
  expect((await calctl('runs list -o ids')).out).toBe('')
})

test('prune keeps the undo of a run that it keeps: the run is not undone twice', async () => {
  const { calctl, file, folder } = calendarWithFiles()
  await calctl('tags create --name Rock')
  const tags = '{"resource":"tags","name":"Jazz"}\n{"resource":"tags","name":"Rock","slug":"swing","action":"create"}\n'
  await calctl(`apply ${file('tags.ndjson', tags)} --yes`)
  await calctl('undo --yes')
  for (const name of readdirSync(join(folder, 'state/calctl/runs'))) {
    const old = new Date('2026-08-01T00:00:00Z')
    if (name.endsWith('.ndjson')) utimesSync(join(folder, 'state/calctl/runs', name), old, old)
  }
  expect(await calctl('runs prune --yes')).toMatchObject({ status: 0 })
  expect((await calctl('history --fields command,state -o csv')).out).toBe('command,state\nundo,done\napply,undone\n')
})

/** A calendar that can stop answering, to everything or to writes. */
function siteThatCanGo() {
  const site: { isGone: boolean | 'for writes' } = { isGone: false }
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const calctl = worldOf({
    env: { XDG_STATE_HOME: folder },
    transport: request => {
      if (site.isGone === true || (site.isGone && request.method !== 'GET'))
        throw new Failure('unreachable', 'nobody answers', { hint: 'try again later', done: 'no' })
      return service(request)
    },
  })
  const titles = async () => (await calctl('events list --fields title -o csv')).out.split('\n').slice(1, -1).join(' ')
  return { calctl, site, titles }
}

test('undo of a run whose site is gone fails with what to do, and the run can still be undone', async () => {
  const { calctl, titles, site } = siteThatCanGo()
  await calctl(create('Jazz'))
  site.isGone = true
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([5, expect.stringMatching(/\nhint: /)])
  site.isGone = 'for writes'
  expect((await calctl('undo --yes')).status).not.toBe(0)
  site.isGone = false
  expect(await titles()).toBe('Jazz')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await titles()).toBe('')
})

test('a terminal shows the latest of many runs and says how many there are; --limit shows another number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { XDG_STATE_HOME: folder }
  const [piped, onTerminal] = [calendar({ env }), calendar({ env, terminal: 200 })]
  await piped('tags create --name Jazz')
  const runs = join(folder, 'calctl/runs')
  const [journal = ''] = readdirSync(runs).filter(name => name.endsWith('.ndjson'))
  for (let number = 100; number < 160; number++)
    writeFileSync(join(runs, journal.replace(/\w{3}\./, `${number}.`)), readFileSync(join(runs, journal)))
  for (const line of ['runs list', 'history']) {
    expect((await piped(`${line} -o count`)).out, line).toBe('61\n')
    expect((await onTerminal(line)).err, line).toBe('showing 50 of 61; for all add: --limit 61\n')
    const limited = await piped(`${line} --limit 2 --json`)
    expect([JSON.parse(limited.out).length, limited.err], line).toEqual([
      2,
      'showing 2 of 61; for all add: --limit 61\n',
    ])
  }
})

test('a mistyped run is corrected only if it differs by one letter from exactly one run', async () => {
  const { calctl, runs } = await threeEvents()
  const [name = ''] = await runs()
  expect((await calctl(`undo ${name.slice(0, 2)}0`)).err).toContain(`did you mean ${name}?`)
  expect(await calctl('undo 000')).toMatchObject({
    status: 4,
    err: 'error: no run 000\nhint: see the runs with: calctl history\n',
  })
})

test('the name of a run is taken if another one of the folder has it, whatever else is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['20261121-020000.000-q3u', '20261121-020001.000-q3u', '20261121-020002.000-k2f'])
    writeFileSync(join(folder, `${name}.ndjson`), '')
  const taken = listRuns(folder).map(run => [run.run, isNameTaken(folder, run)])
  expect(taken).toEqual([
    ['k2f', false],
    ['q3u', true],
    ['q3u', true],
  ])
})

test('the history takes titles, and says of the name of a run that it is one', async () => {
  const { calctl, runs } = await threeEvents()
  const [, , first = ''] = await runs()
  await calctl(['events', 'update', '1', '--title', 'Jazz a la plaça', '--yes'])
  expect((await calctl('history Jazz a la plaça -o count')).out).toBe('2\n')
  expect(await calctl(`history ${first}`)).toMatchObject({
    status: 2,
    err: `error: ${first} is a run, not a record\nhint: use: calctl runs show ${first}\n`,
  })
  expect(await calctl(['undo', 'Jazz a la plaça'])).toMatchObject({
    status: 4,
    err: expect.stringContaining("hint: see the runs with: calctl history 'Jazz a la plaça'\n"),
  })
})
