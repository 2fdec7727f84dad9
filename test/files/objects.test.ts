import { describe, expect, test } from 'vitest'
import { parseJson } from '../../src/base/text/json.ts'
import { read, values } from '../support/record-files.ts'

describe('JSON', () => {
  test('reads a list, with the resource from the command', async () => {
    const { records } = await read('[{"id": 3, "name": "Jazz"}, {"name": "Rock", "description": null}]', {
      name: 'tags.json',
      resource: 'tags',
    })
    expect(records).toEqual([
      { resource: 'tags', id: 3, values: { name: 'Jazz' }, cleared: [], place: 'item 1', mistakes: [] },
      { resource: 'tags', values: { name: 'Rock' }, cleared: ['description'], place: 'item 2', mistakes: [] },
    ])
  })

  test('reads an object with lists by resource, like a calendar file', async () => {
    const { records, notices } = await read(
      `{"calctl": 1, "site": {}, "sequence": 9, "events": [
        {"id": 9, "title": "Fira", "venue": 7, "categories": [1], "utc_start_date": "2026-12-05 18:00:00", "organizer": []}],
      "venues": [{"id": 7, "slug": "sala", "venue": "Sala", "zip": 8001}], "categories": []}`,
      { name: 'calendar.json' },
    )
    expect(notices).toEqual([])
    expect(records).toMatchObject([
      { resource: 'events', id: 9, values: { title: 'Fira', venue: 7, categories: [1] }, place: 'events item 1' },
      { resource: 'venues', id: 7, values: { venue: 'Sala', slug: 'sala', zip: '8001' }, place: 'venues item 1' },
    ])
    expect(records[0]?.cleared).toEqual(['organizer'])
  })

  test('reads records as a service answers them', async () => {
    const answer = {
      id: 5,
      global_id: 'example.org?id=5',
      author: '1',
      status: 'draft',
      date_utc: '0000-00-00 00:00:00',
      url: 'https://example.org/fira',
      title: 'Fira',
      image: { url: 'https://example.org/a.jpg', id: 8 },
      all_day: true,
      start_date: '2026-12-05',
      end_date: '2026-12-05',
      start_date_details: { year: '2026' },
      cost_details: {},
      venue: { id: 7, venue: 'Sala', slug: 'sala' },
      organizer: [
        { id: 8, organizer: 'Ateneu', slug: 'ateneu' },
        { organizer: 'New', email: 'a@example.org' },
      ],
      categories: [{ id: 1, name: 'Música', slug: 'musica' }],
      tags: [],
    }
    const { records, notices } = await read(JSON.stringify([answer]), { resource: 'events' })
    expect(notices).toEqual([])
    expect(records).toEqual([
      {
        resource: 'events',
        id: 5,
        values: {
          author: 1,
          status: 'draft',
          title: 'Fira',
          image: 'https://example.org/a.jpg',
          all_day: true,
          start_date: '2026-12-05 00:00:00',
          end_date: '2026-12-05 23:59:59',
          venue: 'sala',
          organizer: ['ateneu', { organizer: 'New', email: 'a@example.org' }],
          categories: ['musica'],
        },
        cleared: ['tags'],
        place: 'item 1',
        mistakes: [],
      },
    ])
  })

  test.each([
    [{ url: 'https://example.org/a.jpg', id: 7 }, 'https://example.org/a.jpg'],
    [{ id: 7 }, '7'],
    [7, '7'],
    [false, null],
  ])('reads the image %j as %j', async (image, expected) => {
    const { records } = await read(JSON.stringify([{ title: 'Fira', image }]), { resource: 'events' })
    expect(records[0]?.values.image ?? null).toBe(expected)
  })

  test('reads one record with empty lists', async () => {
    const { records } = await read('{"id": 5, "tags": [], "categories": []}', { name: 'a.json', resource: 'events' })
    expect(records).toMatchObject([{ resource: 'events', id: 5, cleared: ['tags', 'categories'] }])
  })

  test('reports errors with their key, also inside of new venues', async () => {
    const { records } = await read('[{"title": null, "cost": {}, "venue": {"venue": "Sala", "website": "sala"}}]', {
      name: 'a.json',
      resource: 'events',
    })
    expect(records[0]?.mistakes).toEqual([
      { field: 'title', column: 'title', expected: 'text that is not blank', value: '', example: 'Concert' },
      { field: 'cost', column: 'cost', expected: 'a cost', value: '{}', example: '15 €' },
      {
        field: 'venue',
        column: 'venue.website',
        expected: 'an http or https URL',
        value: 'sala',
        example: 'https://example.org/',
      },
    ])
  })

  test.each([
    ['events', '{"id": 9007199254740993, "title": "a"}', 'id', 'an ID'],
    ['events', '{"tags": [9007199254740993]}', 'tags', 'an ID'],
    ['events', '{"organizer": "9007199254740993"}', 'organizer', 'an ID'],
    ['events', '{"venue": {"id": 9007199254740993}}', 'venue', 'an ID'],
    ['categories', '{"parent": 9007199254740993}', 'parent', 'a whole number above 0'],
  ] as const)('refuses an ID too large for a JSON number: %s %s', async (resource, text, column, expected) => {
    const { records } = await read(text, { name: 'a.json', resource })
    expect(records[0]?.mistakes).toMatchObject([{ column, expected }])
  })

  test('does not take names such as constructor for fields', async () => {
    const { records, notices } = await read(
      '[{"title": "a", "constructor": 1, "hasOwnProperty": 2, "prototype": 3, "venue": {"venue": "b", "constructor": 1}}]',
      {
        name: 'a.json',
        resource: 'events',
      },
    )
    expect(records).toMatchObject([{ values: { title: 'a', venue: { venue: 'b' } }, mistakes: [] }])
    expect(notices).toHaveLength(3)
    for (const name of ['__proto__', 'toString', 'valueOf'])
      await expect(
        read(`[{"title": "a", "${name}": 2}]`, { name: 'a.json', resource: 'events' }),
      ).rejects.toMatchObject({
        message: `a.json: malformed JSON: it has a key named ${name}`,
      })
  })

  test.each([
    ['[{"title": "a"', /^a\.json: malformed JSON: /],
    ['[1]', 'a.json: item 1 is not a record: 1'],
    [JSON.stringify(['a'.repeat(1000)]), `a.json: item 1 is not a record: "${'a'.repeat(59)}…`],
    ['{"name": "a"}', 'a.json: item 1 has no resource'],
    ['{"id": 1, "status": "draft"}', 'a.json: item 1 has no resource'],
    ['[{"resource": "event", "title": "a"}]', 'a.json: item 1: unknown resource "event"'],
  ])('refuses %s', async (text, message) => {
    await expect(read(text, { name: 'a.json' })).rejects.toThrow(message)
  })
})

