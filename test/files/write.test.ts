import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank } from '../../src/base/text/match-key.ts'
import type { WritableRecord } from '../../src/files/records/file-record.ts'
import type { WriteOptions } from '../../src/files/write-records.ts'
import { read, writeText } from '../support/record-files.ts'

const fira: WritableRecord = {
  resource: 'events',
  id: 12,
  lang_code: 'ca',
  values: {
    title: '=Fira, "gran"',
    start_date: '2026-12-05 19:00:00',
    cost: '12.50',
    venue: '2024',
    organizer: ['Vins, caves', 4, '7'],
    categories: ['musica', 'open-air'],
  },
  cleared: ['website'],
}

const heading =
  'resource,id,lang_code,action,title,start_date,end_date,author,publication_date,date_utc,description,slug,excerpt,status,timezone,all_day,' +
  'image,cost,website,show_map,show_map_link,hide_from_listings,sticky,featured,categories,tags,venue,organizer,event_status,event_status_reason,cost_description,date_time_separator,time_range_separator\n'

describe('a written sheet', () => {
  test('has one column per field, and no cell that a spreadsheet program would run', async () => {
    expect(await writeText([fira], { format: 'csv', resources: ['events'] })).toBe(
      `${heading}events,12,ca,,"'=Fira, ""gran""",2026-12-05 19:00:00,,,,,,,,,,,,12.50,@clear,,,,,,"musica, open-air",,"""2024""","""Vins, caves"", 4, ""7""",,,,,\n`,
    )
  })

  test('has semicolons and decimal commas for European spreadsheet programs', async () => {
    const record: WritableRecord = { resource: 'tags', id: 1, values: { name: 'Jazz; blues', description: '+34 972' } }
    expect(await writeText([record], { format: 'csv', resources: ['tags'], excel: true })).toBe(
      '\uFEFFresource;id;lang_code;action;name;description;slug\r\ntags;1;;;"Jazz; blues";\'+34 972;\r\n',
    )
    const text = await writeText([fira], { format: 'csv', resources: ['events'], excel: true })
    expect(text).toContain(';12,50;')
  })

  test('has the slug of venues, by which events refer to them, and the origin of ids', async () => {
    const sala: WritableRecord = {
      resource: 'venues',
      origin: 'https://example.org',
      values: { venue: 'Sala', slug: 'sala' },
    }
    expect(await writeText([sala], { format: 'tsv', resources: ['venues'] })).toMatch(
      /^resource\tid\tlang_code\taction\torigin\tvenue\tslug\t.*\nvenues\t\t\t\thttps:\/\/example\.org\tSala\tsala\t/,
    )
  })

  test('has headings even without records', async () => {
    expect(await writeText([], { format: 'csv', resources: ['tags'] })).toBe(
      'resource,id,lang_code,action,name,description,slug\n',
    )
  })

  test('holds one resource', async () => {
    await expect(writeText([], { format: 'csv', resources: ['tags', 'events'] })).rejects.toMatchObject({
      kind: 'usage',
      message: 'a CSV file holds one resource, not tags and events',
    })
  })
})

test('objects have their fields in the order of the contract, and their resource if there are several', async () => {
  const tag: WritableRecord = { resource: 'tags', values: { slug: 'jazz', name: 'Jazz' }, cleared: ['description'] }
  const line = '{"resource":"tags","name":"Jazz","description":null,"slug":"jazz"}'
  expect(await writeText([tag], { format: 'ndjson', resources: ['tags', 'events'] })).toBe(`${line}\n`)
  expect(await writeText([tag, tag], { format: 'json', resources: ['tags', 'events'] })).toBe(
    `[\n  ${line},\n  ${line}\n]\n`,
  )
  expect(await writeText([tag], { format: 'yaml', resources: ['tags'] })).toBe(
    '- name: Jazz\n  description: null\n  slug: jazz\n',
  )
  expect(await writeText([], { format: 'json', resources: ['tags'] })).toBe('[]\n')
  expect(await writeText([], { format: 'yaml', resources: ['tags'] })).toBe('[]\n')
})

