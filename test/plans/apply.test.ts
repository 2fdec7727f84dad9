import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-apply-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file of this text; its path. */
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const three = `slug,title,start_date,end_date
gala,Gala,2026-12-04 19:00,2026-12-04 21:00
cinema,Cinema,2026-12-05 19:00,2026-12-05 21:00
teatre,Teatre,2026-12-06 19:00,2026-12-06 21:00
`

/** A calendar with the events of `three`, whose IDs are 1, 2 and 3. */
async function town(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  await calctl(['apply', '--yes', '--jobs', '1', file('three.csv', three)])
  return calctl
}

test('apply creates the records of a sheet, with their missing venues and tags', async () => {
  const calctl = calendar()
  const sheet = file(
    'two.csv',
    `title,start_date,end_date,venue,tags
Concert,2026-12-05 19:00,2026-12-05 21:00,Sala,"Open air, Jazz"
Teatre,2026-12-06 19:00,2026-12-06 21:00,Sala,
`,
  )
  expect(await calctl(`apply ${sheet} --create-missing --yes`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('5 to create\n'),
  })
  const { out } = await calctl('events list --fields title,venue.venue,tags.name -o ndjson')
  expect(out).toBe(
    `{"title":"Concert","venue":{"venue":"Sala"},"tags":[{"name":"Jazz"},{"name":"Open air"}]}
{"title":"Teatre","venue":{"venue":"Sala"},"tags":[]}
`,
  )
})

test('diff ends with 0 whether there are changes or not, and with --exit-code as git diff does', async () => {
  const calctl = calendar()
  const sheet = 'name\nJazz\n'
  const ends = async (line: string) => (await calctl(`${line} - --format csv --resource tags`, sheet)).status
  expect([await ends('diff'), await ends('diff --exit-code')]).toEqual([0, 1])
  expect(await ends('apply --yes')).toBe(0)
  expect([await ends('diff'), await ends('diff --exit-code')]).toEqual([0, 0])
})

test('a record is matched by its slug, and only changed fields are updated', async () => {
  const calctl = await town()
  const edited = three.replace('Cinema,', 'Cinema a la fresca,').replace('2026-12-06 21:00', '2026-12-06 22:00')
  expect(await calctl(['diff', '--exit-code', file('edited.csv', edited)])).toEqual({
    status: 1,
    out: `~ "Cinema", Sat 5 Dec 19:00 (2, row 3): title "Cinema" → "Cinema a la fresca"
~ "Teatre", Sun 6 Dec 19:00 (3, row 4): ends 21:00 → 22:00
2 to update, 1 unchanged
`,
    err: '',
  })
})

test('a slug in a file is normalized, so that the record is matched again', async () => {
  const calctl = calendar()
  const sheet = `slug,title,start_date,end_date
S One,Gala,2026-12-04 19:00,2026-12-04 21:00
Música·viva,Cinema,2026-12-05 19:00,2026-12-05 21:00
`
  expect(await calctl('apply - --format csv --yes', sheet)).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields slug -o csv')).out).toBe('slug\ns-one\nmusica%c2%b7viva\n')
  expect(await calctl('diff --exit-code - --format csv', sheet)).toMatchObject({ status: 0 })
  expect(await calctl('diff --exit-code - --format csv', sheet.replace('S One', '!!!'))).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 2: slug: expected a slug: letters, digits, hyphens, got "!!!"\n'),
  })
})

test('records of one file can refer to each other in any order', async () => {
  const calctl = calendar()
  const lines = `{"resource":"events","title":"Gala","start_date":"2026-12-04 19:00","end_date":"2026-12-04 21:00","venue":"teatre","categories":["jazz"]}
{"resource":"categories","name":"Jazz","parent":"musica"}
{"resource":"categories","name":"Música","slug":"musica"}
{"resource":"venues","venue":"Teatre Principal","slug":"teatre"}
`
  expect(await calctl('apply - --yes --jobs 1', lines)).toMatchObject({ status: 0 })
  const { out } = await calctl('events list --fields venue.venue,categories.name -o ndjson')
  expect(out).toBe('{"venue":{"venue":"Teatre Principal"},"categories":[{"name":"Jazz"}]}\n')
  expect((await calctl('categories list --no-hide-empty --fields name,parent -o csv')).out).toBe(
    'name,parent\nJazz,1\nMúsica,0\n',
  )
  expect(
    await calctl('diff --exit-code -', lines.replace('"2026-12-04 21:00"', '"2026-12-04 21:00","slug":"gala"')),
  ).toMatchObject({
    status: 0,
  })
})

