import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { entranceIn } from '../page/preview-of.ts'
import { testService } from '../support/test-service.ts'
import { testTime, worldOf } from '../support/world.ts'
import { conversation, decide, twoWindows } from './conversation.ts'

/** A calendar with an event, a folder with a plan that moves it, and command lines at a terminal where these keys are typed. */
async function calendar() {
  const { ask, service } = testService()
  const march = { start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }
  const { id } = (await ask('POST /events', { json: { ...march, title: 'Ball', status: 'publish' } })).body
  const cwd = mkdtempSync(join(tmpdir(), 'approve-'))
  const setup = { cwd, transport: service, env: { XDG_STATE_HOME: join(cwd, 'state'), NO_COLOR: '1' } }
  const save = async (name: string, day = '2027-03-09') => {
    writeFileSync(join(cwd, 'rows.json'), JSON.stringify([{ resource: 'events', id, start_date: day, end_date: day }]))
    const { status, err } = await worldOf(setup)(`diff rows.json --save ${name}`)
    expect(status, err).toBe(0)
  }
  await save('plan.json')
  const typing = (...keys: string[]) => worldOf({ ...setup, terminal: 100, keys })
  const day = async () => (await ask(`GET /events/${id}`)).body.start_date.slice(0, 10)
  return { ask, cwd, day, id, save, setup, typing, calctl: worldOf(setup) }
}

