import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Request } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { Failure } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A calendar whose writes can be delayed, with a temporary folder for journals and files. */
function calendarWithFiles({ stopping, env = {} }: { stopping?: AbortSignal; env?: Record<string, string> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-stopped-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const delayed: { write?: (request: Request) => void | Promise<void> } = {}
  const calctl = worldOf({
    transport: async request => {
      if (request.method !== 'GET') await delayed.write?.(request)
      const answer = await service(request)
      return { ...answer, headers: { ...answer.headers, date: testTime.toUTCString() } }
    },
    env: { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config'), ...env },
    ...(stopping && { stopping }),
  })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return { calctl, folder, delayed, file, journals: () => readdirSync(join(folder, 'state/calctl/runs')) }
}

const sheet = (...titles: readonly string[]) =>
  ['title,start_date,end_date', ...titles.map(title => `${title},2026-12-05 19:00,2026-12-05 21:00`), ''].join('\n')

function promised(): [Promise<void>, () => void] {
  let keep = () => {}
  const promise = new Promise<void>(resolve => {
    keep = resolve
  })
  return [promise, () => keep()]
}

/** A write that has arrived, and continues when it is released. */
function gate() {
  const [arrived, arrive] = promised()
  const [open, letGo] = promised()
  const hold = async () => {
    arrive()
    await open
  }
  return { arrived, letGo, hold }
}

/** A run whose steps all failed, because nothing answered. */
async function failedRun({ calctl, delayed, file }: ReturnType<typeof calendarWithFiles>) {
  delayed.write = () => {
    throw new Failure('unreachable', 'nothing answers', { done: 'no' })
  }
  await calctl(`apply ${file('two.csv', sheet('Jazz', 'Opera'))} --yes`)
  delete delayed.write
}

test('of two processes that resume one run, one does and the other is refused', async () => {
  const shelved = calendarWithFiles()
  const { calctl, journals } = shelved
  await failedRun(shelved)
  const both = await Promise.all([calctl('runs resume'), calctl('runs resume')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 7])
  expect(both.find(({ status }) => status === 7)?.err).toBe(
    `error: another process is executing run q3u (pid ${process.pid})\nhint: wait until it ends, or stop that process\n`,
  )
  expect((await calctl('events list --fields title -o tsv')).out).toBe('title\nJazz\nOpera\n')
  expect(journals()).toEqual(['20261121-020000.000-q3u.ndjson'])
})

test('a run in progress can be neither resumed nor undone', async () => {
  const { calctl, delayed, file } = calendarWithFiles()
  const { arrived, letGo, hold } = gate()
  delayed.write = hold
  const running = calctl(`apply ${file('one.csv', sheet('Jazz'))} --yes`)
  await arrived
  expect((await calctl('runs list --fields state -o tsv')).out).toBe('state\nrunning\n')
  for (const verb of ['resume', 'undo --dry-run'])
    expect(await calctl(`runs ${verb}`)).toMatchObject({
      status: 7,
      err: expect.stringMatching(/^error: another process is executing run q3u \(pid \d+\)\n/),
    })
  letGo()
  expect((await running).status).toBe(0)
  expect((await calctl('runs list --fields state -o tsv')).out).toBe('state\ndone\n')
})

test('a run that is being undone can be neither undone nor resumed by others', async () => {
  const { calctl, delayed, file } = calendarWithFiles()
  await calctl(`apply ${file('two.csv', sheet('Jazz', 'Opera'))} --yes`)
  const { arrived, letGo, hold } = gate()
  delayed.write = hold
  const running = calctl('runs undo --yes')
  await arrived
  for (const verb of ['resume', 'undo --yes'])
    expect(await calctl(`runs ${verb} q3u`)).toMatchObject({
      status: 7,
      err: expect.stringMatching(/^error: another process is executing run \w{3} \(pid \d+\)\n/),
    })
  letGo()
  expect((await running).status).toBe(0)
  expect((await calctl('runs undo q3u --yes')).err).toMatch(
    /^undoing run .*\n2 unchanged\nerror: nothing left to undo of run q3u\n/,
  )
  expect((await calctl('redo --yes')).err).toMatch(/2 to restore/)
})

test('of two processes that undo one run, one does and the other is refused', async () => {
  const { calctl, file, journals } = calendarWithFiles()
  await calctl(`apply ${file('two.csv', sheet('Jazz', 'Opera'))} --yes`)
  const both = await Promise.all([1, 2].map(() => calctl('runs undo q3u --yes')))
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 7])
  expect(journals().toSorted()).toEqual(['20261121-020000.000-q3u.ndjson', '20261121-020000.001-7hk.ndjson'])
})

test('a dry run of an undo does not lock the run', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', sheet('Jazz'))} --yes`)
  const both = await Promise.all([calctl('runs undo --dry-run'), calctl('runs undo --dry-run')])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
})

test('runs that start in the same second have a journal each', async () => {
  const { calctl, file, journals } = calendarWithFiles()
  await Promise.all(['Jazz', 'Opera'].map(title => calctl(`apply ${file(`${title}.csv`, sheet(title))} --yes`)))
  expect(journals().toSorted()).toEqual(['20261121-020000.000-q3u.ndjson', '20261121-020000.001-7hk.ndjson'])
})