test('--match sets the fields by which events are matched', async () => {
  const calctl = await town()
  const moved = 'title,start_date,end_date\nGala,2026-12-04 19:00,2026-12-04 23:00\n'
  expect(await calctl('diff --exit-code - --format csv', moved)).toMatchObject({
    out: expect.stringContaining(
      '1 event is new: no event has the same title and dates (to move an event, edit an export, which has IDs, or add --match title)\n1 to create',
    ),
  })
  expect(await calctl('diff --exit-code - --format csv --match title+start_date', moved)).toMatchObject({
    out: expect.stringMatching(/^~ "Gala", Fri 4 Dec 19:00 \(1, row 2\): ends .*\n1 to update/),
  })
})

test('a sheet without IDs and slugs creates nothing when it is applied again', async () => {
  const calctl = calendar()
  const sheet = `title,start_date,end_date,venue
Gala,2026-12-04 19:00,2026-12-04 21:00,Sala
Nit,2026-12-05T22:00+00:00,2026-12-06T00:00+00:00,Sala
`
  expect(await calctl('apply - --format csv --create-missing --yes', sheet)).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^3 to create.*\n3 done\. /),
  })
  expect(await calctl('diff --exit-code - --format csv', sheet)).toMatchObject({ status: 0, err: '' })
  expect((await calctl('diff --exit-code - --format csv', sheet.replace('21:00,Sala', '21:00,@clear'))).out).toContain(
    '~ "Gala", Fri 4 Dec 19:00, Sala (2, row 2): venue',
  )
  await calctl('events create --title gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"')
  expect(await calctl('diff --exit-code - --format csv', sheet)).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /^! row 2: 2 events have the same title, start date and end date: 2, 4 \(give the ID of the one you mean/m,
    ),
  })
})

test('an importer sheet matches events by title and dates, and creates its venues', async () => {
  const calctl = await town()
  const sheet = `Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Venue Name,Event Category
Gala,2026-12-04,19:00,2026-12-04,21:00,Sala,Música
`
  expect(await calctl('apply - --format csv --yes', sheet)).toMatchObject({
    status: 0,
    err: expect.stringContaining('2 to create, 1 to update'),
  })
  expect(await calctl('diff --exit-code - --format csv', sheet)).toMatchObject({ status: 0 })
})

test('--prune trashes the listed records that are not in the file', async () => {
  const calctl = await town()
  const one = file('one.csv', 'slug,title\ncinema,Cinema\n')
  expect((await calctl(`diff --exit-code ${one} --prune`)).out).toBe(`- "Gala", Fri 4 Dec 19:00 (1)
- "Teatre", Sun 6 Dec 19:00 (3)
2 to move to the trash, 1 unchanged
`)
  expect(
    (await calctl(`diff --exit-code ${one} --prune --starts-after 2026-12-05`)).out,
  ).toBe(`- "Teatre", Sun 6 Dec 19:00 (3)
1 to move to the trash, 1 unchanged
`)
  expect(await calctl(`diff --exit-code ${one} --starts-after 2026-12-05`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--starts-after has no effect without --prune'),
  })
})

test('a row can have the action trash, restore or ignore', async () => {
  const calctl = await town()
  const header = 'slug,action\n'
  await calctl('apply - --format csv --resource events --yes', `${header}gala,trash\ncinema,ignore\n`)
  expect((await calctl('events list -o ids')).out).toBe('2\n3\n')
  expect(await calctl('apply - --format csv --resource events --yes', `${header}gala,trash\n`)).toMatchObject({
    status: 0,
  })
  await calctl('apply - --format csv --resource events --yes', `${header}gala,restore\n`)
  expect((await calctl('events list --fields id,status -o csv')).out).toBe('id,status\n1,draft\n2,publish\n3,publish\n')
})

