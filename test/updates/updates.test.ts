import { expect, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { testTime, undoLine, worldOf } from '../support/world.ts'

/** A calendar with an event that has a venue and tags. */
async function concert(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  await calctl('venues create --venue "Teatre Principal"')
  await calctl('venues create --venue "Sala Petita"')
  await calctl('tags create --name "Open air"')
  await calctl('tags create --name Gratuït')
  await calctl(
    'events create --title Concert --start-date "2027-03-27 19:00" --end-date "2027-03-27 21:00" --venue 1 --tags 1 --status draft --timezone Europe/Madrid',
  )
  return calctl
}

test('linked records can be given by name, regardless of case and accents', async () => {
  const calctl = await concert()
  const { out, err } = await calctl(
    'events update 3 --venue "sala petita" --tags gratuit --fields venue.venue,tags.name --json',
  )
  expect(err).toMatch(
    undoLine('Changed "Concert" (3): tags "Open air" → "Gratuït", venue "Teatre Principal" → "Sala Petita"'),
  )
  expect(JSON.parse(out)).toEqual({ venue: { venue: 'Sala Petita' }, tags: [{ name: 'Gratuït' }] })
})

test('a name in other letters is taken for the one it surely is, and --create-missing creates a new one', async () => {
  const calctl = await concert()
  expect(await calctl('events update 3 --venue "Sala Petit"')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^"Sala Petit" is taken for "Sala Petita" \(2\)\n/),
  })
  const made = await calctl('events update 3 --venue "Sala Nova" --create-missing --fields venue.venue --json')
  expect(JSON.parse(made.out)).toEqual({ venue: { venue: 'Sala Nova' } })
})

test('the hint for a name that is close to an existing one names what creates it all the same', async () => {
  const calctl = await concert()
  const line = 'events update 3 --venue "Teatre Principla"'
  const { err } = await calctl(line)
  const [, options = ''] = /did you mean "Teatre Principal"\? to create a new one, add: (.*)\n/.exec(err) ?? []
  expect(options).toBe('--create-missing --allow-similar')
  expect(await calctl(`${line} ${options}`)).toMatchObject({ status: 0 })
})

test('an ambiguous name lists its records, and ends with 2', async () => {
  const calctl = await concert()
  await calctl('venues create --venue "Sala Petita" --if-exists create')
  const { status, err } = await calctl('events update 3 --venue "Sala Petita"')
  expect(status).toBe(2)
  expect(err).toMatch(/2 venues are called "Sala Petita": \d+ \(Sala Petita, .*\), \d+ \(Sala Petita, .*\)/)
})

test('--add-tags and --remove-tags keep the other tags', async () => {
  const calctl = await concert()
  const added = await calctl('events update 3 --add-tags Gratuït --fields tags.name --json')
  expect(JSON.parse(added.out)).toEqual({ tags: [{ name: 'Gratuït' }, { name: 'Open air' }] })
  const removed = await calctl('events update 3 --remove-tags "open air" --fields tags.name --json')
  expect(JSON.parse(removed.out)).toEqual({ tags: [{ name: 'Gratuït' }] })
})

test('--shift moves both ends and keeps the hour when clocks change', async () => {
  const calctl = await concert()
  const { out } = await calctl('events update 3 --shift +1d --fields start_date,end_date,utc_start_date --json')
  expect(JSON.parse(out)).toEqual({
    start_date: '2027-03-28 19:00:00',
    end_date: '2027-03-28 21:00:00',
    utc_start_date: '2027-03-28 17:00:00',
  })
})

test('--timezone keeps the wall time with a notice', async () => {
  const calctl = await concert()
  const kept = await calctl('events update 3 --timezone Atlantic/Canary --fields start_date --json')
  expect(JSON.parse(kept.out)).toEqual({ start_date: '2027-03-27 19:00:00' })
  expect(kept.err).toContain('kept 2027-03-27 19:00 as the wall time in Atlantic/Canary\n')
})

