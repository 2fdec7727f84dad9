import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Request } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { Failure } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A calendar whose clock advances a second per request and whose answers can be lost, with a folder for journals and files. */
function town({ quirks = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-later-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let seconds = 0
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks }),
    now: () => new Date(testTime.getTime() + seconds++ * 1000),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const answered: { lost?: (request: Request) => boolean } = {}
  const calctl = worldOf({
    transport: async request => {
      const answer = await service(request)
      if (answered.lost?.(request)) throw new Failure('unreachable', 'the answer was lost', { done: 'unknown' })
      return { ...answer, headers: { ...answer.headers, date: testTime.toUTCString() } }
    },
    env: { XDG_STATE_HOME: join(folder, 'state') },
  })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return { calctl, file, answered }
}

const all = [
  { resource: 'categories', name: 'Música' },
  { resource: 'tags', name: 'Jazz' },
  { resource: 'organizers', organizer: 'Colla' },
  { resource: 'venues', venue: 'Sala', city: 'Girona' },
  {
    resource: 'events',
    title: 'Concert',
    start_date: '2026-12-05 19:00',
    end_date: '2026-12-05 21:00',
    status: 'draft',
  },
  { resource: 'events', title: 'Recital', start_date: '2026-12-06 19:00', end_date: '2026-12-06 21:00', venue: 'Sala' },
]

const ndjson = (records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('')

const created = 'q3u'

test.each([
  ['categories update 2 --description Concerts', 'kept category "Música" (line 1): description changed after the run'],
  ['categories update 2 --slug musics', 'kept category "Música" (line 1): slug changed after the run'],
  ['tags update 1 --description Swing', 'kept tag "Jazz" (line 2): description changed after the run'],
  ['organizers update 1 --email a@example.org', 'kept organizer "Colla" (line 3): email changed after the run'],
  ['venues update 2 --zip 17001', 'kept venue "Sala" (line 4): zip changed after the run'],
  ['events update 3 --description Jazz', 'kept event "Concert" (line 5): description changed after the run'],
  ['events update 4 --featured', 'kept event "Recital" (line 6): featured changed after the run'],
  ['events update 4 --show-map', 'kept event "Recital" (line 6): show map changed after the run'],
  ['events update 4 --status private', 'kept event "Recital" (line 6): status changed after the run'],
  ['events update 4 --tags Rock --create-missing', 'kept event "Recital" (line 6): tags changed after the run'],
  ['events update 4 --website https://example.org/', 'kept event "Recital" (line 6): website changed after the run'],
])('undo keeps what a run created and somebody changed since: %s', async (change, told) => {
  for (const quirks of [false, true]) {
    const { calctl, file } = town({ quirks })
    expect((await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)).status).toBe(0)
    expect(await calctl(change)).toMatchObject({ status: 0 })
    expect((await calctl(`undo ${created} --dry-run`)).out.split('\n')).toContain(told)
  }
})

test.each([
  ['events update - --title Opera --cost 5', '3\n4\n'],
  ['events update - --status publish', '3\n'],
  ['events update - --status publish --title Opera --website https://example.org/', '3\n'],
  ['events update - --status draft', '4\n'],
  ['events update - --status trash', '3\n4\n'],
  ['events update - --tags 1 --categories 2 --all-day', '3\n4\n'],
  ['events delete -', '3\n4\n'],
  ['venues update - --state Girona --website https://example.org/', '2\n'],
  ['venues delete -', '2\n'],
  ['organizers update - --description Castells', '1\n'],
])('a run can be undone once the later run was undone: %s', async (change, ids) => {
  for (const quirks of [false, true]) {
    const { calctl, file } = town({ quirks })
    await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)
    expect(await calctl(`${change} --yes`, ids)).toMatchObject({ status: 0 })
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    expect(await calctl(`undo ${created} --yes`)).toMatchObject({
      status: 0,
      err: expect.stringContaining('4 to move to the trash, 2 to delete permanently\n6 done'),
    })
  }
})