test('a saved plan does what was shown, and skips records that changed since', async () => {
  const calctl = await town()
  const plan = join(folder, 'plan.json')
  const edited = three.replace(',Gala,', ',Gala de Nadal,').replace(',Cinema,', ',Cinema mut,')
  expect(await calctl(['diff', file('edited.csv', edited), '--save', plan])).toMatchObject({ status: 0 })
  expect(statSync(plan).mode & 0o777).toBe(0o600)
  await calctl('events update 2 --title "Cinema sonor"')
  const { status, err } = await calctl(['apply', plan, '--yes'])
  expect(status).toBe(7)
  expect(err).toContain('event 2 (row 3) changed in the meantime: title')
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nGala de Nadal\nCinema sonor\nTeatre\n')
  const calendar = { id: 'https://example.org/wp-json/calendar/events/v1', label: 'https://example.org/wp-json' }
  const elsewhere = JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), calendar, checksum: undefined })
  expect(await calctl(['apply', file('elsewhere.json', elsewhere), '--yes'])).toMatchObject({
    status: 7,
    err: expect.stringContaining('error: the plan is for https://example.org/wp-json, but this is '),
  })
})

test('IDs match only at the site they come from; other sites match by slug', async () => {
  const calctl = await town()
  const record = { id: 1, slug: 'cinema', title: 'Cinema' }
  const here = await calctl('diff --exit-code - --resource events', JSON.stringify(record))
  expect(here.out).toContain('~ "Gala", Fri 4 Dec 19:00 (1, line 1): slug "gala" → "cinema", title "Gala" → "Cinema"')
  const foreign = { ...record, origin: 'https://example.org/wp-json/tribe/events/v1' }
  expect(await calctl('diff --exit-code - --resource events', JSON.stringify(foreign))).toMatchObject({ status: 0 })
})

test('a record is written in the language of its lang_code', async () => {
  const calctl = await town()
  const lines = three
    .split('\n')
    .filter(line => line !== '')
    .map((line, index) => (index === 0 ? `lang_code,${line}` : `en,${line}`))
    .join('\n')
  await calctl('apply - --format csv --yes --jobs 1', lines)
  expect((await calctl('events list --lang en --fields id,slug -o csv')).out).toBe(
    'id,slug\n4,gala\n5,cinema\n6,teatre\n',
  )
})

test('a row with the action ignore is not checked', async () => {
  const calctl = calendar()
  const gala = 'Gala,2026-12-04 19:00,2026-12-04 21:00'
  const sheet =
    `action,id,slug,title,start_date,end_date,status,website\n,,,${gala},,\n` +
    `ignore,x,!!!,,soon,,publsh,www\nignore,,,${gala},,,too,many\nIgnore,,,Fira,05/06/2026,,,\nignore,9,,Fira,,,,\n`
  expect(await calctl('apply - --format csv --yes --skip-invalid-cells', sheet)).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^1 to create/),
  })
  const records = '{"resource":"events","action":"ignore","title":"","start_date":"soon"}\n'
  expect((await calctl('diff --exit-code -', records)).status).toBe(0)
  await calctl(`events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"`)
  expect(
    (await calctl('diff --exit-code - --format csv', `action,title,start_date,end_date\nignore,${gala}\n`)).status,
  ).toBe(0)
})

test('a record with the action ignore is neither changed nor pruned', async () => {
  const calctl = await town()
  const sheet = 'slug,action\ngala,ignore\ncinema,\n'
  expect(
    (await calctl('diff --exit-code - --format csv --resource events --prune', sheet)).out,
  ).toBe(`- "Teatre", Sun 6 Dec 19:00 (3)
1 to move to the trash, 1 unchanged
`)
})

const season = (...rows: string[]) =>
  `title,start_date,end_date\n${rows.map(title => `${title},2027-01-09 20:00,2027-01-09 22:00\n`).join('')}`

const note =
  '1 of the new events is in the trash: "Concert de barri 13" (2); to restore it: calctl events restore 2; to leave it out, remove it from the file\n'

