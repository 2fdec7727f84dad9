import { describe, expect, test } from 'vitest'
import { readRecords } from '../../src/files/read-records.ts'
import { read, values } from '../support/record-files.ts'

const csv = { name: 'events.csv' }

describe('columns of a sheet', () => {
  test('a row is a record, with id, lang_code and action next to its fields', async () => {
    const { records, notices } = await read(
      'id,lang_code,action,title,start_date,all_day,categories,venue,organizer\n' +
        '12,ca,update,Concert,2026-12-05 19:00,no,"Música,3","Sala, gran",\n' +
        ',,,Fira,2026-12-06,TRUE,,7,"""Vins, caves"",4"\n',
      csv,
    )
    expect(notices).toEqual([])
    expect(records).toEqual([
      {
        resource: 'events',
        id: 12,
        lang_code: 'ca',
        action: 'update',
        values: {
          title: 'Concert',
          start_date: '2026-12-05 19:00:00',
          all_day: false,
          categories: ['Música', 3],
          venue: 'Sala, gran',
        },
        cleared: [],
        place: 'row 2',
        mistakes: [],
      },
      {
        resource: 'events',
        values: {
          title: 'Fira',
          start_date: '2026-12-06 00:00:00',
          end_date: '2026-12-06 23:59:59',
          all_day: true,
          venue: 7,
          organizer: ['Vins, caves', 4],
        },
        cleared: [],
        place: 'row 3',
        mistakes: [],
      },
    ])
  })

  test('an empty cell keeps the value of a field, @clear empties it', async () => {
    const { records } = await read('id,description,website,categories\n1,,@clear,@clear\n', {
      ...csv,
      resource: 'events',
    })
    expect(records).toMatchObject([{ id: 1, values: {}, cleared: ['website', 'categories'] }])
  })

  test.each([
    ['id;title;cost\n1;Fira;12,50\n', { title: 'Fira', cost: '12,50' }],
    ['id\ttitle\tcost\n1\tFira\t12,50\n', { title: 'Fira', cost: '12,50' }],
    ['\uFEFFid,title,cost\r\n1,Fira,"12,50"\r\n', { title: 'Fira', cost: '12,50' }],
    ['"title"\r"Fira"\r', { title: 'Fira' }],
    ['Title, Start-Date \n  Fira,2026-12-05 19:00\n', { title: 'Fira', start_date: '2026-12-05 19:00:00' }],
    ['title,phone number\n"two\nlines",\n', { title: 'two\nlines' }],
  ])('separators, byte order marks and line ends are recognized: %j', async (text, expected) => {
    expect(await values(text, csv)).toEqual([expected])
  })

  test('an unknown column is ignored, with one notice', async () => {
    const { records, notices } = await read('title,titel,notes\nFira,x,y\nMercat,z,\n', csv)
    expect(records.map(({ values }) => values)).toEqual([{ title: 'Fira' }, { title: 'Mercat' }])
    expect(notices).toEqual([
      'events.csv: ignored "titel": events have no such field',
      'events.csv: ignored "notes": events have no such field; to keep it: --map "notes=description"',
    ])
  })

  test('a column of a linked record, as lists print it, is ignored with a notice', async () => {
    const { records, notices } = await read('title,venue.city\nFira,Girona\n', csv)
    expect(records.map(({ values }) => values)).toEqual([{ title: 'Fira' }])
    expect(notices).toEqual(['events.csv: ignored "venue.city": events have no such field'])
  })

  test.each([
    ['name,slug\nJazz,jazz\n', 'events.csv: cannot tell which resource its records are'],
    ['nom,cognom\nJazz,jazz\n', 'events.csv: cannot tell which resource its records are'],
    ['title,action,action\na,trash,\n', 'events.csv has two columns for action: "action" and "action (2)"'],
    ['title,Title\na,b\n', 'events.csv has two columns for title: "title" and "Title (2)"'],
    ['title\n"Fira\n', 'events.csv: row 2: a quote is not closed'],
  ])('refuses %j', async (text, message) => {
    await expect(read(text, csv)).rejects.toThrow(message)
  })

  test('a sheet without a field of the resource is refused', async () => {
    await expect(read('a,b\n1,2\n', { ...csv, resource: 'tags' })).rejects.toMatchObject({
      kind: 'usage',
      message: 'events.csv has no column for a field of tags',
      details: { hint: 'name the columns in the first line: name, description, slug, …' },
    })
  })

  test('an empty file and a lone heading line have no records', async () => {
    expect(await values('', csv)).toEqual([])
    expect(await values('\n\n', csv)).toEqual([])
    expect(await values('title\n\n', csv)).toEqual([])
  })
})