test('undo keeps a restored record that somebody changed after the run', async () => {
  const { calctl, file } = town()
  await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)
  await calctl('events delete 4 --yes')
  await calctl('events restore - --yes', '4\n')
  const [restore] = (await calctl('runs list -o ids')).out.split('\n')
  await calctl('events update 4 --description Jazz')
  expect((await calctl(`undo ${restore} --dry-run`)).out).toContain(
    'kept event 4 (line 1): description changed after the run',
  )
})

test.each([false, true])('undo trashes a restored record whose answer was lost (quirks: %s)', async quirks => {
  const { calctl, file, answered } = town({ quirks })
  await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)
  await calctl('events update 4 --description Jazz --featured --tags 1')
  await calctl('events delete 4 --yes')
  answered.lost = ({ method }) => method !== 'GET'
  await calctl('events restore - --yes --retries 0', '4\n')
  delete answered.lost
  expect((await calctl('runs resume')).status).toBe(0)
  expect((await calctl('undo --dry-run')).out).toContain(
    '- "Recital", Sun 6 Dec 19:00, Sala (4)\n1 to move to the trash',
  )
  const [restore] = (await calctl('runs list -o ids')).out.split('\n')
  await calctl('events update 4 --title Opera')
  expect((await calctl(`undo ${restore} --dry-run`)).out).toContain(
    'kept event 4 (line 1): title changed after the run',
  )
})

test.each([false, true])(
  'undo finds later changes to a record whose create was not answered (quirks: %s)',
  async quirks => {
    const { calctl, file, answered } = town({ quirks })
    answered.lost = ({ method }) => method === 'POST'
    const single = all.filter(record => !('venue' in record && 'title' in record))
    await calctl(`apply ${file('all.ndjson', ndjson(single))} --yes --jobs 1 --retries 0`)
    delete answered.lost
    expect((await calctl('runs resume')).status).toBe(0)
    expect((await calctl('undo --dry-run')).out).toContain('3 to move to the trash, 2 to delete permanently')
    await calctl('tags update 1 --description Swing')
    await calctl('venues update 2 --zip 17001')
    const { out } = await calctl(`undo ${created} --dry-run`)
    expect(out).toContain('kept tag "Jazz" (line 2): description changed after the run')
    expect(out).toContain('kept venue "Sala" (line 4): zip changed after the run')
  },
)

/** An event that only editors see, with a term of the run. */
const hidden = (status: string) =>
  `events create --title Assaig --start-date "2026-12-07 19:00" --end-date "2026-12-07 21:00" --status ${status} --tags 1 --categories 2`

test.each(['draft', 'private'])('undo keeps terms that only a %s event uses', async status => {
  for (const quirks of [false, true]) {
    const { calctl, file } = town({ quirks })
    await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)
    expect(await calctl(hidden(status))).toMatchObject({ status: 0 })
    const { out } = await calctl(`undo ${created} --dry-run`)
    expect(out).toMatch(/^kept category 2( "Música")?: still used by event \d+$/m)
    expect(out).toMatch(/^kept tag 1( "Jazz")?: still used by event \d+$/m)
  }
})

test.each(['draft', 'private'])('undo gives a deleted term back to the %s event that had it', async status => {
  for (const quirks of [false, true]) {
    const { calctl, file } = town({ quirks })
    await calctl(`apply ${file('all.ndjson', ndjson(all))} --yes --jobs 1`)
    const { id } = JSON.parse((await calctl(`${hidden(status)} --json`)).out)
    for (const [terms, old] of [
      ['tags', '1'],
      ['categories', '2'],
    ]) {
      expect(await calctl(`${terms} delete - --yes`, `${old}\n`)).toMatchObject({ status: 0 })
      expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
      const event = JSON.parse((await calctl(`events get ${id} --json`)).out)
      expect(event[`${terms}`]).toMatchObject([{ name: terms === 'tags' ? 'Jazz' : 'Música' }])
    }
  }
})