test.each([
  ['{"title": "Fira", "venue": {"venue": "Sala"}}', 'events'],
  ['{"venue": "Sala", "website": null}', 'venues'],
  ['{"venue": "Sala", "start_date": "2026-12-05"}', 'events'],
  ['{"id": 4, "cost": "15 €"}', 'events'],
  ['{"id": 4, "city": "Girona"}', 'venues'],
  ['{"organizer": "Ateneu", "email": "a@example.org"}', 'organizers'],
  ['{"name": "Jazz", "parent": "musica"}', 'categories'],
] as const)('%s shows its resource', async (text, resource) => {
  for (const name of ['a.json', 'a.ndjson', 'a.yaml'])
    expect((await read(text, { name })).records).toMatchObject([{ resource }])
})

describe('NDJSON', () => {
  test('reads one record per line, each with its resource', async () => {
    const { records } = await read(
      '{"resource":"venues","slug":"sala","venue":"Sala","origin":"https://example.org"}\n\n' +
        '{"resource":"events","action":"trash","id":4}\r\n',
      { name: 'all.ndjson' },
    )
    expect(records).toEqual([
      {
        resource: 'venues',
        origin: 'https://example.org',
        values: { slug: 'sala', venue: 'Sala' },
        cleared: [],
        place: 'line 1',
        mistakes: [],
      },
      { resource: 'events', action: 'trash', id: 4, values: {}, cleared: [], place: 'line 3', mistakes: [] },
    ])
  })

  test('reads a whole page in one line, as a service answers it', async () => {
    const { records } = await read('{"events":[{"title":"a"},{"title":"b"}],"total":2}\n')
    expect(records).toMatchObject([
      { resource: 'events', values: { title: 'a' }, place: 'line 1, events item 1' },
      { resource: 'events', values: { title: 'b' }, place: 'line 1, events item 2' },
    ])
  })

  test('refuses a line that is cut off', async () => {
    const cut = '{"name":"a"}\n{"name":"b'
    await expect(read(cut, { name: 'tags.ndjson', resource: 'tags' })).rejects.toThrow(
      'tags.ndjson: line 2: malformed JSON',
    )
  })
})