test.each([
  ['a site', async () => productionSite()],
  ['a calendar file', async () => ({ calctl: calendar(), seen: [] as string[] })],
] as const)('a plan for %s names the events that it would create and that are in the trash', async (_, open) => {
  const { calctl, seen } = await open()
  const sheet = season('Concert de barri 12', 'Concert de barri 13')
  expect((await calctl('apply - --format csv --yes', sheet)).err).not.toContain('in the trash')
  await calctl('events delete 2 --yes')
  await calctl('events delete 1 --yes')
  await calctl('events restore 1 --status publish')
  seen.length = 0
  expect((await calctl('diff --exit-code - --format csv', sheet)).out).toContain(note)
  expect(seen.filter(line => line.startsWith('GET /events')).length).toBeLessThan(5)
  expect((await calctl('events restore 2 --status publish')).status).toBe(0)
  expect((await calctl('diff --exit-code - --format csv', sheet)).out).toContain('2 unchanged')
})

test('a new event with the title of another one on that day is named, for it may have been moved', async () => {
  const calctl = calendar()
  await calctl('apply - --format csv --yes', season('Ball de tarda', 'Concert'))
  const { out } = await calctl('diff -', season('Ball de tarda', 'Concert').replace('20:00', '21:00'))
  expect(out).toContain(
    '1 of the new events has the title of another one on that day or near it, which stays: "Ball de tarda" (1); if it was moved, put its ID into a column ID\n',
  )
  expect((await calctl('diff -', season('Ball de nit'))).out).not.toContain('on that day')
})

test('a new event is named if it may be one that was moved by days, but not if several could be, or if other rows mean them', async () => {
  const calctl = calendar()
  const sheet = (...days: string[]) =>
    `title,start_date,end_date\n${days.map(day => `Ball,2027-01-${day} 20:00,2027-01-${day} 22:00\n`).join('')}`
  await calctl('apply - --format csv --yes', sheet('09', '23'))
  const named = 'the title of another one on that day or near it'
  expect((await calctl('diff -', sheet('09', '24'))).out).toContain(`${named}, which stays: "Ball" (2)`)
  expect((await calctl('diff -', sheet('16'))).out).not.toContain(named)
  expect((await calctl('diff -', sheet('09', '16', '23'))).out).not.toContain(named)
  expect((await calctl('diff - --match start_date', sheet('09', '24'))).out).not.toContain(named)
})

test.each(['', ' --match title'])('a new event with the start and place of another one is named%s', async match => {
  const calctl = calendar()
  await calctl('venues create --venue Ateneu')
  await calctl('venues create --venue Casal')
  const sheet = (title: string, venue = 'Ateneu') =>
    `title,start_date,end_date,venue\n${title},2027-01-09 20:00,,${venue}\nTeatre,2027-01-09 20:00,,Casal\n`
  await calctl('apply - --format csv --yes', sheet('Ball'))
  const { out } = await calctl(`diff -${match}`, sheet('Ball de gala'))
  expect(out).toContain(
    '1 of the new events has the start and place of another one, which stays: "Ball de gala" / "Ball" (3); if only the title was changed, put its ID into a column ID\n',
  )
  expect((await calctl(`diff -${match}`, sheet('Ball de gala', 'Casal'))).out).not.toContain('start and place')
})

test('an event of another title or start is not the one in the trash', async () => {
  const { calctl } = await productionSite()
  await calctl('apply - --format csv --yes', season('Concert'))
  await calctl('events delete 1 --yes')
  expect((await calctl('diff --exit-code - --format csv', season('Ball'))).out).not.toContain('in the trash')
  const later = season('Concert').replace('20:00', '21:00')
  expect((await calctl('diff --exit-code - --format csv', later)).out).not.toContain('in the trash')
})

test('a plan that creates many events of the trash names the first', async () => {
  const { calctl } = await productionSite()
  const sheet = season('A1', 'B2', 'C3', 'D4', 'E5', 'F6', 'G7')
  await calctl('apply - --format csv --yes --jobs 1', sheet)
  for (const id of [1, 2, 3, 4, 5, 6, 7]) await calctl(`events delete ${id} --yes`)
  const { err } = await calctl('apply - --format csv --yes', sheet)
  expect(err).toMatch(
    /^7 of the new events are in the trash: "A1" \(1\), "B2" \(2\), "C3" \(3\), "D4" \(4\), "E5" \(5\) and 2 more; to restore them: calctl events restore 1 2 3 4 5 6 7; to leave them out, remove them from the file$/m,
  )
})

