import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionFlags } from '../../src/cli/commands/runs/resume-run.ts'
import type { World } from '../../src/cli/world.ts'
import type { Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A calendar with a temporary folder for its journals and for files to apply. */
function calendarWithFiles(options: Parameters<typeof calendar>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const runs = join(folder, 'state/calctl/runs')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const calctl = calendar({ ...options, env: { XDG_STATE_HOME: join(folder, 'state') } })
  return { calctl, folder, file, runs, journals: () => readdirSync(runs) }
}

const head = 'title,start_date,end_date\n'
const row = (title: string) => `${title},2026-12-05 19:00,2026-12-05 21:00\n`

test('apply keeps a journal that only its user can read, and the run can be undone', async () => {
  const { calctl, file, runs, journals } = calendarWithFiles()
  const { err } = await calctl(`apply ${file('two.csv', head + row('Jazz') + row('Opera'))} --yes`)
  expect(err).toBe('2 to create\n2 done. Undo: calctl undo q3u\n')
  expect(journals()).toEqual(['20261121-020000.000-q3u.ndjson'])
  expect(statSync(join(runs, '20261121-020000.000-q3u.ndjson')).mode & 0o777).toBe(0o600)
  const { status, err: undoOutput } = await calctl('runs undo --yes')
  expect(status).toBe(0)
  expect(undoOutput).toContain('2 to move to the trash\n2 done. Undo:')
  expect((await calctl('events list -o count')).out).toBe('0\n')
})

test('an undo is a run that can be undone', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  await calctl('runs undo --yes')
  expect((await calctl('-p local redo --yes')).err).toMatch(
    /^redoing run q3u: undoing run 7hk \(runs undo q3u, Sat 21 Nov 03:00, 1 step\)\n/,
  )
  expect((await calctl('events list --fields title,status -o ndjson')).out).toBe(
    '{"title":"Jazz","status":"publish"}\n',
  )
})

test('undo asks for confirmation, and --dry-run shows its plan', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  expect(await calctl('runs undo')).toMatchObject({
    status: 8,
    err: expect.stringMatching(
      /\nerror: cannot ask for confirmation without a terminal: Undo q3u at the calendar file .*: move 1 event to the trash\?\n/,
    ),
  })
  expect(await calctl('runs undo --dry-run')).toMatchObject({
    out: expect.stringContaining('- "Jazz", Sat 5 Dec 19:00 (1)\n'),
    err: 'undoing run q3u (apply, Sat 21 Nov 03:00, 1 step)\n',
  })
})

test('apply says before the run what an undo could not bring back as it was', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  const { err } = await calctl(`apply ${file('tags.ndjson', '{"resource":"tags","id":1,"action":"trash"}\n')} --yes`)
  expect(err).toMatch(/^tags are deleted permanently: undo creates them again with new IDs\n1 to delete permanently\n/m)
  expect((await calctl('runs undo --dry-run')).out).toContain('tag 1 (line 1) gets a new ID\n1 to create')
})

