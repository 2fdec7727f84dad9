import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

const empty = `{"calctl": 1, "site": {"language":"ca","timezone":"Europe/Madrid","quirks":false}, "sequence": {"post":0,"term":0}, "events": [
], "venues": [
], "organizers": [
], "categories": [
], "tags": [
], "images": [
], "checksum": "2d7de68f"}
`

test('reading does not create a calendar file', async () => {
  const { file, open } = tempCalendarFile()
  const store = await open()
  expect(store.table('events').size).toBe(0)
  await store.close()
  expect(existsSync(file)).toBe(false)
})

test('a new calendar is created with its folders if that is requested', async () => {
  const { folder, open } = tempCalendarFile()
  const file = join(folder, 'town', 'hall', 'calendar.json')
  await (await open({ file, create: true })).close()
  const again = await open({ file })
  expect(again.site).toEqual({ language: 'ca', timezone: 'Europe/Madrid', quirks: false })
  await again.close()
})

test('the file has one record per line, without empty values', async () => {
  const { open, read } = tempCalendarFile()
  const store = await open({ create: true })
  expect(read()).toBe(empty)
  await store.write(addTag('Jazz'))
  await store.write(addTag('Blues'))
  await store.close()
  expect(read()).toBe(
    empty
      .replace('"term":0', '"term":2')
      .replace(
        '"tags": [\n',
        `"tags": [
{"id":1,"name":"Jazz","lang_code":"ca","slug":"jazz"},
{"id":2,"name":"Blues","lang_code":"ca","slug":"blues"}
`,
      )
      .replace(/"checksum": "\w+"/, '"checksum": "4f43d851"'),
  )
})

test('a calendar is the same when it is opened again', async () => {
  const { open } = tempCalendarFile()
  const store = await open()
  await store.write(addTag('Jazz'))
  const written = store.snapshot()
  await store.close()
  const again = await open()
  expect(again.snapshot()).toEqual(written)
  expect((await again.write(addTag('Blues'))).id).toBe(2)
  await again.close()
})

test('an ID is never assigned twice, even if its record was deleted', async () => {
  const { open } = tempCalendarFile()
  const store = await open()
  await store.write(addTag('Jazz'))
  await store.write(writing => writing.delete('tags', 1))
  await store.close()
  const again = await open()
  expect((await again.write(addTag('Blues'))).id).toBe(2)
  await again.close()
})

test('a calendar opened read-only refuses writes', async () => {
  const { open, read } = tempCalendarFile({ calendar: empty })
  const store = await open({ readOnly: true })
  await expect(store.write(addTag('Jazz'))).rejects.toMatchObject({ status: 403, code: 'read_only' })
  await store.close()
  expect(read()).toBe(empty)
})

test('a hand-written record needs few fields', async () => {
  const { open } = tempCalendarFile({
    calendar: `{"calctl": 1, "site": {"timezone": "Europe/Madrid"}, "events": [
      {"id": 1, "title": "Concert de Nadal", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05T21:00"},
      {"id": 2, "title": "Concert de Nadal", "start_date": "2026-12-06", "end_date": "2026-12-07", "all_day": true, "lang_code": "en"}
    ]}`,
  })
  const store = await open()
  expect(store.table('events').get(1)).toMatchObject({
    lang_code: 'ca',
    slug: 'concert-de-nadal',
    status: 'publish',
    author: 1,
    date: '2026-11-21 03:00:00',
    date_utc: '2026-11-21 02:00:00',
    start_date: '2026-12-05 19:00:00',
    utc_start_date: '2026-12-05 18:00:00',
    end_date: '2026-12-05 21:00:00',
    utc_end_date: '2026-12-05 20:00:00',
    timezone: 'Europe/Madrid',
    all_day: false,
    venue: null,
    organizer: [],
  })
  expect(store.table('events').get(2)).toMatchObject({
    slug: 'concert-de-nadal',
    start_date: '2026-12-06 00:00:00',
    end_date: '2026-12-07 23:59:59',
  })
  await store.close()
})

test('derived values are computed again when the file was edited', async () => {
  const { open, read, edit } = tempCalendarFile({
    calendar:
      '{"calctl": 1, "site": {"timezone": "Europe/Madrid"}, "events": [{"id": 1, "title": "Jazz", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"}]}',
  })
  const store = await open()
  await store.write(addTag('Jazz'))
  await store.close()
  expect(read()).toContain('"utc_start_date":"2026-12-05 18:00:00"')
  edit(text => text.replace('"start_date":"2026-12-05 19:00:00"', '"start_date":"2026-07-05 19:00:00"'))
  const again = await open()
  expect(again.table('events').get(1)?.utc_start_date).toBe('2026-07-05 17:00:00')
  await again.close()
})

test('a calendar can hold everything that production accepts', async () => {
  const { open } = tempCalendarFile({
    calendar: '{"calctl": 1, "organizers": [{"id": 1, "organizer": "Ateneu", "email": "nope", "status": "inherit"}]}',
  })
  const store = await open()
  expect(store.table('organizers').get(1)).toMatchObject({ email: 'nope', status: 'inherit' })
  await store.close()
})

const event = (more: string) =>
  `{"calctl": 1, "site": {"timezone": "Europe/Madrid"}, "events": [
    {"id": 1, "title": "Jazz", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"},
    {"id": 2, "title": "Opera", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00", ${more}}
  ]}`

