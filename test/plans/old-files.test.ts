/** Plans, journals and exports of version 0.1.0, in which the identity of a calendar was a sentence. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { worldOf } from '../support/world.ts'

const oldFile = (name: string) => join(import.meta.dirname, '../support/old-files', name)

/** The calendar of the old files, with the journals of its runs. Applies the given sheets first. */
async function townWith(...sheets: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(oldFile('runs'), join(folder, 'state/calctl/runs'), { recursive: true })
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => new Date('2026-11-21T23:38:38Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const calctl = worldOf({
    transport: service,
    env: { XDG_STATE_HOME: join(folder, 'state') },
    now: new Date('2026-11-21T23:50:00Z'),
  })
  for (const sheet of sheets)
    await calctl(
      'apply - --format csv --create-missing --yes --jobs 1',
      readFileSync(oldFile(sheet), 'utf8').replace(',date,', ',publication_date,'),
    )
  return calctl
}

test('an old plan is applied to its own calendar', async () => {
  const calctl = await townWith('town.csv')
  expect(await calctl(['apply', oldFile('plan.json'), '--yes'])).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz nou\nÒpera\nTeatre\nCinema\n')
})

test('an old plan is refused elsewhere', async () => {
  const calctl = await townWith()
  expect(await calctl(['--base-url', 'file:///srv/other.json', 'apply', oldFile('plan.json'), '--yes'])).toMatchObject({
    status: 7,
    err: expect.stringContaining(
      'error: the plan is for the calendar file /nowhere/.local/share/calctl/calendar.json, but this is the calendar file /srv/other.json',
    ),
  })
})

test('an old plan for the demo is applied to the demo only', async () => {
  const calctl = await townWith()
  const refusal = expect.stringContaining('the plan is for the demo calendar')
  expect(await calctl(['apply', oldFile('demo-plan.json'), '--yes'])).toMatchObject({ status: 7, err: refusal })
  expect((await calctl(['--demo', 'apply', oldFile('demo-plan.json'), '--yes'])).err).not.toContain('the plan is for')
})

test('old runs are listed with the id of their calendar', async () => {
  const calctl = await townWith()
  const id = 'file:///nowhere/.local/share/calctl/calendar.json'
  expect(JSON.parse((await calctl('runs list --json')).out)).toMatchObject([
    { run: '20261121-233902', state: 'unfinished', done: 2, calendar: { id } },
    { run: '20261121-233838', state: 'done', done: 6, calendar: { id } },
  ])
})

test('an old run is undone', async () => {
  const calctl = await townWith('town.csv')
  expect(await calctl('runs undo 20261121-233838 --yes')).toMatchObject({ status: 0 })
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
  expect((await calctl('venues list -o count')).out).toBe('0\n')
})

test('an old run that was killed is resumed, and undone', async () => {
  const calctl = await townWith('town.csv')
  for (const row of readFileSync(oldFile('more.csv'), 'utf8').split('\n').slice(1, 4)) {
    const [title, start, end, date] = row.split(',')
    await calctl([
      'events',
      'create',
      '--title',
      `${title}`,
      '--start-date',
      `${start}`,
      '--end-date',
      `${end}`,
      '--date',
      `${date}`,
    ])
  }
  const { status, err } = await calctl('runs resume 20261121-233902')
  expect([status, err]).toEqual([0, expect.stringContaining('3 of 5 steps left')])
  const { out } = await calctl('events list --starts-after 2026-12-10 --fields id,title -o csv')
  expect(out).toBe('id,title\n6,Dansa\n7,Circ\n8,Màgia\n9,Titelles\n10,Contes\n')
  expect(await calctl('runs undo 20261121-233902 --yes')).toMatchObject({ status: 0 })
  expect((await calctl('events list --all-dates --fields title -o csv')).out).toBe(
    'title\nJazz\nOpera\nTeatre\nCinema\n',
  )
})

test('an old run is not resumed elsewhere, and its own calendar is named by a profile or an address', async () => {
  const calctl = await townWith()
  expect(await calctl('--base-url file:///srv/other.json runs resume 20261121-233902')).toMatchObject({
    status: 7,
    err: expect.stringContaining('hint: add --profile local\n'),
  })
})

test('an old export finds its own records by ID, as CSV and as NDJSON', async () => {
  const calctl = await townWith('town.csv')
  await calctl('events update 2 --slug another --title Another')
  for (const name of ['export.csv', 'export.ndjson']) {
    const { out } = await calctl(['diff', '--exit-code', oldFile(name)])
    expect(out).toContain('~ "Another", Sat 5 Dec 19:00, Sala Gran (2, ')
    expect(out).toContain('1 to update')
  }
})

test('an old export leaves its IDs behind elsewhere', async () => {
  const calctl = await townWith('town.csv')
  await calctl('events update 2 --slug another --title Another')
  const { out } = await calctl(['--base-url', 'file:///srv/other.json', 'diff', oldFile('export.csv')])
  expect(out).toContain('1 to create')
})