test('runs are listed and shown', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('two.csv', head + row('Jazz') + row('Opera'))} --yes`)
  const { out } = await calctl('runs list -o json')
  expect(JSON.parse(out)).toEqual([
    {
      run: 'q3u',
      command: 'apply',
      started: '2026-11-21T02:00:00.000Z',
      state: 'done',
      steps: 2,
      done: 2,
      failed: 0,
      unknown: 0,
      left: 0,
      calendar: {
        id: 'file:///nowhere/.local/share/calctl/calendar.json',
        label: 'the calendar file /nowhere/.local/share/calctl/calendar.json',
      },
    },
  ])
  expect(await calctl('runs show')).toMatchObject({
    out: expect.stringMatching(
      /^done\t\+ "Jazz", Sat 5 Dec 19:00 \(1, row 2\): ends .*\ndone\t\+ "Opera", Sat 5 Dec 19:00 \(2, row 3\): .*\n$/,
    ),
    err: expect.stringMatching(/^q3u \(apply, Sat 21 Nov 03:00, 2 steps\): 2 to create.*; done\n$/),
  })
  expect(JSON.parse((await calctl('runs show --json')).out)).toMatchObject({
    results: [
      { action: 'create', resource: 'events', id: 1, state: 'done', error: null },
      { action: 'create', resource: 'events', id: 2, state: 'done', error: null },
    ],
  })
})

test('an unknown run is refused, with the nearest name', async () => {
  const { calctl } = calendarWithFiles()
  expect(await calctl('runs show')).toMatchObject({
    status: 4,
    err: expect.stringContaining('error: no runs yet'),
  })
  expect(await calctl('runs undo nothing')).toMatchObject({
    status: 4,
    err: 'error: no run nothing\nhint: see the runs with: calctl history\n',
  })
})

test('resume has nothing to do for a finished run', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  const { status, err } = await calctl('runs resume')
  expect([status, err]).toEqual([0, 'nothing left to do: run q3u is complete\n'])
})

test('failed steps are printed, listed by runs show, and done by resume once they can be', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  const sheet = file(
    'tags.ndjson',
    '{"resource":"tags","name":"Rock"}\n{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n',
  )
  const { status, err } = await calctl(`apply ${sheet} --yes --jobs 1`)
  expect(status).toBe(6)
  expect(err).toContain('error: 1 done, 1 failed\nhint: retry the failed steps with: calctl runs resume')
  const { results } = JSON.parse((await calctl('runs show -o json')).out)
  expect(results.map(({ state, error }: { state: string; error?: { kind: string } }) => [state, error?.kind])).toEqual([
    ['done', undefined],
    ['failed', 'refused'],
  ])
  await calctl('tags update 1 --name Blues')
  expect((await calctl('runs resume')).err).toContain('1 of 2 steps left\n1 done')
  expect((await calctl('tags list --no-hide-empty --fields name -o tsv')).out).toBe('name\nBlues\nJazz\nRock\n')
})

test('--max-trash limits how many records are removed', async () => {
  const { calctl, file } = calendarWithFiles()
  const rows = Array.from({ length: 11 }, (_, index) => row(`Concert ${index}`)).join('')
  await calctl(`apply ${file('many.csv', head + rows)} --yes`)
  const ids = Array.from({ length: 4 }, (_, index) => `${index + 1},trash\n`).join('')
  const sheet = file('trash.csv', `id,action\n${ids}`)
  expect(await calctl(`apply ${sheet} --resource events --yes --max-trash 3`)).toMatchObject({
    status: 8,
    err: expect.stringContaining(
      'error: this would remove 4 records, more than the limit of 3\nhint: see which with: --dry-run;',
    ),
  })
  expect((await calctl(`apply ${sheet} --resource events --yes --max-trash 4`)).status).toBe(0)
  expect((await calctl('events list -o count')).out).toBe('7\n')
})

test('a run prints counts or IDs on request', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('two.csv', head + row('Jazz') + row('Opera'))
  const { out } = await calctl(`apply ${sheet} --yes --json`)
  expect(JSON.parse(out)).toEqual({
    run: 'q3u',
    done: 2,
    failed: 0,
    unknown: 0,
    skipped: 0,
    same: 0,
    invalid: 0,
  })
  expect((await calctl(`apply ${file('new.csv', head + row('Rock'))} --yes -o ids`)).out).toBe('3\n')
})

test('a run is undone in its own language, unless another one is asked for', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes --lang en`)
  expect(await calctl('runs undo --yes --lang es')).toMatchObject({
    status: 7,
    err: expect.stringMatching(/was applied to .* in en, not to .* in es\nhint: add --lang en\n$/),
  })
  expect((await calctl('runs undo --yes')).status).toBe(0)
  expect((await calctl('events list --lang en -o count')).out).toBe('0\n')
})

test('several runs are undone by one command, each in its own language', async () => {
  const { calctl, file } = calendarWithFiles()
  const titles = { en: 'Jazz', ca: 'Sardana', es: 'Copla' }
  for (const [language, title] of Object.entries(titles))
    await calctl(`apply ${file(`${language}.csv`, head + row(title))} --yes --lang ${language}`)
  await calctl(`apply ${file('own.csv', head + row('Havanera'))} --yes`)
  expect((await calctl('undo --last 4 --yes')).status).toBe(0)
  for (const language of Object.keys(titles))
    expect((await calctl(`events list --lang ${language} -o count`)).out).toBe('0\n')
})

test('a run that was undone cannot be resumed', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  const tags = '{"resource":"tags","name":"Rock"}\n{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n'
  expect((await calctl(`apply ${file('tags.ndjson', tags)} --yes`)).status).toBe(6)
  await calctl('runs undo --yes')
  expect(await calctl('runs resume 7hk')).toEqual({
    status: 7,
    out: '',
    err: `error: run 7hk was undone by run y4n
hint: run the command again, or redo it with: calctl redo 7hk
`,
  })
  await calctl('redo --yes')
  expect((await calctl('runs resume 7hk')).status).toBe(6)
})

test('prune removes old journals', async () => {
  const { calctl, file, journals } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  expect((await calctl('runs prune --older-than 90d')).err).toBe('no journals of finished runs older than 90d\n')
  expect(journals()).toHaveLength(1)
})