describe('errors in a sheet', () => {
  test('name row, column, expected value and suggestion, and stop no other row', async () => {
    const { records } = await read(
      'id,title,action,status,start_date,lang_code\nx,,updte,publsh,soon,fr\n2,Fira,,draft,,\n',
      csv,
    )
    expect(records[0]).toMatchObject({
      place: 'row 2',
      values: {},
      mistakes: [
        { column: 'id', expected: 'an ID', value: 'x' },
        {
          column: 'action',
          expected: 'one of create, update, trash, restore, ignore',
          value: 'updte',
          suggestion: 'update',
        },
        {
          column: 'status',
          expected: 'one of publish, draft, pending, private, future, trash',
          value: 'publsh',
          example: 'publish',
          suggestion: 'publish',
        },
        { column: 'lang_code', expected: 'one of ca, en, es', value: 'fr' },
        { column: 'start_date', expected: 'a day, an hour such as 21:00, or both', value: 'soon' },
      ],
    })
    expect(records[1]).toMatchObject({ id: 2, values: { title: 'Fira', status: 'draft' }, mistakes: [] })
  })

  test('include rows with too many cells', async () => {
    const { records } = await read('title,slug\nFira,fira,extra\n', csv)
    expect(records).toMatchObject([
      { mistakes: [{ column: '', expected: '2 cells', value: 'Fira,fira,extra', message: 'expected 2 cells, got 3' }] },
    ])
  })

  test('of optional fields can be skipped', async () => {
    const { records, notices } = await read('title,start_date,website\nFira,soon,93 123 45 67\n', {
      ...csv,
      skipInvalidCells: true,
    })
    expect(records).toMatchObject([{ values: { title: 'Fira' }, mistakes: [{ column: 'start_date' }] }])
    expect(notices).toEqual(['row 2, website: expected an http or https URL, got "93 123 45 67"; skipped'])
  })
})

