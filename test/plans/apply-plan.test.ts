import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { batches, concat, createSpool } from '../../src/changes/plan/spool.ts'
import { startOnce } from '../../src/changes/run/already-applied.ts'
import { startJournal } from '../../src/changes/run/journal-writer.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { openEmbedded } from '../support/program.ts'
import { creation, planOf } from '../support/run-helpers.ts'
import { testTime, worldOf } from '../support/world.ts'

const two = `title,start_date,end_date,venue
Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala
Opera,2026-12-06 19:00,2026-12-06 21:00,Sala
`

/** A calendar with a saved plan: a venue and two events. */
async function planned() {
  const shelved = calendarWithFiles()
  const plan = shelved.path('plan.json')
  await shelved.calctl(`diff ${shelved.file('two.csv', two)} --create-missing --save ${plan}`)
  /** Applies the plan after an edit of its text. */
  const edited = async (edit: (text: string) => string) =>
    shelved.calctl(`apply ${shelved.file('edited.json', edit(shelved.text('plan.json')))} --yes`)
  return { ...shelved, plan, edited, events: async () => (await shelved.calctl('events list -o count')).out }
}

test.each([
  [
    '"resource":"events"',
    '"resource":"nope"',
    'resource: expected one of events, venues, organizers, categories, tags',
  ],
  [
    '"action":"create"',
    '"action":"nuke"',
    'action: expected one of create, update, trash, delete, restore, got "nuke"',
  ],
  ['"action":"create"', '"action":"delete"', 'action: venues are trashed, not deleted, got "delete"'],
  ['"start_date":"2026-12-05 19:00:00"', '"start_date":"soon"', 'values.start_date: expected '],
  ['"title":"Opera"', '"titel":"Opera"', 'values.titel: events have no such field'],
  ['"title":"Opera"', '"title":""', 'values.title: expected text that is not blank, got ""'],
  ['"action":"create"', '"action":"update"', 'id: expected an ID, which every update needs'],
  ['"at":', '"force":true,"at":', 'force: unknown'],
  ['"$ref":"venues Sala"', '"$ref":"venues Teatre"', 'needs the step "venues Teatre", which is missing'],
  ['"key":"events Opera 2026-12-06 19:00:00"', '"key":"venues Sala"', 'another step has the key "venues Sala"'],
  ['"same":0', '"same":"all"', 'same: expected a number, got "all"'],
])('a plan with %s changed to %s is refused', async (from, to, mistake) => {
  const { edited, events } = await planned()
  const { status, err } = await edited(text => text.replace(from, to))
  expect([status, err]).toEqual([2, expect.stringContaining(mistake)])
  expect(err).toContain('hint: fix it, or save a new plan with: calctl diff FILE --save plan.json\n')
  expect(await events()).toBe('0\n')
})

test('an error in a plan is reported with its step', async () => {
  const { edited, path } = await planned()
  const { err } = await edited(text => text.replace('"title":"Opera"', '"title":7,"organizer":true'))
  expect(err).toContain(
    `error: ${path('edited.json')}: step 3 (events Opera 2026-12-06 19:00:00): values.organizer: expected `,
  )
})

test('a plan that is cut off is refused, wherever that is', async () => {
  const { edited, path } = await planned()
  const lines = async (count: number) => (await edited(text => text.split('\n').slice(0, count).join('\n'))).err
  expect(await lines(3)).toBe(
    `error: the plan ${path('edited.json')} is cut off after step 2\nhint: save it again with: calctl diff FILE --save ${path('edited.json')}\n`,
  )
  expect((await edited(text => text.slice(0, 400))).err).toContain('is cut off')
  expect((await edited(text => JSON.stringify(JSON.parse(text), null, 2).slice(0, -9))).err).toContain('is cut off')
})

test('a plan that an editor has reformatted is applied', async () => {
  const { edited, events } = await planned()
  expect((await edited(text => JSON.stringify(JSON.parse(text), null, 2))).status).toBe(0)
  expect(await events()).toBe('2\n')
})