test('a date with an offset is converted to the zone of the event, with a notice', async () => {
  const calctl = await concert()
  const { out, err } = await calctl('events update 3 --start-date 2027-03-27T17:30Z --fields start_date --json')
  expect(JSON.parse(out)).toEqual({ start_date: '2027-03-27 18:30:00' })
  expect(err).toContain('2027-03-27T17:30Z is 2027-03-27 18:30 in Europe/Madrid\n')
})

test('a time that clocks skip is refused with the possible times', async () => {
  const calctl = await concert()
  expect(await calctl('events update 3 --start-date "2027-03-28 02:30"')).toEqual({
    status: 2,
    out: '',
    err: 'error: --start-date: 2027-03-28 02:30 does not exist in Europe/Madrid because clocks change\nhint: choose one: 2027-03-28T01:30+01:00 or 2027-03-28T03:30+02:00\n',
  })
})

test('--dry-run prints a plan, and sends nothing', async () => {
  const calctl = await concert()
  const { status, out } = await calctl('events update 3 --title Recital --dry-run --json')
  expect(status).toBe(0)
  const step = {
    action: 'update',
    resource: 'events',
    id: 3,
    before: { title: 'Concert' },
    values: { title: 'Recital' },
  }
  expect(JSON.parse(out)).toMatchObject({ calctl: 1, steps: [step] })
  expect(await calctl('events get 3 --fields title -o ndjson')).toMatchObject({ out: '{"title":"Concert"}\n' })
})

test('with --quirks, update keeps a draft a draft', async () => {
  const calctl = await concert({ quirks: true })
  const safe = await calctl('events update 3 --title Recital --fields title,status,timezone --json')
  expect(safe).toMatchObject({
    status: 0,
    err: expect.stringMatching(undoLine('Changed "Recital" (3): title "Concert" → "Recital"')),
  })
  expect(JSON.parse(safe.out)).toEqual({ title: 'Recital', status: 'draft', timezone: 'Europe/Madrid' })
})

test('values that the site did not accept are reported, with status 7', async () => {
  const calctl = await concert({ quirks: true })
  const { status, out, err } = await calctl('events update 3 --clear venue --json')
  expect(status).toBe(7)
  expect(JSON.parse(out)).toMatchObject({ id: 3, venue: { id: 1 } })
  expect(JSON.parse(err)).toMatchObject({ error: { kind: 'conflict', drift: { venue: { after: { id: 1 } } } } })
})

test('restore brings an event back as a draft, or with the given status', async () => {
  for (const quirks of [false, true]) {
    const calctl = await concert({ quirks })
    await calctl('events delete 3 --yes')
    expect(await calctl('events update 3 --title X')).toMatchObject({ status: 4, out: '' })
    const restored = await calctl('events restore 3 --fields title,status,venue.id,tags.id --json')
    expect(restored).toMatchObject({
      status: 0,
      err: expect.stringMatching(
        undoLine(`Restored "Concert", Sat 27 Mar 2027 19:00, Teatre Principal (3), status draft`),
      ),
    })
    expect(JSON.parse(restored.out)).toEqual({ title: 'Concert', status: 'draft', venue: { id: 1 }, tags: [{ id: 1 }] })
    await calctl('events delete 3 --yes')
    expect(await calctl('events restore 3 --status publish --fields status -o ndjson')).toMatchObject({
      out: '{"status":"publish"}\n',
    })
    expect(await calctl('events restore 3')).toMatchObject({ status: 4, out: '' })
  }
})

test('a second venue with the same name is not created without confirmation', async () => {
  const calctl = await concert()
  expect(await calctl('venues create --venue "teatre principal"')).toEqual({
    status: 8,
    out: '',
    err: 'error: a venue named "Teatre Principal" already exists (1)\nhint: add --if-exists reuse to use it, or --if-exists create to create another\n',
  })
  expect(await calctl('venues create --venue "teatre principal" --if-exists reuse -o ids')).toMatchObject({
    status: 0,
    out: '1\n',
  })
  expect(await calctl('venues create --venue "teatre principal" --if-exists create -o ids')).toMatchObject({
    status: 0,
    out: '4\n',
  })
})