describe('YAML', () => {
  test('reads several documents, and keeps values such as 08001 as text', async () => {
    const { records } = await read(
      'resource: venues\nvenue: Sala\nzip: 08001\nshow_map: true\nphone: ~\n---\nresource: events\ntitle: 1984\ncategories: [Música, "3"]\n',
      { name: 'all.yaml' },
    )
    expect(records).toMatchObject([
      {
        resource: 'venues',
        values: { venue: 'Sala', zip: '08001', show_map: true },
        cleared: ['phone'],
        place: 'document 1',
      },
      { resource: 'events', values: { title: '1984', categories: ['Música', '3'] }, place: 'document 2' },
    ])
  })

  test('reads a list of records', async () => {
    expect(await values('- name: Jazz\n- name: Rock\n', { name: 'tags.yml', resource: 'tags' })).toEqual([
      { name: 'Jazz' },
      { name: 'Rock' },
    ])
  })

  test('names the malformed line', async () => {
    await expect(read('name: "Jazz\n', { name: 'tags.yaml', resource: 'tags' })).rejects.toThrow(
      /^tags\.yaml: line \d+, column \d+: malformed YAML: Missing closing "quote/,
    )
  })
})

describe('the file format', () => {
  test.each([
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261205\nSUMMARY:a\nEND:VEVENT\nEND:VCALENDAR\n', 'feed?key=1'],
    ['[{"title":"a"}]', '-'],
    ['{"title":"a"}\n{"title":"b"}\n', '-'],
    ['{\n  "title": "a"\n}\n', '-'],
    ['title\na\n', 'https://example.org/events.CSV?download=1'],
    ['title\na\n', '-'],
    ['\uFEFF"sep=;"\r\ntitle;cost\r\na;15\r\n', '-'],
    ['Notes\tStart Date\t"Title"\nx\t2026-12-05\ta\n', '-'],
    ['Event Name,Event Start Date\na,2026-12-05\n', 'agenda.dat'],
    ['title: a\ntags: b, c\n', '-'],
    ['# of the town, title\n\n---\ntitle: a\n', '-'],
    ['- title: a\n- title: b\n', '-'],
  ])('is recognized: %j', async (text, name) => {
    const { records } = await read(text, { name, resource: 'events' })
    expect(records[0]?.values).toMatchObject({ title: 'a' })
  })

  test('must be given if nothing shows it', async () => {
    await expect(read('Concert, tomorrow\na\n', { name: 'standard input' })).rejects.toMatchObject({
      message: 'standard input: unknown file format',
      details: { hint: 'set it with: --format csv|tsv|json|ndjson|yaml|ics' },
    })
  })
})

test('a long text that is nested too deep is not parsed, which would take fifty times its size', () => {
  for (const open of ['[', '{"a":', '[1,', '[{"a":"[",'])
    expect(() => parseJson(open.repeat(1_100_000)), open).toThrow('nested more than 512 levels deep')
})

test('a long text is no deeper for the brackets in its strings', () => {
  const texts = Array.from({ length: 2000 }, (_, index) => `${'[{'.repeat(300)}\\"${index}`)
  expect(parseJson(`[${texts.map(text => JSON.stringify(text)).join()}]`)).toEqual(texts)
})