test('a plan without new events reads no trash, and a trash that cannot be read is none', async () => {
  const lists: string[] = []
  const { calctl } = await productionSite({
    intercept: async ({ path, query = '' }) => {
      if (!path.endsWith('/events') || !query.includes('status=trash')) return undefined
      lists.push(query)
      return { status: 400, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_invalid_param"}' }
    },
  })
  expect(await calctl('apply - --format csv --yes', season('Concert'))).toMatchObject({ status: 0 })
  expect(lists).toHaveLength(1)
  expect((await calctl('apply - --format csv --yes', season('Concert'))).err).toContain('1 unchanged')
  expect(lists).toHaveLength(1)
})

test('apply suggests running the command again if all failures are conflicts', async () => {
  const { calctl, file, path } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  await calctl(`diff ${file('edited.csv', 'id,title\n1,Swing\n')} --resource events --save ${path('plan.json')}`)
  await calctl('events update 1 --title Opera')
  const { status, err } = await calctl(`apply ${path('plan.json')} --yes`)
  expect(status).toBe(7)
  expect(err).toMatch(
    /error: 0 done, 1 failed\nhint: run the command again, or see what differs now with: calctl diff FILE\n$/,
  )
})

test('a dry run reports invalid records and ends with the status of the real run', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('two.csv', `${head}${row('Jazz')}Opera,soon,later\n`)
  const { status, out, err } = await calctl(`apply ${sheet} --dry-run`)
  expect(out).toMatch(/^\+ "Jazz", Sat 5 Dec 19:00 .*\n1 to create.* 1 invalid\n$/)
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(
      /^! row 3: start_date: .*\n! row 3: end_date: .*\nerror: 1 record is invalid\nhint: fix it, or add --skip-invalid /,
    ),
  ])
  expect((await calctl(`apply ${sheet} --dry-run --skip-invalid`)).status).toBe(0)
})

test('apply -o json prints one document on stdout, and the error as the last line of stderr', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('one.csv', `slug,${head}jazz,${row('Jazz')}`)
  const sum = { done: 0, failed: 0, unknown: 0, skipped: 0, same: 0, invalid: 0 }
  const applied = await calctl(`apply ${sheet} --yes --json`)
  expect(JSON.parse(applied.out)).toEqual({ ...sum, run: 'q3u', done: 1 })
  expect(JSON.parse((await calctl(`apply ${sheet} --yes --json`)).out)).toEqual({ ...sum, run: null, same: 1 })
  expect(JSON.parse((await calctl(`apply ${sheet} --yes -o ndjson`)).out)).toMatchObject({ run: null, same: 1 })
  expect(JSON.parse((await calctl('runs undo --yes --json')).out)).toMatchObject({ done: 1 })
  expect(JSON.parse((await calctl('runs undo q3u --yes --json')).out)).toEqual({
    ...sum,
    run: null,
    same: 1,
  })
})

test('--json prints an error on a line of its own, also on a terminal where a run was stopped', async () => {
  const { calctl, file } = calendarWithFiles({ terminal: 80 })
  await calctl('tags create --name Jazz')
  const lines = Array.from({ length: 60 }, (_, index) => `{"resource":"tags","name":"Tag ${index}"}\n`).join('')
  const sheet = file('tags.ndjson', `${lines}{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n`)
  const { status, out, err } = await calctl(`apply ${sheet} --yes --json`)
  expect([status, JSON.parse(out).failed]).toEqual([6, 1])
  const last = err.trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(last.split('\r\u001b[K').at(-1) ?? '')).toMatchObject({ error: { kind: 'partial' } })
  expect(err).not.toContain(' of 61 (')
})

test('apply refuses to read stdin twice', async () => {
  expect(await calendar()('apply - -', '')).toEqual({
    status: 2,
    out: '',
    err: 'error: stdin can be read only once\nhint: pass - once, or files instead\n',
  })
})
