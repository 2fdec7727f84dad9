import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { undoLine } from '../support/world.ts'

/** A calendar with three events: a past one, one in December, one in June. */
async function agenda() {
  const calctl = calendar()
  await calctl('venues create --venue "Teatre Principal" --city Girona')
  await calctl('categories create --name Música')
  const create = (title: string, day: string, more = '') =>
    calctl(`events create --title "${title}" --start-date "${day} 19:00" --end-date "${day} 21:00" ${more}`)
  await create('Fira', '2026-10-03')
  await create('Concert', '2026-12-05', '--venue 1 --categories 1 --featured')
  await create('Festa major', '2027-06-12', '--status draft')
  return calctl
}

test('create prints the record, and get finds it by ID and by slug', async () => {
  const calctl = await agenda()
  const byId = await calctl('events get 3 --fields id,title,slug,start_date,venue.city,categories.name --json')
  expect(byId).toMatchObject({ status: 0, err: '' })
  expect(JSON.parse(byId.out)).toEqual({
    id: 3,
    title: 'Concert',
    slug: 'concert',
    start_date: '2026-12-05 19:00:00',
    venue: { city: 'Girona' },
    categories: [{ name: 'Música' }],
  })
  expect(await calctl('events get concert -o ids')).toEqual({ status: 0, out: '3\n', err: '' })
})

test('list shows upcoming events, and --all-dates the past ones too', async () => {
  const calctl = await agenda()
  expect(await calctl('events list -o ids')).toEqual({ status: 0, out: '3\n4\n', err: '' })
  expect(await calctl('events list --all-dates -o ids')).toEqual({ status: 0, out: '2\n3\n4\n', err: '' })
})

test('--starts-after and --starts-before keep only the events between them', async () => {
  const calctl = await agenda()
  expect(await calctl('events list --starts-after 2026-12-05 -o ids')).toEqual({ status: 0, out: '4\n', err: '' })
  expect(await calctl('events list --starts-before 2026-12-05 -o ids')).toEqual({ status: 0, out: '2\n3\n', err: '' })
  expect(await calctl('events list --starts-after "2026-12-05 18:59" --strict-dates -o ids')).toEqual({
    status: 0,
    out: '3\n4\n',
    err: '',
  })
})

test('list filters by linked records, flags, status and search', async () => {
  const calctl = await agenda()
  for (const filter of [
    '--venue 1',
    '--categories 1',
    '--categories música',
    '--featured',
    '--search CONCERT',
    '--include 3',
  ])
    expect(await calctl(`events list ${filter} -o ids`), filter).toEqual({ status: 0, out: '3\n', err: '' })
  expect(await calctl('events list --status draft -o ids')).toEqual({ status: 0, out: '4\n', err: '' })
  expect(await calctl('events list --no-featured -o ids')).toEqual({ status: 0, out: '4\n', err: '' })
})

test('an empty list is a success, and so is a page past the end', async () => {
  const calctl = await agenda()
  expect(await calctl('events list --search opera --json')).toEqual({ status: 0, out: '[]\n', err: '' })
  expect(await calctl('events list --page 9 --json')).toMatchObject({ status: 0, out: '[]\n' })
})

test('list reports the total, and --limit and --all read more pages', async () => {
  const calctl = await agenda()
  expect(await calctl('events list --per-page 1 -o ids')).toEqual({
    status: 0,
    out: '3\n',
    err: 'showing 1 of 2; add --all to list all\n',
  })
  expect(await calctl('events list --per-page 1 -o ids -q')).toEqual({ status: 0, out: '3\n', err: '' })
  expect(await calctl('events list --per-page 1 --all -o ids')).toEqual({ status: 0, out: '3\n4\n', err: '' })
  expect(await calctl('events list --all-dates --limit 2 -o ids')).toMatchObject({ status: 0, out: '2\n3\n' })
  expect(await calctl('events list --per-page 1 -o count')).toEqual({ status: 0, out: '2\n', err: '' })
})

test('in a pipe, list prints the table columns tab-separated, without a heading', async () => {
  const calctl = await agenda()
  expect(await calctl('events list --search concert')).toEqual({
    status: 0,
    out: '3\t2026-12-05 19:00:00\tConcert\tTeatre Principal\tMúsica\tpublish\n',
    err: '',
  })
})