test('an end before the start is refused before anything is sent, even if the service would move it', async () => {
  const calctl = await concert({ quirks: true })
  expect(await calctl('events update 3 --start-date "2027-03-27 22:00"')).toEqual({
    status: 2,
    out: '',
    err: 'error: the event would end (2027-03-27 21:00) before it starts (2027-03-27 22:00)\nhint: give both --start-date and --end-date, or move both ends with --shift\n',
  })
  expect(await calctl('events update 3 --start-date "2027-03-27 22:00" --end-date "2027-03-27 21:00"')).toEqual({
    status: 2,
    out: '',
    err: 'error: the event would end (2027-03-27 21:00) before it starts (2027-03-27 22:00)\nhint: check the order of --start-date and --end-date\n',
  })
})

test('an update of the start alone says how long the event would last', async () => {
  const calctl = await concert()
  const note =
    '"Concert" (3) would last 26 hours instead of 2; to move it as a whole use --shift, or add --duration 2h\n'
  const line = 'events update 3 --start-date "2027-03-26 19:00"'
  expect((await calctl(`${line} --dry-run`)).err).toContain(note)
  expect((await calctl(`events update - --start-date "2027-03-26 19:00" --dry-run`, '3')).out).toContain(note)
  expect((await calctl(`${line} --duration 2h --dry-run`)).err).not.toContain('would last')
  expect((await calctl(`${line} --end-date "2027-03-27 21:00" --dry-run`)).err).not.toContain('would last')
  expect((await calctl('events update 3 --shift -1d --dry-run')).err).not.toContain('would last')
  const { status, err } = await calctl(line)
  expect([status, err.indexOf(note), err.indexOf('Changed "Concert"')]).toEqual([0, 0, note.length])
  expect((await calctl(line)).err).not.toContain('would last')
  expect((await calctl('events update 3 --start-date "2027-03-27 20:30"')).err).toContain(
    'would last 30 minutes instead of 26 hours; to move it as a whole use --shift, or add --duration 26h\n',
  )
  await calctl('events update 3 --all-day')
  expect((await calctl('events update 3 --start-date 2027-03-26')).err).toContain(
    'would last 2 days instead of 1; to move it as a whole use --shift, or add --duration 1d\n',
  )
})

test('a plan names in one line the events that would get longer or shorter', async () => {
  const calctl = await concert()
  for (const title of ['Ball', 'Cinema', 'Dansa', 'Fira'])
    await calctl(
      `events create --title ${title} --start-date "2027-03-27 19:00" --end-date "2027-03-27 21:00" --timezone Europe/Madrid`,
    )
  const { err } = await calctl('events update 3 4 5 6 7 --start-date "2027-03-27 18:00" --dry-run')
  expect(err).toContain(
    '5 events would get longer or shorter: "Concert" (3) 3 hours instead of 2, "Ball" (4) 3 hours instead of 2, "Cinema" (5) 3 hours instead of 2 and 2 more; to move them as a whole use --shift, or add --duration 2h\n',
  )
  const many = await calctl('events update - --start-date "2027-03-27 18:00" --dry-run', '3\n4')
  expect(many.out).toContain(
    '2 events would get longer or shorter: "Concert" (3) 3 hours instead of 2 and "Ball" (4) 3',
  )
  const rows = 'id,start_date\n3,2027-03-27 18:00\n'
  expect((await calctl('apply - --resource events --format csv --dry-run', rows)).out).toContain(
    '"Concert" (3) would last 3 hours instead of 2; to move it as a whole, give the end, too\n',
  )
  const whole = 'id,start_date,end_date\n3,2027-03-27 18:00,2027-03-27 21:00\n'
  expect((await calctl('apply - --resource events --format csv --dry-run', whole)).out).not.toContain('would last')
})

test('an update is two requests, and three if other events may be at its place then', async () => {
  const seen: string[] = []
  const calctl = await concert({ seen })
  seen.length = 0
  await calctl('events update 3 --title Recital --cost 12')
  expect(seen).toEqual(['GET /calendar/events/v1/events/3', 'POST /calendar/events/v1/events/3'])
  seen.length = 0
  await calctl('events update 3 --shift +1d')
  const [read, write] = ['GET /calendar/events/v1/events/3', 'POST /calendar/events/v1/events/3']
  expect(seen).toEqual([read, 'GET /calendar/events/v1/events', write])
})