describe('dates that a spreadsheet program has rewritten', () => {
  test('are read in the order that other rows show, with a notice', async () => {
    const { records, notices } = await read(
      'title,start_date,end_date\na,05/12/2026 19:00,05/12/2026 9:00 PM\nb,13/12/2026 7:00,\n',
      csv,
    )
    expect(records.map(({ values }) => values)).toEqual([
      { title: 'a', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' },
      { title: 'b', start_date: '2026-12-13 07:00:00' },
    ])
    expect(notices).toContain('events.csv: dates are read day first, because of row 3, start_date: 13/12/2026 7:00')
  })

  test('are refused with both readings if nothing decides', async () => {
    const text = 'title,start_date\na,05/05/2026\nb,05/12/2026\n'
    await expect(read(text, csv)).rejects.toMatchObject({
      kind: 'usage',
      message: 'events.csv: row 3, start_date: 05/12/2026 can mean 2026-12-05 or 2026-05-12',
      details: { hint: 'choose one: --date-order dmy (2026-12-05) or --date-order mdy (2026-05-12)' },
    })
    expect(await values(text, { ...csv, dateOrder: 'mdy' })).toMatchObject([
      { start_date: '2026-05-05 00:00:00' },
      { start_date: '2026-05-12 00:00:00' },
    ])
  })

  test('in both orders are refused, since those that can be read in both may be wrong', async () => {
    const text = 'title,start_date\na,13.12.2026\nb,04.05.2026\nc,12.13.2026\n'
    await expect(read(text, csv)).rejects.toMatchObject({
      message:
        'events.csv: dates are written day first (row 2, start_date: 13.12.2026) and month first (row 4, start_date: 12.13.2026)',
      details: { hint: 'write them all as YYYY-MM-DD, or treat the others as mistakes with: --date-order dmy' },
    })
  })

  test('that contradict a given order are invalid', async () => {
    const text = 'title,start_date\na,13.12.2026\nb,12.13.2026\n'
    const { records } = await read(text, { ...csv, dateOrder: 'dmy' })
    expect(records[1]).toMatchObject({
      mistakes: [{ expected: 'a date and time, day first or YYYY-MM-DD', value: '12.13.2026' }],
    })
  })

  test.each([
    ['2026/12/5', '2026-12-05 00:00:00'],
    ['5-12-26', '2026-12-05 00:00:00'],
    ['5.12.2026 7 p.m.', '2026-12-05 19:00:00'],
    ['2026-12-05 7:30 AM', '2026-12-05 07:30:00'],
    ['2026-12-05T19:00:00+01:00', '2026-12-05T19:00:00+01:00'],
  ])('%s', async (text, expected) => {
    expect(await values(`start_date,title\n${text},a`, { ...csv, dateOrder: 'dmy' })).toMatchObject([
      { start_date: expected },
    ])
  })
})

describe('costs of a sheet with semicolons', () => {
  const costs = async (...cells: string[]) =>
    (await values(`title;cost\n${cells.map(cell => `Fira;${cell}\n`).join('')}`, csv)).map(
      value => (value as { cost: string }).cost,
    )

  test.each([
    [
      ['1.250', '1.250,50'],
      ['1250', '1250.50'],
    ],
    [
      ['12,50', '1.250'],
      ['12.50', '1250'],
    ],
    [
      ['1.250', '1.250.000'],
      ['1250', '1250000'],
    ],
    [
      ['1.250', '12.50'],
      ['1.25', '12.50'],
    ],
    [
      ['1250', '15 €'],
      ['1250', '15 €'],
    ],
  ])('are read as other rows show: %j', async (cells, expected) => {
    expect(await costs(...cells)).toEqual(expected)
  })

  test('are refused with both readings if nothing decides', async () => {
    await expect(costs('15', '1.250', '15 €')).rejects.toMatchObject({
      kind: 'usage',
      message: 'events.csv: row 3, cost: "1.250" can be read as 1250 or 1.25',
      details: { hint: 'write what is meant: 1250 or 1.25' },
    })
  })

  test('are read in the same way in sheets for the importer', async () => {
    const text = 'Event Name;Event Start Date;Event Cost\nFira;2026-12-05;1.250\nFira;2026-12-06;12,50\n'
    expect(await values(text, csv)).toMatchObject([{ cost: '1250' }, { cost: '12.50' }])
  })
})

test('two unknown columns may have the same heading', async () => {
  const { records, notices } = await read('title,notes,notes\nFira,a,b\n', { name: 'events.csv', resource: 'events' })
  expect(records).toMatchObject([{ values: { title: 'Fira' }, mistakes: [] }])
  expect(notices).toEqual([
    'events.csv: ignored "notes": events have no such field; to keep it: --map "notes=description"',
  ])
})

test.each(['sep=;', '"sep=;"', 'SEP=;'])('a first line with the separator, as Excel writes it: %s', async line => {
  const text = `\uFEFF${line}\r\ntitle;cost\r\n"Fira; gran";12,50\r\n`
  expect(await values(text, { name: 'events.csv', resource: 'events' })).toEqual([
    { title: 'Fira; gran', cost: '12.50' },
  ])
})

test('an error of the input stream is not an error of the sheet', async () => {
  async function* broken() {
    yield Buffer.from('title\nFira\n'.repeat(10))
    throw new TypeError('a bug')
  }
  const reading = readRecords(broken(), { name: 'a.csv', resource: 'events', now: new Date(), notice: () => {} })
  await expect(all(reading)).rejects.toThrow(TypeError)
})

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const item of items) found.push(item)
  return found
}