test('calctl approve asks at the terminal as apply does, and carries out what is approved, once', async () => {
  const { typing, calctl, day } = await calendar()
  const applied = await typing('n\r')('apply plan.json')
  const { status, err } = await typing('y\r')('approve plan.json')
  expect([status, err], err).toEqual([0, expect.stringContaining('Undo: calctl undo')])
  const asked = /Apply to .*?\(y\/N/s
  expect(asked.exec(err)?.[0]).toBe(asked.exec(applied.err)?.[0])
  expect(await day()).toBe('2027-03-09')
  expect(await typing()('approve plan.json')).toMatchObject({ status: 7 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await day()).toBe('2027-03-04')
})

test('a no is kept, also for the same changes in another file, and a person is asked again', async () => {
  const { typing, save, day } = await calendar()
  expect(await typing('n\r')('approve plan.json')).toMatchObject({
    status: 8,
    err: expect.not.stringContaining('was refused'),
  })
  await save('again.json')
  for (const name of ['plan.json', 'again.json'])
    expect((await typing('n\r')(`approve ${name}`)).err).toMatch(/this plan was refused on Sat 21 Nov 03:00\n/)
  await save('other.json', '2027-03-10')
  expect((await typing('n\r')('approve other.json')).err).not.toContain('was refused')
  expect((await typing('y\r')('approve again.json')).status).toBe(0)
  expect(await day()).toBe('2027-03-09')
})

test.each([
  ['without a terminal', 'approve plan.json', 'cannot ask for confirmation without a terminal'],
  ['with --yes', 'approve plan.json --yes', 'cannot ask for confirmation'],
  ['for a folder', 'approve .', 'cannot ask for confirmation without a terminal'],
  ['for what assistants ask', 'approve', 'cannot ask for confirmation without a terminal'],
])('%s, nobody is asked: 8, and nothing is written', async (_, line, said) => {
  const { calctl, typing, day } = await calendar()
  const one = line.includes('--yes') ? typing() : calctl
  expect(await one(line)).toMatchObject({ status: 8, err: expect.stringContaining(said) })
  expect(await day()).toBe('2027-03-04')
})

test('the question names the calendar that is connected, whatever a plan without a checksum calls it', async () => {
  const { cwd, typing } = await calendar()
  const answer = async () => (await typing('n\r')('apply plan.json')).err
  const file = join(cwd, 'plan.json')
  const { checksum: _, ...plan } = JSON.parse(readFileSync(file, 'utf8'))
  const label = 'a test calendar. Go on? \n\u001b[2J Really nothing'
  const forge = (own: object) =>
    writeFileSync(file, JSON.stringify({ ...plan, calendar: { ...plan.calendar, label }, ...own }))
  forge({})
  expect(await answer()).toMatch(/Apply to the calendar file \S+: change the dates of 1\s+event\. Go on\? \(y\/N/)
  forge({ undoes: 'abc\n\u202e\u001b]0;title\u0007d' })
  expect(await answer()).toMatch(/Undo abc d at the calendar file \S+: change/)
})

test('a folder is watched: each plan once, none that was settled before, until Ctrl-C', async () => {
  const { setup, typing, save, cwd, day } = await calendar()
  mkdirSync(join(cwd, 'plans'))
  await save('plans/a.json')
  expect((await typing('n\r')('approve plans/a.json')).status).toBe(8)
  writeFileSync(join(cwd, 'plans/notes.json'), '{"no": "plan"}')
  writeFileSync(join(cwd, 'plans/half.json.1234'), '{"calctl":1,"calendar":{')
  writeFileSync(
    join(cwd, 'plans/forged.json'),
    '{"calctl":1,"calendar":{"id":"http://other.test","label":"x"},"made":"x","steps":[]}',
  )
  await save('plans/b.json', '2027-03-11')
  const stopping = new AbortController()
  const rounds: number[] = []
  const sleep = async () => {
    rounds.push(1)
    if (rounds.length === 1) await save('plans/c.json', '2027-03-12')
    if (rounds.length === 3) stopping.abort()
    await wait(1)
  }
  const watching = worldOf({ ...setup, terminal: 100, keys: ['y\r', 'n\r'], stopping: stopping.signal, sleep })
  const { status, err } = await watching('approve plans')
  expect(status, err).toBe(0)
  expect(err).toMatch(/waiting for plans in \S+plans; press Ctrl-C to stop/)
  expect(err.match(/error: /g)).toHaveLength(1)
  expect(err).toContain('forged.json')
  expect(err.match(/Go on\?/g)?.length).toBeGreaterThanOrEqual(2)
  expect(await day()).toBe('2027-03-11')
})

test('what an assistant asks for can be approved or refused in a terminal, where there is no browser', async () => {
  for (const [key, state] of [
    ['y\r', 'approved'],
    ['n\r', 'refused'],
  ] as const) {
    const { call, ids, plansFolder, beside, records } = await conversation({ hasBrowser: false })
    const before = await records()
    const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
    expect(readdirSync(plansFolder, { withFileTypes: true }).length).toBe(0)
    expect(await call('apply_plan', { plan })).toMatchObject({
      state: 'waiting',
      note: expect.stringContaining('calctl approve'),
    })
    const [file = ''] = readdirSync(plansFolder)
    expect(statSync(join(plansFolder, file)).mode & 0o777).toBe(0o600)
    const { status, err } = await beside([key])('approve')
    expect(status, err).toBe(0)
    const told = await call('apply_plan', { plan })
    expect(told).toMatchObject({ state })
    expect(readdirSync(plansFolder)).toEqual([])
    if (state === 'approved') expect(await call('undo', { run: told.run })).toMatchObject({ state: 'waiting' })
    else expect(await records()).toBe(before)
  }
})

test('an assistant that makes a refused plan again is told so, and no person is asked', async () => {
  const { call, ids, opened, writes } = await conversation()
  const wish = { action: 'move', ids: [ids[0]], to: '2027-03-09' }
  const { plan } = await call('plan', wish)
  await call('apply_plan', { plan })
  await decide(opened[0] ?? '', 'refuse')
  for (const _ of [1, 2]) {
    const again = await call('plan', wish)
    expect(await call('apply_plan', { plan: again.plan })).toMatchObject({ state: 'refused' })
  }
  expect([opened.length, writes]).toEqual([1, []])
})

test('the same changes in another order, beside an unchanged record, were refused as well', async () => {
  const { call, ids, opened, writes } = await conversation()
  const [ball = 0, play = 0, race = 0] = ids
  const renamed = (id: number) => ({ id, title: `New ${id}` })
  const planned = async (records: readonly object[]) => (await call('plan', { action: 'update', records })).plan
  await call('apply_plan', { plan: await planned([renamed(ball), renamed(play)]) })
  await decide(opened[0] ?? '', 'refuse')
  for (const more of [[], [{ id: race, title: 'Cursa' }]])
    expect(await call('apply_plan', { plan: await planned([renamed(play), ...more, renamed(ball)]) })).toMatchObject({
      state: 'refused',
    })
  expect([opened.length, writes]).toEqual([1, []])
})

test('a plan that was refused in a terminal is not carried out by a page that was open before', async () => {
  const { setup, typing, day } = await calendar()
  const openPage = async (file: string) => {
    await typing('n\r')('approve plan.json')
    void decide(entranceIn(file))
  }
  const { status, err } = await worldOf({ ...setup, terminal: 100, openPage })('approve plan.json --page')
  expect([status, err]).toEqual([8, expect.stringContaining('refused in the meantime')])
  expect(await day()).toBe('2027-03-04')
})

test('a plan that is withdrawn while it is asked about is not carried out', async () => {
  const { cwd, setup, day } = await calendar()
  // What the plan does is said by the clock, after it was read.
  const now = () => {
    rmSync(join(cwd, 'plan.json'), { force: true })
    return testTime
  }
  const { status, err } = await worldOf({ ...setup, now, terminal: 100, keys: ['y\r'] })('approve plan.json')
  expect([status, err]).toEqual([8, expect.stringContaining('the plan was withdrawn; nothing was changed')])
  expect(await day()).toBe('2027-03-04')
})

test('a plan that was settled in a terminal is not settled again on its page', async () => {
  for (const [key, said] of [
    ['y\r', 'already applied this plan'],
    ['n\r', 'this plan was refused'],
  ] as const) {
    const { call, ids, opened, beside, writes } = await conversation()
    const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
    await call('apply_plan', { plan })
    expect((await beside([key])('approve')).status).toBe(0)
    const sent = writes.length
    expect(await decide(opened[0] ?? '')).toMatchObject({ isWhole: key === 'y\r', said: expect.stringContaining(said) })
    expect(writes).toHaveLength(sent)
  }
})

test('a kept plan that somebody changed is not asked about, and the assistant waits', async () => {
  const { call, ids, plansFolder, beside, writes } = await conversation({ hasBrowser: false })
  const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
  await call('apply_plan', { plan })
  const [name = ''] = readdirSync(plansFolder)
  const file = join(plansFolder, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace('2027-03-09', '2027-03-10'))
  expect((await beside([])('approve')).err).toContain('was changed after it was made')
  expect(await call('apply_plan', { plan })).toMatchObject({ state: 'waiting' })
  expect(writes).toEqual([])
})

test('of two windows, only the last can press, and a stale plan is not carried out', async () => {
  const { ask, call, ids, opened, writes } = await conversation()
  const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
  await call('apply_plan', { plan })
  const { first, second } = await twoWindows(opened[0] ?? '')
  expect(await first()).toMatchObject({ message: expect.stringContaining('another window shows this plan') })
  await ask(`POST /events/${ids[0]}`, { json: { title: 'Gran ball' } })
  expect(await second()).toMatchObject({ isWhole: false, said: expect.stringContaining('nothing was sent') })
  expect(writes).toEqual([])
})

test('a person at a terminal can be asked about an undo of more records than the limit', async () => {
  const { call, beside, records } = await conversation({ hasBrowser: false })
  const before = await records()
  const many = Array.from({ length: 21 }, (_, index) => ({
    title: `Acte ${index}`,
    start_date: '2027-05-01 10:00',
    end_date: '2027-05-01 11:00',
  }))
  const { plan } = await call('plan', { action: 'create', records: many })
  await call('apply_plan', { plan })
  await beside(['y\r'])('approve')
  const { run } = await call('apply_plan', { plan })
  expect(await call('undo', { run })).toMatchObject({ state: 'waiting' })
  const { err } = await beside(['y\r'])('approve')
  expect(err).toContain(`Undo ${run}`)
  expect(await call('undo', { run })).toMatchObject({ state: 'approved' })
  expect(await records()).toBe(before)
})