test('a plan is applied once, and again after an undo', async () => {
  const { calctl, plan, events } = await planned()
  expect((await calctl(`apply ${plan} --yes`)).status).toBe(0)
  const refused = {
    status: 7,
    out: '',
    err: 'error: run q3u already applied this plan\nhint: make a new plan with: calctl diff FILE --save plan.json\n',
  }
  expect(await calctl(`apply ${plan} --yes`)).toEqual(refused)
  expect(await calctl(`apply ${plan} --dry-run`)).toEqual(refused)
  await calctl('runs undo --yes')
  expect(await events()).toBe('0\n')
  expect((await calctl(`apply ${plan} --yes`)).status).toBe(0)
  expect(await events()).toBe('2\n')
})

test('a plan that was printed as JSON is applied once, too', async () => {
  const { calctl, file, path, events } = await planned()
  const { out } = await calctl(`diff --exit-code ${path('two.csv')} --create-missing --json`)
  expect((await calctl(`apply ${file('printed.json', out)} --yes`)).status).toBe(0)
  expect((await calctl(`apply ${path('printed.json')} --yes`)).status).toBe(7)
  expect(await events()).toBe('2\n')
})

test('a plan of another version is refused, in one line or in many', async () => {
  const { calctl, file, text, events } = await planned()
  const newer = text('plan.json').replace('"calctl":1', '"calctl":2').replace('"same":0', '"alike":0')
  for (const content of [newer, JSON.stringify(JSON.parse(newer), null, 2)]) {
    const plan = file('newer.json', content)
    expect(await calctl(`apply ${plan} --yes`)).toEqual({
      status: 2,
      out: '',
      err: `error: ${plan} was saved by another version of calctl: plan format 2, not 1\nhint: save it again with: calctl diff FILE --save ${plan}\n`,
    })
  }
  expect(await events()).toBe('0\n')
})

test('a plan whose run was stopped before its first request is finished by resuming that', async () => {
  const { folder } = calendarWithFiles()
  const runs = join(folder, 'runs')
  const plan = { ...planOf(creation('tags', 'tag', { name: 'Jazz' })), id: 'kept' }
  const begin = async () => startJournal(runs, plan, { started: plan.made, to: '' })
  await (await startOnce(runs, plan, begin)).close()
  await expect(startOnce(runs, plan, begin)).rejects.toMatchObject({
    kind: 'conflict',
    message: 'run q3u already applied this plan',
    details: { hint: expect.stringContaining('calctl runs resume q3u') },
  })
})

test('a plan whose undo was undone counts as applied', async () => {
  const { calctl, plan } = await planned()
  await calctl(`apply ${plan} --yes`)
  await calctl('undo --yes')
  await calctl('redo --yes')
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 7 })
})

test('only one of two processes that start the same plan applies it', async () => {
  const { folder } = calendarWithFiles()
  const runs = join(folder, 'runs')
  const plan = { ...planOf(creation('tags', 'tag', { name: 'Jazz' })), id: 'kept' }
  const begin = async () => {
    await sleep(20)
    return startJournal(runs, plan, { started: plan.made, to: '' })
  }
  const both = await Promise.allSettled([startOnce(runs, plan, begin), startOnce(runs, plan, begin)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { kind: 'conflict', message: `another process is executing run q3u (pid ${process.pid})` },
  })
  for (const one of both) if (one.status === 'fulfilled') await one.value.close()
})

test('a plan that was undone only in part is not applied again', async () => {
  const { calctl, plan, events } = await planned()
  await calctl(`apply ${plan} --yes`)
  await calctl('events update 2 --title Recital')
  expect((await calctl('undo q3u --yes')).err).toContain(': title changed after the run\n')
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 7, out: '' })
  expect(await events()).toBe('1\n')
})