test('updating another field keeps the instant of an event in an hour that occurs twice', async () => {
  const calctl = calendar()
  await calctl(
    'events create --title Nit --start-date 2027-10-31T00:30:00Z --end-date 2027-10-31T01:30:00Z --timezone Europe/Madrid',
  )
  const before = (await calctl('events get 1 --fields utc_start_date,utc_end_date -o tsv')).out
  expect(before).toContain('2027-10-31 00:30:00')
  expect(await calctl('events update 1 --title "Nit llarga"')).toMatchObject({ status: 0 })
  expect((await calctl('events get 1 --fields utc_start_date,utc_end_date -o tsv')).out).toBe(before)
})

test('a sheet that repeats the zone of an event keeps its instant in an hour that occurs twice', async () => {
  const calctl = calendar()
  await calctl(
    'events create --title Nit --start-date 2027-10-31T00:30:00Z --end-date 2027-10-31T01:30:00Z --timezone Europe/Madrid',
  )
  const exported = (await calctl('events list --all-dates --fields id,title,start_date,end_date,timezone -o csv')).out
  const before = (await calctl('events get 1 --fields utc_start_date,utc_end_date -o tsv')).out
  expect(await calctl('apply - --format csv --yes -q', exported.replace('Nit', 'Nit llarga'))).toMatchObject({
    status: 0,
    err: '',
  })
  expect((await calctl('events get 1 --fields title,utc_start_date,utc_end_date -o tsv')).out).toBe(
    before.replace('utc_start_date', 'title\tutc_start_date').replace(/^2027/m, 'Nit llarga\t2027'),
  )
})

test('a sheet with another zone keeps the hours of an event, unless they do not say one moment there', async () => {
  const calctl = calendar()
  await calctl('events create --title Nit --start-date "2027-10-31 01:30" --end-date "2027-10-31 04:00"')
  const row = (zone: string) => `id,start_date,end_date,timezone\n1,2027-10-31 01:30:00,2027-10-31 04:00:00,${zone}\n`
  expect(await calctl('apply - --format csv --yes', row('Europe/London'))).toMatchObject({
    status: 2,
    err: expect.stringContaining('occurs twice in Europe/London'),
  })
  expect(await calctl('apply - --format csv --yes -q', row('Atlantic/Azores'))).toMatchObject({ status: 0, err: '' })
  expect((await calctl('events get 1 --fields start_date,utc_start_date,end_date -o csv')).out).toContain(
    '2027-10-31 01:30:00,2027-10-31 02:30:00,2027-10-31 04:00:00',
  )
})

test('a text with the comments of blocks is applied where it is shown as it was sent', async () => {
  const calctl = calendar()
  await calctl(`events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"`)
  const text = '<!-- wp:paragraph --><p>A long night</p><!-- /wp:paragraph -->'
  expect(await calctl(['events', 'update', '1', '--description', text])).toMatchObject({ status: 0 })
})

test.each([
  ['title', '--title Recital', { website: 'https://example.org/' }],
  ['status', '--status private', { title: 'Festa' }],
  ['all_day', '--all-day', { cost: '12' }],
  ['tags', '--tags Jazz --create-missing', { description: 'Per a tothom' }],
])('a change of %s leaves what somebody else changed a moment before', async (_, options, others) => {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const events = '/calendar/events/v1/events'
  const post = (path: string, values: object) =>
    service({
      method: 'POST',
      path,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
  await post(events, { title: 'Concert', start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' })
  const calctl = worldOf({
    async transport(request) {
      if (request.method === 'POST' && request.path === `${events}/1`) await post(`${events}/1`, others)
      return { ...(await service(request)) }
    },
  })
  const { status } = await calctl(`events update 1 ${options}`)
  expect(status).toBe(7)
  const { out } = await calctl('events get 1 --json')
  expect(JSON.parse(out)).toMatchObject(others)
})