test('update changes the given fields and keeps the others', async () => {
  const calctl = await agenda()
  const { status, out } = await calctl('events update concert --title "Concert de Nadal" --json')
  expect(status).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    id: 3,
    title: 'Concert de Nadal',
    slug: 'concert',
    featured: true,
    venue: { id: 1 },
  })
})

test('update takes several records, and --clear empties fields', async () => {
  const calctl = await agenda()
  await calctl('events update 2 3 --website https://example.org/agenda')
  expect(await calctl('events get 2 3 --fields website --json')).toMatchObject({
    out: `${JSON.stringify([{ website: 'https://example.org/agenda' }, { website: 'https://example.org/agenda' }], null, 2)}\n`,
  })
  const { out } = await calctl(
    'events update 3 --clear website,categories,venue --fields website,categories,venue --json',
  )
  expect(JSON.parse(out)).toEqual({ website: '', categories: [], venue: [] })
})

test('--clear takes the names of fields in the language of the interface', async () => {
  const calctl = calendar({ env: { LANG: 'ca_ES.UTF-8' } })
  await calctl('venues create --venue Sala')
  await calctl('events create --title Ball --start-date 2027-02-13T20:00 --duration 2h --venue 1 --cost "5 €"')
  expect(await calctl('events update 2 --clear preu,lloc')).toMatchObject({ status: 0 })
  const { out } = await calctl('events get 2 --json')
  expect(JSON.parse(out)).toMatchObject({ title: 'Ball', cost: '', venue: [] })
})

test('--data sets fields, and options override it', async () => {
  const calctl = await agenda()
  const event = { title: 'Òpera', start_date: '2027-01-09 20:00', end_date: '2027-01-09 23:00', cost: '30 €' }
  const typed = await calctl(['events', 'create', '--data', JSON.stringify(event), '--title', 'Tosca', '--json'])
  expect(JSON.parse(typed.out)).toMatchObject({ title: 'Tosca', cost: '30 €' })
  const piped = await calctl('events create --data - --fields title --json', `\uFEFF${JSON.stringify(event)}`)
  expect(JSON.parse(piped.out)).toEqual({ title: 'Òpera' })
})

test('create can create a venue with the event', async () => {
  const calctl = await agenda()
  const line = `events create --title Ball --start-date 2027-02-13 --end-date 2027-02-13 --venue '{"venue":"Sala Gran","city":"Olot"}' --fields venue.venue,venue.city --json`
  expect(JSON.parse((await calctl(line)).out)).toEqual({ venue: { venue: 'Sala Gran', city: 'Olot' } })
})

test('delete without a terminal and without --yes deletes nothing and ends with 8', async () => {
  const calctl = await agenda()
  expect(await calctl('events delete concert')).toEqual({
    status: 8,
    out: '',
    err: 'error: cannot ask for confirmation without a terminal: Move to the trash: "Concert", Sat 5 Dec 19:00, Teatre Principal (3)?\nhint: add --yes\n',
  })
  expect(await calctl('events get concert -o ids')).toMatchObject({ status: 0, out: '3\n' })
})

test('delete --yes moves to the trash, where --status trash finds it', async () => {
  const calctl = await agenda()
  expect(await calctl('events delete concert --yes -o ids')).toEqual({
    status: 0,
    out: '3\n',
    err: expect.stringMatching(undoLine('Moved to the trash: "Concert", Sat 5 Dec 19:00, Teatre Principal (3)')),
  })
  expect(await calctl('events list --status trash -o ids')).toMatchObject({ status: 0, out: '3\n' })
  expect(await calctl('events get concert')).toMatchObject({ status: 4, out: '' })
})

test('with several records, one that does not exist stops the others unless it is skipped', async () => {
  const calctl = await agenda()
  const refused = await calctl('events delete 2 99 3 --yes -o ids')
  expect(refused).toMatchObject({ status: 2, out: '' })
  expect(refused.err).toContain('! 99: no event 99 in ')
  const { status, out, err } = await calctl('events delete 2 99 3 --yes -o ids --skip-invalid')
  expect({ status, out }).toEqual({ status: 6, out: '2\n3\n' })
  expect(err).toContain('! 99: no event 99 in ')
})