test('a file that is not a journal does not keep a plan from being applied', async () => {
  const { calctl, plan, file, path } = await planned()
  mkdirSync(path('state/calctl/runs'), { recursive: true })
  file('state/calctl/runs/notes.ndjson', '{"a":1}\n')
  expect((await calctl(`apply ${plan} --yes`)).status).toBe(0)
})

test('a plan that failed in part is resumed', async () => {
  const { calctl, file, path } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  const tags = '{"resource":"tags","name":"Rock"}\n{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n'
  await calctl(`diff ${file('tags.ndjson', tags)} --save ${path('plan.json')}`)
  expect((await calctl(`apply ${path('plan.json')} --yes`)).status).toBe(6)
  expect(await calctl(`apply ${path('plan.json')} --yes`)).toMatchObject({
    status: 7,
    err: expect.stringContaining('hint: finish it with: calctl runs resume 7hk; or make a new plan with: '),
  })
})

test.each(['--prune', '--create-missing', '--match title', '--until 2027-01-01', '--starts-after 2026-12-01'])(
  'a saved plan cannot take %s',
  async flag => {
    const { calctl, plan } = await planned()
    expect(await calctl(`apply ${plan} ${flag} --yes`)).toEqual({
      status: 2,
      out: '',
      err: `error: ${flag.split(' ')[0]} has no effect on a saved plan
hint: leave it out, or make a new plan with: calctl diff FILE --save plan.json
`,
    })
  },
)

test('a plan among files of records, or on stdin, is refused', async () => {
  const { calctl, plan, path, text } = await planned()
  const hint = (file: string) => `hint: apply it on its own with: calctl apply ${file}\n`
  expect(await calctl(`apply ${plan} ${path('two.csv')} --yes`)).toMatchObject({
    status: 2,
    err: `error: ${plan} is a saved plan, not a file of records\n${hint(plan)}`,
  })
  expect(await calctl('apply - --yes', text('plan.json'))).toMatchObject({
    status: 2,
    err: `error: stdin is a saved plan, not a file of records\n${hint('plan.json')}`,
  })
  expect((await calctl(`diff --exit-code ${plan}`)).status).toBe(2)
})

test('a plan overwrites another plan, and nothing else', async () => {
  const { calctl, plan, path, text } = await planned()
  expect((await calctl(`diff ${path('two.csv')} --create-missing --save ${plan}`)).status).toBe(0)
  expect(await calctl(`diff ${path('two.csv')} --create-missing --save ${path('two.csv')}`)).toEqual({
    status: 2,
    out: '',
    err: `error: ${path('two.csv')} exists and is not a plan\nhint: name another file, or remove it first\n`,
  })
  expect(text('two.csv')).toBe(two)
})

test('only the user can read a saved plan, even if others could read the one before', async () => {
  const { calctl, plan, path } = await planned()
  chmodSync(plan, 0o644)
  await calctl(`diff ${path('two.csv')} --create-missing --save ${plan}`)
  expect(statSync(plan).mode & 0o777).toBe(0o600)
})

test('a plan is refused for another language', async () => {
  const { calctl, plan } = await planned()
  expect(await calctl(`apply ${plan} --yes --lang en`)).toMatchObject({
    status: 7,
    err: expect.stringContaining(
      'error: the plan is for the default language, but this is language en\nhint: leave out --lang, or make',
    ),
  })
})

test('--save that cannot be written is reported before anything is sent', async () => {
  const { calctl, path, events } = await planned()
  const { status, err } = await calctl(`tags create --name A --save ${path('nowhere/file')}`)
  expect([status, err]).toEqual([
    2,
    expect.stringContaining(`error: cannot write ${path('nowhere/file')}: its folder does not exist`),
  ])
  expect(await events()).toBe('0\n')
})