test.each([['--rate fast', 'error: --rate: expected a number of writes per second, minute or hour, got "fast"']])(
  '%s is refused before anything is sent',
  async (flag, error) => {
    const { calctl, file } = calendarWithFiles()
    const { status, err } = await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes ${flag}`)
    expect([status, err.includes(error)]).toEqual([2, true])
    expect((await calctl('events list -o count')).out).toBe('0\n')
  },
)

test('--rate spaces writes evenly', async () => {
  const waits: number[] = []
  const { calctl, file } = calendarWithFiles({ sleep: async ms => void waits.push(ms) })
  const sheet = file('three.csv', head + row('Jazz') + row('Opera') + row('Tango'))
  expect((await calctl(`apply ${sheet} --yes --rate 2/s`)).status).toBe(0)
  expect(waits).toEqual([500, 1000])
})

test('the history names the files of a run, and what changed', async () => {
  const { calctl, file } = await wordpressSite()
  const sheet = (cost: string) =>
    `title,start_date,end_date,cost\nBall,2026-12-05 19:00,2026-12-05 21:00,${cost}\nMarket,2026-12-06 09:00,2026-12-06 13:00,${cost}\n`
  for (const cost of ['5', '6']) await calctl(['apply', file('season.csv', sheet(cost)), '--yes'])
  const { out } = await calctl('history --fields what -o ndjson')
  expect(
    out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).what),
  ).toEqual(['season.csv: 2 events updated (cost)', 'season.csv: 2 events created'])
})

const world: Partial<World> = { env: { HOME: '/nowhere' }, platform: 'linux', cwd: '/' }

test.each([
  ['https://example.org/wp-json/tribe/events/v1', '--base-url https://example.org/wp-json --namespace tribe/events/v1'],
  ['http://127.0.0.1:8787/calendar/events/v1', '--base-url http://127.0.0.1:8787'],
  ['https://example.org/events/v1', '--base-url https://example.org --namespace events/v1'],
  ['file:///srv/our%20town.json', '--base-url file:///srv/our%20town.json'],
  ['demo:', '--demo'],
  ['file:///nowhere/.local/share/calctl/calendar.json', '--profile local'],
])('the calendar %s is reached with the flags %s', async (id, flags) => {
  const calendar = { id, label: 'Our town' }
  expect(await connectionFlags(world as World, { calendar })).toBe(flags)
  expect(await connectionFlags(world as World, { calendar, lang_code: 'en' })).toBe(`${flags} --lang en`)
})

test.each([{ id: 1 }, { slug: 'concert' }])(
  'an update of %o in a plan of an earlier version, which did not read the record, is sent again by resume',
  async ref => {
    let isSilent = false
    const site = await productionSite({
      intercept: async ({ method }) =>
        isSilent && method === 'POST'
          ? { status: 504, headers: { 'content-type': 'text/html' }, body: '<p>Timeout</p>' }
          : undefined,
    })
    const { calctl, json } = site
    await json(`events create --title Concert ${dates} --json`)
    const saved = join(mkdtempSync(join(tmpdir(), 'earlier-')), 'plan.json')
    await calctl(`events update 1 --title Recital --save ${saved}`)
    const { checksum: __, ...plan } = JSON.parse(readFileSync(saved, 'utf8'))
    const { id: _, before, fingerprint, revision, ...step } = plan.steps[0]
    writeFileSync(saved, JSON.stringify({ ...plan, steps: [{ ...step, ref, ...('id' in ref && ref) }] }))
    isSilent = true
    const lost = await calctl(`apply ${saved} --yes --retries 0`)
    expect([lost.status, lost.err]).toEqual([6, expect.stringContaining('calctl runs resume')])
    isSilent = false
    const resumed = await calctl('runs resume --yes')
    expect([resumed.status, resumed.err]).toEqual([0, expect.stringContaining('1 done')])
    expect((await json('events get 1 --json')).title).toBe('Recital')
    expect((await calctl('runs resume')).err).toContain('nothing left to do')
  },
)

test('Ctrl-C during a run says what is finished, and what was not sent stays out of the count', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stopping-'))
  writeFileSync(join(folder, 'tags.csv'), 'resource,name\ntags,One\ntags,Two\ntags,Three\n')
  const stopping = new AbortController()
  const service = createService({
    store: memoryStore({ language: 'en', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const transport: Transport = request => {
    if (request.method === 'POST') stopping.abort()
    return service(request)
  }
  const env = { NO_COLOR: '1', XDG_STATE_HOME: folder }
  const calctl = worldOf({ transport, cwd: folder, env, terminal: 80, stopping: stopping.signal })
  const { status, err } = await calctl('apply tags.csv --yes --jobs 1')
  expect(status).toBe(130)
  expect(err).toContain('finishing 1 request; press Ctrl-C again to quit at once\n')
  expect(err).toContain('1 of 3 done (33 %)')
  expect(err).not.toContain('3 of 3')
})
