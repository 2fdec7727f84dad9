import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { demoRows } from '../../src/service/demo/demo.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { testTime, worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The demo calendar, kept for the whole test. */
function demo(quirks = false) {
  const { site, rows } = demoRows(testTime)
  const transport = createService({
    store: memoryStore({ ...site, quirks }, rows),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
    quirks,
  })
  return worldOf({ transport })
}

/**
 * The records of an export without values specific to a calendar: IDs, and the slugs of venues and organizers, which a service
 * derives from their names.
 */
function elsewhere(ndjson: string) {
  const records = ndjson
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const names = new Map<string, string>()
  for (const { resource, lang_code, slug, venue, organizer } of records)
    if (resource === 'venues' || resource === 'organizers')
      names.set(`${resource} ${lang_code} ${slug}`, venue ?? organizer)
  return records.map(({ id: _, origin: __, author: ___, ...record }) => {
    if (record.resource === 'venues' || record.resource === 'organizers') return { ...record, slug: '' }
    if (record.resource !== 'events') return record
    const { lang_code: language, venue, organizer } = record
    return {
      ...record,
      venue: names.get(`venues ${language} ${venue}`),
      organizer: organizer?.map((slug: string) => names.get(`organizers ${language} ${slug}`)),
    }
  })
}

test('an export of the demo, applied to an empty calendar, exports the same again', async () => {
  const from = demo()
  const to = calendar({ timezone: 'Europe/Madrid' })
  const first = await from('export --lang all --demo')
  expect(first).toMatchObject({ status: 0, err: 'not exported in ca: 1 event in the trash\n' })
  const applied = await to(['apply', '--yes', file('demo.ndjson', first.out)])
  expect(applied).toMatchObject({ status: 0 })
  const second = await to('export --lang all')
  expect(elsewhere(second.out)).toEqual(elsewhere(first.out))
  const again = await to(['diff', '--exit-code', file('demo.ndjson', first.out)])
  expect(again, again.out).toMatchObject({ status: 0 })
})

test.each([false, true])('an exported sheet that nobody edited changes nothing (quirks: %s)', async quirks => {
  const calctl = demo(quirks)
  for (const resource of ['events', 'venues', 'organizers', 'categories', 'tags'])
    for (const form of ['--format csv', '--excel']) {
      const { out } = await calctl(`export ${resource} ${form}`)
      const diff = await calctl(['diff', '--exit-code', file(`${resource}.csv`, out)])
      expect(diff, diff.out).toMatchObject({ status: 0, err: '' })
    }
})

test('a copy of a site that renders its texts has the rendered texts', async () => {
  const from = calendar({ quirks: true })
  await from('venues create --venue "Café & Bar"')
  await from(
    `events create --title "Rock & Roll" --cost 15 --description "A night of 'rock'" --venue 1 --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"`,
  )
  const { out } = await from('export -o json')
  const to = calendar()
  expect(await to('apply - --yes', out)).toMatchObject({ status: 0, err: expect.stringContaining('+ create 2') })
  const { out: copy } = await to('events list --fields title,cost,description,website,venue.venue -o json')
  expect(JSON.parse(copy)).toEqual([
    {
      title: 'Rock & Roll',
      cost: '15',
      description: '<p>A night of &#8216;rock&#8217;</p>',
      website: '',
      venue: { venue: 'Café & Bar' },
    },
  ])
  expect(await to('diff --exit-code -', out)).toMatchObject({ status: 0 })
  expect(await from('diff --exit-code -', out)).toMatchObject({ status: 0 })
})

test('--fields limits an export to these fields and to what identifies the records', async () => {
  const calctl = calendar()
  await calctl('categories create --name Jazz --description Swing')
  expect(await calctl('export categories --fields name --format csv')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^resource,id,lang_code,action,origin,name\ncategories,1,ca,,[^,]*,Jazz\n$/),
  })
  const { out } = await calctl('export categories --fields name')
  expect(JSON.parse(out)).toEqual({
    resource: 'categories',
    id: 1,
    lang_code: 'ca',
    origin: expect.any(String),
    name: 'Jazz',
  })
  expect(await calctl('export categories --fields nmae')).toEqual({
    status: 2,
    out: '',
    err: 'error: --fields: categories have no field "nmae"\nhint: did you mean name?\n',
  })
})

test('an export names its calendar without the path of the file, and finds its own records by ID', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  const { out } = await calctl('export tags')
  expect(JSON.parse(out).origin).toMatch(/^file:sha256-[\w-]{43}$/)
  expect(out).not.toContain('nowhere')
  await calctl('tags update 1 --name Swing --slug swing')
  expect((await calctl('diff --exit-code -', out)).out).toContain('~ tag "Swing" (1, line 1): ')
  expect((await calctl('--base-url file:///srv/other.json diff -', out)).out).toContain('+ tag "Jazz" (line 1)')
})

test('an empty export can be applied, and a sheet cannot mix resources', async () => {
  const calctl = calendar()
  const empty = (await calctl('export tags --format csv')).out
  expect(await calctl('apply - --yes --format csv', empty)).toMatchObject({
    status: 0,
    out: '',
    err: 'stdin: no records\n+ create 0  ~ update 0  - trash 0  = same 0  ! invalid 0\n',
  })
  const mixed = 'resource,name\ncategories,Jazz\ntags,Open air\n'
  expect(await calctl('diff --exit-code - --format csv', mixed)).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 3: resource: expected categories, like the other records, got "tags"'),
  })
})