const text = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter(text => !text.includes('\0') && !/\p{Surrogate}/u.test(text))
const awkward = fc.oneof(
  text,
  fc.constantFrom(
    '=1+1',
    "'=1",
    "''+34",
    '@clear',
    "'@clear",
    ' @clear',
    '\u00a0@clear ',
    '-5',
    '\t',
    '\r',
    ' x ',
    '"',
    ',',
    ';',
    '12,50',
    "'12,50",
    '12.50',
    '\uFEFF',
    '{}',
    '[1]',
    '007',
    '08',
    '1.234,50',
    '1.234',
    '1.234.567',
    "'1.234.567",
    'a\r\nb',
  ),
)
const name = awkward.filter(text => text.trim() !== '')
const reference = fc.oneof(fc.integer({ min: 1, max: 1e9 }), name)
const record: fc.Arbitrary<WritableRecord> = fc.record(
  {
    resource: fc.constant('events' as const),
    id: fc.integer({ min: 1, max: 1e9 }),
    lang_code: fc.constantFrom('ca', 'en', 'es'),
    action: fc.constantFrom('create', 'update', 'trash', 'restore', 'ignore'),
    values: fc.record(
      {
        title: name.filter(text => !isBlank(text, true)),
        description: awkward,
        slug: awkward,
        cost: awkward.filter(text => text === text.trim() && !text.startsWith("'")),
        sticky: fc.boolean(),
        author: fc.integer({ min: 1, max: 1e9 }),
        start_date: fc.constant('2026-12-05 19:00:00'),
        venue: reference,
        organizer: fc.array(fc.oneof(reference, fc.constant({ organizer: 'New', email: 'a@example.org' })), {
          minLength: 1,
        }),
        categories: fc.array(reference, { minLength: 1 }),
      },
      { requiredKeys: [] },
    ),
    cleared: fc.subarray(['image', 'website', 'tags']),
  },
  { requiredKeys: ['resource', 'id', 'values', 'cleared'] },
)

const decimal = (text: string): string => (/^-?\d+[.,]\d+$/.test(text) ? String(Number(text.replace(',', '.'))) : text)

/** A sheet for spreadsheet programs writes prices with commas; beside an ID they are read with the record. */
const withPoint = <T extends { readonly values: Readonly<Record<string, unknown>> }>(one: T) => {
  const { cost } = one.values
  return typeof cost === 'string' ? { ...one, values: { ...one.values, cost: decimal(cost) } } : one
}

describe('what is written is read back unchanged', () => {
  test.each<[string, WriteOptions]>([
    ['a.csv', { format: 'csv', resources: ['events'] }],
    ['a.csv', { format: 'csv', resources: ['events'], excel: true }],
    ['a.tsv', { format: 'tsv', resources: ['events'] }],
    ['a.json', { format: 'json', resources: ['events'] }],
    ['a.ndjson', { format: 'ndjson', resources: ['events'] }],
    ['a.yaml', { format: 'yaml', resources: ['events'] }],
  ])('%s %j', async (file, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async records => {
        const { records: back, notices } = await read(await writeText(records, options), {
          name: file,
          resource: 'events',
        })
        expect(notices).toEqual([])
        expect(back.map(({ place, ...rest }) => withPoint(rest))).toEqual(
          records.map(record => withPoint({ ...record, mistakes: [] })),
        )
      }),
      { numRuns: 40 },
    )
  })
})

test('a hundred thousand rows are written as a stream', async () => {
  let rows = 0
  const { readRecords } = await import('../../src/files/read-records.ts')
  const bytes = async function* () {
    yield Buffer.from('id,title,start_date,all_day\n')
    for (let row = 0; row < 100_000; row += 1000) yield Buffer.from(`1,Fira,2026-12-05 19:00,no\n`.repeat(1000))
  }
  for await (const { mistakes } of readRecords(bytes(), { name: 'a.csv', now: new Date(0), notice: () => {} }))
    rows += mistakes.length === 0 ? 1 : 0
  expect(rows).toBe(100_000)
})