test.each([
  ['nothing at all', '', 'is not valid JSON: line 1, column 1'],
  ['a missing bracket', '{"calctl": 1,\n"events": [\n{"id": 1}, }', 'is not valid JSON: line 3, column 12'],
  ['another program’s file', '{"events": []}', 'is not a calendar of calctl'],
  ['a list', '[1, 2]', 'is not a calendar of calctl'],
  ['a newer calctl', '{"calctl": 2, "happenings": []}', 'has the unsupported format 2'],
  ['an unknown list', '{"calctl": 1, "event": []}', 'event: no such field; did you mean events?'],
  ['a list that is none', '{"calctl": 1, "tags": {}}', 'tags: expected a list of records, found {}'],
  ['a record that is none', '{"calctl": 1, "tags": [null]}', 'tags[0]: expected a record, found null'],
  [
    'an unknown zone',
    '{"calctl": 1, "site": {"timezone": "Europe/Girona"}}',
    'site.timezone: expected a time zone, such as Europe/Madrid; found "Europe/Girona"',
  ],
  [
    'an unknown language',
    '{"calctl": 1, "site": {"language": "fr"}}',
    'site.language: expected one of ca, en, es, such as ca; found "fr"',
  ],
  ['a missing name', '{"calctl": 1, "tags": [{"id": 1}]}', 'tags[0].name: is missing'],
  [
    'a misspelt field',
    event('"start_dat": "2026-12-05"'),
    'events[1].start_dat: no such field; did you mean start_date?',
  ],
  [
    'a day that is none',
    event('"start_date": "2026-02-30"'),
    'events[1].start_date: expected a day that exists (February 2026 has 28 days), such as 2026-12-05 19:00; found "2026-02-30"',
  ],
  [
    'an offset',
    event('"start_date": "2026-12-05T19:00+01:00"'),
    'events[1].start_date: expected a local date and time without offset, such as 2026-12-05 19:00; found "2026-12-05T19:00+01:00"',
  ],
  [
    'an end before the start',
    event('"end_date": "2026-12-04"'),
    'events[1].end_date: 2026-12-04 00:00:00 is before the start, 2026-12-05 19:00:00',
  ],
  [
    'a wrong type',
    event('"featured": "maybe"'),
    'events[1].featured: expected true or false, such as true; found "maybe"',
  ],
  [
    'a status that is none',
    event('"status": "published"'),
    'events[1].status: expected one of publish, draft, pending, private, future, trash, auto-draft, inherit, such as publish; found "published"',
  ],
  ['a venue that is not there', event('"venue": 9'), 'events[1].venue: there is no venue 9'],
  ['a category that is not there', event('"categories": [3]'), 'events[1].categories: there is no category 3'],
  ['an id used twice', event('"id": 1'), 'events[1].id: 1 is already the id of events[0]'],
  [
    'an id shared by posts',
    event('"id": 7').replace('"events"', '"venues": [{"id": 7, "venue": "Sala"}], "events"'),
    'venues[0].id: 7 is already the id of events[1]',
  ],
  [
    'a slug used twice',
    event('"slug": "x"').replace('"title": "Jazz"', '"title": "Jazz", "slug": "X"'),
    'events[1].slug: "x" is already the slug of events[0]',
  ],
  [
    'a circle of categories',
    '{"calctl": 1, "categories": [{"id": 1, "name": "A", "parent": 2}, {"id": 2, "name": "B", "parent": 1}]}',
    'categories[0].parent: category 1 is its own ancestor (and 1 more)',
  ],
])('a file with %s is refused and not changed', async (_what, calendar, message) => {
  const { open, file, read } = tempCalendarFile({ calendar })
  const failure = await open().catch(error => error)
  expect(failure).toMatchObject({ name: 'Failure', kind: 'settings' })
  expect(failure.message.replace(`${file}: `, '').replace(`${file} `, '')).toBe(message)
  expect(read()).toBe(calendar)
  expect(existsSync(`${file}.lock`)).toBe(false)
})

/** Runs the work as a user without write access to the files of others; root has to change its user ID for that. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid?.()
  if (user === 0) process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    if (user === 0) process.seteuid?.(0)
  }
}

test('a read-only folder is reported at the start, unless the file is only read', async () => {
  const { open, folder, file } = tempCalendarFile({ calendar: empty })
  chmodSync(folder, 0o555)
  await asNobody(async () => {
    await expect(open()).rejects.toMatchObject({
      kind: 'settings',
      message: `cannot use ${file} as a calendar: no permission to write to it`,
    })
    const store = await open({ readOnly: true })
    expect(store.table('events').size).toBe(0)
    await store.close()
  })
  chmodSync(folder, 0o755)
})

test('a read-only file is reported at the start, unless it is only read', async () => {
  const { open, folder, file } = tempCalendarFile({ calendar: empty })
  chmodSync(folder, 0o777)
  chmodSync(file, 0o444)
  await asNobody(async () => {
    await expect(open()).rejects.toMatchObject({
      kind: 'settings',
      message: `cannot use ${file} as a calendar: no permission to write to it`,
    })
    await (await open({ readOnly: true })).close()
  })
})

test('a file that cannot be written can be read, and a write says why it is refused', async () => {
  const { open, folder, file } = tempCalendarFile({ calendar: empty })
  chmodSync(file, 0o444)
  chmodSync(folder, 0o555)
  await asNobody(async () => {
    const store = await open({ orReadOnly: true })
    expect(store.table('tags').size).toBe(0)
    await expect(store.write(addTag('Jazz'))).rejects.toMatchObject({
      status: 403,
      code: 'read_only',
      message: 'This calendar can only be read: no permission to write to it.',
    })
    await store.close()
  })
  chmodSync(folder, 0o755)
})

test('a folder is refused as a calendar file', async () => {
  const { open, folder } = tempCalendarFile()
  await expect(open({ file: folder })).rejects.toMatchObject({
    kind: 'settings',
    message: `cannot use ${folder} as a calendar: it is a folder`,
  })
})
