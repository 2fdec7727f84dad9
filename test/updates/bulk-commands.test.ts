import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-many-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A calendar with three events on three evenings, with the IDs 1, 2 and 3. */
async function evenings() {
  const calctl = calendar()
  for (const day of ['04', '05', '06'])
    await calctl(
      `events create --title "Nit ${day}" --start-date "2026-12-${day} 19:00" --end-date "2026-12-${day} 21:00"`,
    )
  return calctl
}

test('update - changes every event that a line of stdin names', async () => {
  const calctl = await evenings()
  const { out: ids } = await calctl('events list -o ids')
  const { status, err } = await calctl('events update - --shift +30m --status draft --yes', ids)
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('3 to update') })
  const { out } = await calctl('events list --fields start_date,end_date,status -o csv')
  expect(out).toBe(`start_date,end_date,status
2026-12-04 19:30:00,2026-12-04 21:30:00,draft
2026-12-05 19:30:00,2026-12-05 21:30:00,draft
2026-12-06 19:30:00,2026-12-06 21:30:00,draft
`)
})

test('a quoted value is a name, even one of digits, in options and in sheets', async () => {
  const calctl = await evenings()
  await calctl('tags create --name 2026')
  await calctl('tags create --name "Jazz, blues"')
  const line = ['events', 'update', '-', '--tags', '"2026", "Jazz, blues"', '--yes', '-q']
  expect(await calctl(line, '1\n')).toEqual({ status: 0, out: '', err: '' })
  const { out } = await calctl('events get 1 --fields tags.name --json')
  expect(JSON.parse(out)).toEqual({ tags: [{ name: '2026' }, { name: 'Jazz, blues' }] })
})

test('a dry run shows the plan field by field and sends nothing', async () => {
  const calctl = await evenings()
  const { status, out } = await calctl(
    'events update - --add-tags Jazz --create-missing --title Nit --dry-run',
    '1\nnit-05\n',
  )
  expect({ status, out }).toEqual({
    status: 0,
    out: `+ tag "Jazz"
~ "Nit 04", Fri 4 Dec 19:00 (1, line 1): title "Nit 04" → "Nit", tags (none) → new "Jazz"
~ "Nit 05", Sat 5 Dec 19:00 (2, line 2): title "Nit 05" → "Nit", tags (none) → new "Jazz"
1 to create, 2 to update
`,
  })
  expect((await calctl('tags list --no-hide-empty -o count')).out).toBe('0\n')
})

test('update - reads the changes from NDJSON records', async () => {
  const calctl = await evenings()
  await calctl('events update - --yes', '{"id":1,"title":"Gala"}\n{"slug":"nit-05","website":"https://nit.example/"}\n')
  const { out } = await calctl('events list --fields title,website -o ndjson')
  expect(out).toBe(`{"title":"Gala","website":""}
{"title":"Nit 05","website":"https://nit.example/"}
{"title":"Nit 06","website":""}
`)
})

test('delete - and restore - read the same lines', async () => {
  const calctl = await evenings()
  expect(await calctl('events delete - --yes', '1\nnit-06\n')).toMatchObject({ status: 0 })
  expect((await calctl('events list -o ids')).out).toBe('2\n')
  expect(await calctl('events restore - --status publish --yes', '1\nnit-06\n')).toMatchObject({ status: 0 })
  expect((await calctl('events list --status publish -o ids')).out).toBe('1\n2\n3\n')
})

test('a missing record is reported with its line, and nothing is sent without --skip-invalid', async () => {
  const calctl = await evenings()
  const refused = await calctl('events delete - --yes', '1\n77\n')
  expect(refused.status).toBe(2)
  expect(refused.err).toMatch(/! line 2: no event 77 in .*\n/)
  expect((await calctl('events list -o ids')).out).toBe('1\n2\n3\n')
  expect(await calctl('events delete - --yes --skip-invalid', '1\n77\n')).toMatchObject({ status: 6 })
  expect((await calctl('events list -o ids')).out).toBe('2\n3\n')
})

test('invalid records are not counted as unchanged', async () => {
  const calctl = await evenings()
  expect((await calctl('events update - --add-tags Nope --dry-run', '1\n2\n')).out).toMatch(/^2 invalid\n$/)
})