test('every language has its own events, and translations can share a slug', async () => {
  const calctl = await agenda()
  await calctl('events create --lang en --title Concert --start-date 2026-12-05 --end-date 2026-12-05')
  expect(await calctl('events list --lang en -o ids')).toMatchObject({ out: '5\n' })
  expect(await calctl('--lang en events get concert -o ids')).toMatchObject({ out: '5\n' })
  const wrong = await calctl('events get 3 --lang en')
  expect(wrong).toMatchObject({ status: 4, out: '' })
})

test('escaped names are decoded in tables, and in JSON with --plain', async () => {
  const calctl = calendar({ quirks: true })
  await calctl('events create --title "Jazz & Blues" --start-date 2026-12-05 --end-date 2026-12-05')
  const columns = await calctl('events list --fields id,title')
  expect(columns.out).toBe('1\tJazz & Blues\n')
  expect(await calctl('events list --fields title -o ndjson')).toMatchObject({ out: '{"title":"Jazz &#038; Blues"}\n' })
  expect(await calctl('events list --fields title -o ndjson --plain')).toMatchObject({
    out: '{"title":"Jazz & Blues"}\n',
  })
})

test('a table shows the time zone of an event that differs from the viewer’s', async () => {
  const calctl = calendar({ terminal: 100 })
  const create = (title: string, zone: string) =>
    calctl(
      `events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" --timezone ${zone}`,
    )
  await create('Here', 'Europe/Madrid')
  await create('There', 'America/New_York')
  const { out } = await calctl('events list --fields title,start_date --no-color')
  expect(out).toMatch(/Here +Sat 5 Dec 19:00 *\n/)
  expect(out).toMatch(/There +Sat 5 Dec 19:00 EST *\n/)
})

for (const [noun, name] of [
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const) {
  test(`${noun} can be created, read, listed, updated and deleted`, async () => {
    const calctl = calendar()
    expect(await calctl(`${noun} create --${name} "Casa Gran" --phone "+34 972 000 000" -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Created ${name} "Casa Gran" (1)`)),
    })
    expect(await calctl(`${noun} get casa-gran -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    expect(await calctl(`${noun} list --search gran -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    const { out } = await calctl(
      `${noun} update 1 --website https://example.org/ --fields ${name},phone,website --json`,
    )
    expect(JSON.parse(out)).toEqual({ [name]: 'Casa Gran', phone: '+34 972 000 000', website: 'https://example.org/' })
    expect(await calctl(`${noun} delete 1 --yes -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Moved to the trash: ${name} "Casa Gran" (1)`)),
    })
    expect(await calctl(`${noun} list -o count`)).toEqual({ status: 0, out: '0\n', err: '' })
  })

  test(`${noun} can be listed by event, with events, and with upcoming events`, async () => {
    const calctl = calendar()
    await calctl(`${noun} create --${name} One`)
    await calctl(`${noun} create --${name} Two`)
    await calctl(`events create --title Past --start-date 2026-01-01 --end-date 2026-01-01 --${name} 1`)
    expect(await calctl(`${noun} list --event 3 -o ids`)).toMatchObject({ out: '1\n' })
    expect(await calctl(`${noun} list --has-events -o ids`)).toMatchObject({ out: '1\n' })
    expect(await calctl(`${noun} list --no-has-events -o ids`)).toMatchObject({ out: '2\n' })
    expect(await calctl(`${noun} list --only-with-upcoming -o ids`)).toMatchObject({ out: '' })
  })
}

test('--show-map and --no-show-map set whether a venue shows a map', async () => {
  const calctl = calendar()
  const { out } = await calctl('venues create --venue Sala --no-show-map --fields show_map,show_map_link --json')
  expect(JSON.parse(out)).toEqual({ show_map: false, show_map_link: true })
})

