import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { demoRows } from '../../src/service/demo/demo.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'
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
  expect(await to('apply - --yes', out)).toMatchObject({ status: 0, err: expect.stringContaining('2 to create') })
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
    err: 'stdin: no records\nnothing to do\n',
  })
  const mixed = 'resource,name\ncategories,Jazz\ntags,Open air\n'
  expect(await calctl('diff --exit-code - --format csv', mixed)).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 3: resource: expected the kind of the other records, categories, got "tags"'),
  })
})

const gala = 'events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"'

test('events with a password are not exported, with a notice', async () => {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true })
  const common = { store, now: () => testTime, baseUrl: 'http://calendar.test', namespace: 'calendar/events/v1' }
  const calctl = worldOf({ transport: createService({ ...common, quirks: true }) })
  await calctl(gala)
  await calctl(gala.replace('Gala', 'Nit'))
  const snapshot = store.snapshot()
  const events = snapshot.rows.events.map(row => (row.id === 1 ? { ...row, post_password: 'secret' } : row))
  await store.restore({ ...snapshot, rows: { ...snapshot.rows, events } })
  const { out, err } = await calctl('export events --format csv')
  expect(err).toBe('not exported: 1 event with a password\n')
  expect(out.split('\n').length).toBe(3)
})

test('a notice says that a site does not list hidden events', async () => {
  const site = await startServe('--memory --quirks --open --namespace tribe/events/v1 --port 0')
  if (!('url' in site)) throw new Error(site.err)
  const at = `--base-url ${site.url} --namespace tribe/events/v1`
  const calctl = calendar()
  await calctl(`${gala} --hide-from-listings ${at}`)
  const { out, err } = await calctl(`export events ${at}`)
  await site.stop()
  expect(out).toBe('')
  expect(err).toBe(`not exported: hidden events, which ${site.url} does not list\n`)
})

/** A sheet with one event, its venue and its organizer, exported from another site. */
async function sheetFromElsewhere() {
  const from = calendar()
  for (const line of [
    'venues create --venue "Plaça Major"',
    'organizers create --organizer "Ateneu Popular"',
    'events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00" --venue 1 --organizer 2',
  ])
    await from(line)
  const { out } = await from('export events --format csv')
  return out.replaceAll(/file:sha256-[\w-]+/g, 'https://town.example/calendar/events/v1')
}

test('a record that an export refers to by slug is not created from the slug alone', async () => {
  const sheet = await sheetFromElsewhere()
  const to = calendar()
  const refused = await to('apply - --format csv --create-missing --yes', sheet)
  expect(refused).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /^! row 2: no venue has the slug "placa-major" in .* \(export them too: calctl export venues events\)\n! row 2: no organizer has the slug "ateneu-popular"/m,
    ),
  })
  expect((await to('venues list -o count')).out).toBe('0\n')
})

test('a record that an export refers to by slug is found by the slug of its name', async () => {
  const sheet = await sheetFromElsewhere()
  const to = calendar()
  for (const line of [
    'venues create --venue "Plaça"',
    'venues update 1 --venue "Plaça Major"',
    'organizers create --organizer "Ateneu"',
    'organizers update 2 --organizer "Ateneu Popular"',
  ])
    await to(line)
  expect(await to('apply - --format csv --create-missing --yes', sheet)).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 to create'),
  })
  expect((await to('events list --fields venue.id,organizer.id -o ndjson')).out).toBe(
    '{"venue":{"id":1},"organizer":[{"id":2}]}\n',
  )
})

const head = 'title,start_date,end_date\n'
const both = `${head}First,2027-10-31T02:30+02:00,2027-10-31 04:00\nSecond,2027-10-31T02:30+01:00,2027-10-31 04:00\n`
const instants = 'events list --all-dates --fields title,start_date,utc_start_date -o csv'

test('an hour that occurs twice is exported with its offset, and is the same instant elsewhere', async () => {
  const [from, to] = [calendar(), calendar({ timezone: 'America/New_York' })]
  await from('apply - --format csv --yes', both)
  const { out } = await from('export events --fields title,start_date,end_date,timezone')
  expect(out).toContain('"start_date":"2027-10-31 02:30:00+02:00","end_date":"2027-10-31 04:00:00"')
  expect(out).toContain('"start_date":"2027-10-31 02:30:00+01:00"')
  await to('apply - --yes', out)
  for (const calctl of [from, to]) {
    expect((await calctl(instants)).out).toBe(
      'title,start_date,utc_start_date\nFirst,2027-10-31 02:30:00,2027-10-31 00:30:00\nSecond,2027-10-31 02:30:00,2027-10-31 01:30:00\n',
    )
    expect(await calctl('diff --exit-code -', out)).toMatchObject({ status: 0 })
  }
})

test('an hour that occurs twice is not ambiguous if the event has it already', async () => {
  const calctl = calendar()
  await calctl('apply - --format csv --yes', both)
  const edited = (start: string) => `id,title,start_date\n1,Opera,${start}\n`
  expect((await calctl('diff --exit-code - --format csv', edited('2027-10-31 02:30'))).out).toContain('1 to update')
  expect(await calctl('diff --exit-code - --format csv', edited('2027-10-31 02:45'))).toMatchObject({
    status: 2,
    err: expect.stringContaining('start_date: 2027-10-31 02:45 occurs twice in Europe/Madrid'),
  })
  expect((await calctl('diff --exit-code - --format csv', 'id,start_date\n1,2027-10-31T02:30+01:00\n')).status).toBe(1)
})

test('a site that drops offsets is not updated again and again', async () => {
  const site = await startServe(
    '--memory --quirks --open --timezone Europe/Madrid --namespace tribe/events/v1 --port 0',
  )
  if (!('url' in site)) throw new Error(site.err)
  const calctl = calendar()
  const at = `--base-url ${site.url} --namespace tribe/events/v1 --format csv`
  await calctl(`apply - --yes ${at}`, both)
  const { out } = await calctl(`diff --exit-code - ${at}`, both)
  await site.stop()
  expect(out).toContain('2 unchanged')
})

test('an export has all dates by itself, and takes --all-dates as lists do', async () => {
  const calctl = calendar()
  await calctl('apply - --format csv --yes', `${head}Old,2001-02-03 19:00,2001-02-03 21:00\n`)
  const all = await calctl('export events')
  expect(all.out).toContain('"title":"Old"')
  expect(await calctl('export events --all-dates')).toEqual(all)
  expect(await calctl('export --all-dates --human')).toMatchObject({ status: 0, out: expect.stringContaining('Old') })
  for (const [option, what] of [
    ['--on saturday', '--on'],
    ['--starts-after 2026-12-01', '--starts-after'],
  ])
    for (const form of ['', '--human'])
      expect(await calctl(`export events --all-dates ${option} ${form}`)).toMatchObject({
        status: 2,
        err: expect.stringContaining(`--all-dates and ${what} cannot be used together`),
      })
})