test.each(['/proc/nope', '/dev/null/state', '/dev/null'])(
  'nothing is sent if no journal can be written, as in %s',
  async place => {
    const { calctl, file } = calendarWithFiles({ env: { XDG_STATE_HOME: place } })
    const { status, err } = await calctl(`apply ${file('one.csv', sheet('Jazz'))} --yes`)
    expect(status).toBe(3)
    expect(err).toMatch(
      /error: cannot write a journal in .*\nhint: make the folder writable, or choose another with: XDG_STATE_HOME=…\n$/,
    )
    expect((await calctl('events list -o count')).out).toBe('0\n')
  },
)

test('an empty journal does not keep other runs from being listed', async () => {
  const { calctl, file, folder } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', sheet('Jazz'))} --yes`)
  const runs = join(folder, 'state/calctl/runs')
  writeFileSync(join(runs, '20261121-030000.ndjson'), '')
  writeFileSync(join(runs, '20261121-040000.ndjson'), '{"calctl":1,"ru')
  expect(await calctl('runs list --fields run,state,done -o csv')).toEqual({
    status: 0,
    out: 'run,state,done\n20261121-040000,unreadable,\n20261121-030000,unreadable,\nq3u,done,1\n',
    err: '',
  })
  expect(await calctl('runs resume')).toMatchObject({
    status: 3,
    err: expect.stringMatching(
      /040000.ndjson is not the journal of a run, or its first line is damaged\nhint: the outcome of the run is unknown/,
    ),
  })
})

test('a run with a damaged line in its journal is shown, resumed and undone', async () => {
  const { calctl, file, folder } = calendarWithFiles()
  await calctl(`apply ${file('two.csv', sheet('Jazz', 'Opera', 'Rock'))} --yes --jobs 1`)
  const journal = join(folder, 'state/calctl/runs/20261121-020000.000-q3u.ndjson')
  const lines = readFileSync(journal, 'utf8').split('\n')
  const spoilt = lines.findIndex(line => line.startsWith('{"done"'))
  writeFileSync(journal, lines.with(spoilt, '{"done').join('\n'))
  expect((await calctl('runs list --fields state,done,left -o csv')).out).toBe('state,done,left\ndamaged,2,1\n')
  const notice = `line ${spoilt + 1} of the journal ${journal} is damaged and was ignored\n`
  expect((await calctl('runs show')).err).toContain(notice)
  expect((await calctl('runs undo --dry-run')).err).toContain(notice)
  expect((await calctl('runs resume')).err).toMatch(/1 of 3 steps left\n1 done\. Undo:/)
  expect((await calctl('events list -o count')).out).toBe('3\n')
})

test('Ctrl-C in a run finishes the steps in progress, and says how to resume', async () => {
  const controller = new AbortController()
  const { calctl, delayed, file } = calendarWithFiles({ stopping: controller.signal })
  delayed.write = () => controller.abort()
  expect(await calctl(`apply ${file('three.csv', sheet('Jazz', 'Opera', 'Rock'))} --yes --jobs 1`)).toEqual({
    status: 130,
    out: '',
    err: expect.stringMatching(
      /\nerror: interrupted: 1 done, 2 not sent\nhint: resume with: calctl runs resume q3u\n$/,
    ),
  })
  expect((await calctl('runs list --fields state,done,left -o csv')).out).toBe('state,done,left\nunfinished,1,2\n')
})

test('a run of another calendar is refused with the options that connect to it', async () => {
  const { calctl, file, folder } = calendarWithFiles()
  await calctl(`profiles add town --base-url file:${folder}/town.json`)
  writeFileSync(join(folder, 'town.json'), '')
  await calctl('profiles use town')
  await calctl(`apply ${file('one.csv', sheet('Jazz'))} --yes`)
  await calctl('profiles use local')
  expect((await calctl('undo q3u --yes')).err).toMatch(/not to the calendar file .*\nhint: add --profile town\n$/)
  await calctl('profiles remove town --yes')
  expect((await calctl('undo q3u --yes')).err).toMatch(`hint: add --base-url file://${folder}/town.json\n`)
  expect((await calctl(`runs undo --yes --base-url file://${folder}/town.json`)).status).toBe(0)
})

test('Ctrl-C while resume reads the calendar says how to resume', async () => {
  const first = new AbortController()
  const { calctl, delayed, file, folder } = calendarWithFiles({ stopping: first.signal })
  await calctl(`apply ${file('two.csv', sheet('Jazz', 'Opera'))} --yes`)
  delayed.write = () => first.abort()
  await calctl(`apply ${file('costs.csv', 'id,cost\n1,9\n2,9\n')} --resource events --yes --jobs 1`)
  const second = new AbortController()
  const never = new Promise<never>(() => {})
  const resumed = worldOf({
    transport: () => {
      second.abort()
      return never
    },
    env: { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
    stopping: second.signal,
  })
  expect(await resumed('runs resume')).toEqual({
    status: 130,
    out: '',
    err:
      'resuming run 7hk: 1 of 2 steps left\nerror: interrupted: 0 done, 1 not sent\n' +
      'hint: resume with: calctl runs resume 7hk\n',
  })
})