test('on another machine, which has no journal of the run, a plan that was applied creates nothing again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const machine = (name: string) =>
    worldOf({
      openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
      cwd: folder,
      env: { CALCTL_BASE_URL: 'file:town.json', XDG_STATE_HOME: join(folder, name), HOME: folder },
    })
  const [here, elsewhere] = [machine('here'), machine('elsewhere')]
  await here('tags create --name Jazz -q')
  writeFileSync(join(folder, 'ball.csv'), 'title,start_date,end_date\nBall,2026-12-05 19:00,2026-12-05 21:00\n')
  await here('diff ball.csv --save plan.json')
  expect((await here('apply plan.json --yes')).status).toBe(0)
  expect((await here('apply plan.json --yes')).err).toContain('already applied this plan')
  const again = await elsewhere('apply plan.json --yes')
  expect([again.status, again.err]).toEqual([0, expect.stringContaining('1 done (1 already there)')])
  expect((await here('events list -o count')).out).toBe('1\n')
})

const spooled = <T>(items: readonly T[], inMemory: number) => {
  const spool = createSpool<T>(inMemory)
  for (const item of items) spool.add(item)
  return spool
}

test('a spool returns what was added, from memory and from its file', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.nat(8), (values, inMemory) => {
      // JSON has no -0.
      const items: unknown[] = JSON.parse(JSON.stringify(values))
      const spool = spooled(items, inMemory)
      expect([...spool]).toEqual(items)
      expect(items.map((_, index) => spool.at(index))).toEqual(items)
      expect([spool.length, spool.at(items.length), spool.at(-1)]).toEqual([items.length, undefined, undefined])
    }),
  )
})

test('a spool of several megabytes can grow after it was read', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'à'.repeat(500) }))
  const spool = spooled(items, 10)
  expect(spool.at(1700)).toEqual(items[1700])
  spool.add({ index: 3000, text: 'last' })
  expect([...spool].map(({ index }) => index)).toEqual(Array.from({ length: 3001 }, (_, index) => index))
})

test('lists can be concatenated and read in batches', () => {
  const list = concat([1, 2], [], [3, 4, 5])
  expect([list.length, list.at(1), list.at(2), list.at(5)]).toEqual([5, 2, 3, undefined])
  expect([...batches(list, 2)]).toEqual([[1, 2], [3, 4], [5]])
})

const sheet = `${head}${row('Jazz')}Opera,soon,2026-12-05 21:00\n`

/** Ways to name the sheet that is applied, or a file that somebody else wrote. */
const names: Readonly<Record<string, (path: (name: string) => string) => string>> = {
  'the input': path => path('town.csv'),
  'the input by another path': path => path('folder/../town.csv'),
  'a symbolic link to the input': path => path('symbolic.csv'),
  'a hard link to the input': path => path('hard.csv'),
  'a letter': path => path('letter.txt'),
  'a table of somebody else': path => path('table.csv'),
}

function town() {
  const site = calendarWithFiles()
  const { file, path } = site
  mkdirSync(path('folder'))
  file('town.csv', sheet)
  file('letter.txt', 'Dear Ada,\n')
  file('table.csv', 'name,error\nAda,none\n')
  symlinkSync(path('town.csv'), path('symbolic.csv'))
  linkSync(path('town.csv'), path('hard.csv'))
  const contents = () => ['town.csv', 'letter.txt', 'table.csv'].map(name => readFileSync(path(name), 'utf8'))
  return { ...site, contents }
}

test.each(Object.entries(names))('--save does not overwrite %s', async (_, nameOf) => {
  const { calctl, path, contents } = town()
  const before = contents()
  for (const flags of ['--yes --skip-invalid', '--yes', '--dry-run --skip-invalid']) {
    const { status, err } = await calctl(`apply ${path('town.csv')} ${flags} --save ${nameOf(path)}`)
    expect([flags, status, err]).toEqual([
      flags,
      2,
      expect.stringMatching(/\.(csv|txt) (exists and is|is the file).*\nhint: name another file/),
    ])
    expect(contents()).toEqual(before)
  }
  expect((await calctl('events list -o count')).out).toBe('0\n')
})