test('create --from creates every record, update --from creates none', async () => {
  const calctl = await evenings()
  const sheet = file('nits.csv', 'title,start_date,end_date\nNit 07,2026-12-07 19:00,2026-12-07 21:00\n')
  await calctl(`events create --from ${sheet} --yes`)
  await calctl(`events create --from ${sheet} --yes`)
  expect((await calctl('events list --search "07" -o count')).out).toBe('2\n')
  const unknown = await calctl(`events update --from ${sheet} --yes`)
  expect(unknown.status).toBe(2)
  expect(unknown.err).toMatch(/! row 2: no such event in /)
})

test('--repeat creates single events that keep their hour when clocks change', async () => {
  const calctl = calendar()
  const series = `events create --title Taller --slug taller --start-date "2026-10-11 10:00" --end-date "2026-10-11 12:00"
    --timezone Europe/Madrid --repeat FREQ=WEEKLY --repeat-until 2026-11-01 --except 2026-10-18 --yes`
  expect(await calctl(series)).toMatchObject({ status: 0 })
  const { out } = await calctl('events list --all-dates --fields slug,start_date,utc_start_date -o csv')
  expect(out).toBe(`slug,start_date,utc_start_date
taller-2026-10-11,2026-10-11 10:00:00,2026-10-11 08:00:00
taller-2026-10-25,2026-10-25 10:00:00,2026-10-25 09:00:00
taller-2026-11-01,2026-11-01 10:00:00,2026-11-01 09:00:00
`)
})

test.each([
  ['events update - 3 --status draft', '- cannot be combined with other IDs or slugs'],
  ['events update', 'no records given'],
  ['events update 3 --from a.csv', '--from and IDs or slugs cannot be used together'],
  ['events update - --data -', '--data - and - cannot be used together'],
  ['events create --from a.csv --title Gala', '--from and --title cannot be used together'],
  ['events create --from a.csv --repeat FREQ=WEEKLY;COUNT=3', '--from and --repeat cannot be used together'],
  ['venues create --from a.csv --if-exists reuse', '--from and --if-exists cannot be used together'],
  ['events create --title Gala --except 2026-12-25', '--except requires --repeat'],
  [
    'events create --title Gala --start-date 2026-12-05 --end-date 2026-12-05 --repeat FREQ=WEEKLY;COUNT=3 --except sometimes',
    '--except: expected days to leave out, such as 24 and 31 December, August or holidays, got "sometimes"',
  ],
  [
    'events create --title Gala --start-date 2026-12-05 --end-date 2026-12-05 --repeat FREQ=WEEKLY --repeat-until soon',
    '--repeat-until: expected a day, such as 30 June 2027, got "soon"',
  ],
])('calctl %s is refused: %s', async (line, message) => {
  const { status, err } = await calendar()(line)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(`error: ${message}\n`) })
})

test.each([
  [
    'delete - --password x',
    '--password cannot unlock events from - or --from',
    'leave it out, or pass their IDs or slugs as arguments',
  ],
  [
    'update - --title Jazz --password x',
    '--password cannot unlock events from - or --from',
    'leave it out, or pass their IDs or slugs as arguments',
  ],
])('calctl events %s is refused, because an option has no effect', async (line, message, hint) => {
  const calctl = calendar()
  expect(await calctl(`events ${line}`, '1\n')).toEqual({
    status: 2,
    out: '',
    err: `error: ${message}\nhint: ${hint}\n`,
  })
})

test.each(['62\n', 'jazz\nopera\n', ''])(
  'update - with names alone, %j, says that there is nothing to change',
  async stdin => {
    expect(await calendar()('events update - --yes', stdin)).toEqual({
      status: 2,
      out: '',
      err: 'error: nothing to change\nhint: set a field, for example: calctl events update concert --title "Concert de Nadal"\n',
    })
  },
)

test('update - takes the changes from records on stdin', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  expect((await calctl('tags update - --yes', '{"id":1,"name":"Blues"}\n')).status).toBe(0)
  expect((await calctl('tags get 1 --fields name -o tsv')).out).toBe('name\nBlues\n')
})