for (const [noun, singular] of [
  ['categories', 'category'],
  ['tags', 'tag'],
] as const) {
  test(`${noun} can be created, listed, updated and deleted`, async () => {
    const calctl = calendar()
    expect(await calctl(`${noun} create --name "Open air" -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Created ${singular} "Open air" (1)`)),
    })
    expect(await calctl(`${noun} list -o ids`)).toEqual({ status: 0, out: '', err: '' })
    expect(await calctl(`${noun} list --no-hide-empty -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    await calctl(`${noun} update 1 --description "Under the stars"`)
    const { out } = await calctl(`${noun} get 1 --fields name,slug,description,count --json`)
    expect(JSON.parse(out)).toEqual({ name: 'Open air', slug: 'open-air', description: 'Under the stars', count: 0 })
    expect(await calctl(`${noun} delete 1 --yes -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Deleted ${singular} "Open air" (1)`)),
    })
    expect(await calctl(`${noun} get 1`)).toMatchObject({ status: 4 })
  })

  test(`${noun} are read by name, not by slug, and the error says so`, async () => {
    expect(await calendar()(`${noun} get open-air`)).toEqual({
      status: 4,
      out: '',
      err: expect.stringMatching(
        new RegExp(
          `^error: no ${singular} is called "open-air" in .*\\nhint: list ${noun} with: calctl ${noun} list --no-hide-empty\\n$`,
        ),
      ),
    })
  })
}

test('categories have parents, and can be listed by parent', async () => {
  const calctl = calendar()
  await calctl('categories create --name Música')
  await calctl('categories create --name Jazz --parent 1')
  expect(await calctl('categories list --parent 1 --no-hide-empty -o ids')).toEqual({ status: 0, out: '2\n', err: '' })
})

test('terms are listed in the order of --orderby', async () => {
  const calctl = calendar()
  for (const name of ['b', 'c', 'a']) await calctl(`tags create --name ${name}`)
  expect(await calctl('tags list --no-hide-empty -o ids')).toMatchObject({ out: '3\n1\n2\n' })
  expect(await calctl('tags list --no-hide-empty --orderby id --order desc -o ids')).toMatchObject({ out: '3\n2\n1\n' })
})

test('quoted digits are a name, unquoted digits an ID', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  await calctl('tags create --name 2026')
  await calctl(['tags', 'create', '--name', '1'])
  const dates = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
  const tagsOf = async (title: string, tags: string) =>
    (
      await calctl([
        'events',
        'create',
        '--title',
        title,
        ...dates,
        '--tags',
        tags,
        '--fields',
        'tags.name',
        '-o',
        'tsv',
      ])
    ).out
  expect(await tagsOf('A', '"2026"')).toBe('tags.name\n2026\n')
  expect(await tagsOf('B', '"1", 1')).toBe('tags.name\n1, Jazz\n')
})

test('an event shows its categories and tags by name, in whatever order they were given', async () => {
  const calctl = calendar()
  for (const name of ['Zarzuela', 'Àries', 'Música']) {
    await calctl(['categories', 'create', '--name', name, '-q'])
    await calctl(['tags', 'create', '--name', name, '-q'])
  }
  await calctl(
    'events create --title Gala --start-date "2026-12-05 19:00" --duration 2h --categories Zarzuela,Música,Àries --tags Música,Zarzuela,Àries -q',
  )
  const { categories, tags } = JSON.parse((await calctl('events get gala --json')).out)
  const names = (terms: { name: string }[]) => terms.map(({ name }) => name)
  expect([names(categories), names(tags)]).toEqual([
    ['Àries', 'Música', 'Zarzuela'],
    ['Àries', 'Música', 'Zarzuela'],
  ])
})

test('an event whose slug got a number in the trash comes back with its own slug', async () => {
  const calctl = calendar()
  for (const id of [1, 2, 3]) {
    await calctl('events create --title Jazz --start-date "2026-12-05 19:00" --duration 2h -q')
    await calctl(`events delete ${id} --yes -q`)
  }
  const slugs = (await calctl('events list --status trash --all-dates --fields slug -o csv')).out
  expect(slugs.trim().split('\n').slice(1).toSorted()).toEqual(['jazz__trashed', 'jazz__trashed-2', 'jazz__trashed-3'])
  await calctl('events restore 2 --status publish -q')
  expect((await calctl('events get 2 --fields slug -o csv')).out).toBe('slug\njazz\n')
})
