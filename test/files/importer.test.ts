import { expect, test } from 'vitest'
import { read, values } from '../support/record-files.ts'

const name = 'import.csv'

test('a sheet made for The Events Calendar’s importer is read without changes', async () => {
  const { records, notices } = await read(
    `\uFEFFEvent Name,EVENT DESCRIPTION,Event Excerpt, Event Start Date ,Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,Event Currency Symbol,Event Currency Position,Event ISO Currency Code,Event Category,Event Tags,Event Website,Event Featured Image,Event Allow Comments\r
Concert,<p>Bach</p>,Breu,2026-12-05,7:30:00,2026-12-05,9:00 PM,Europe/Madrid,FALSE,No,0,yes,"Auditori, sala 2","""Amics, Bach"",14",TRUE,true,15,€,suffix,EUR,"Música,Bach",coral,https://example.org/,https://example.org/a.jpg,TRUE\r
`,
    { name },
  )
  expect(records).toEqual([
    {
      resource: 'events',
      makesLinks: true,
      numbersAreNames: true,
      describesPlaces: true,
      values: {
        title: 'Concert',
        description: '<p>Bach</p>',
        excerpt: 'Breu',
        start_date: '2026-12-05 07:30:00',
        end_date: '2026-12-05 21:00:00',
        timezone: 'Europe/Madrid',
        all_day: false,
        hide_from_listings: false,
        sticky: false,
        featured: true,
        venue: 'Auditori, sala 2',
        organizer: ['Amics, Bach', 14],
        show_map_link: true,
        show_map: true,
        cost: '15 €',
        categories: ['Música', 'Bach'],
        tags: ['coral'],
        website: 'https://example.org/',
        image: 'https://example.org/a.jpg',
      },
      cleared: [],
      match: ['title', 'start_date', 'end_date'],
      headings: expect.objectContaining({ start_date: 'Event Start Date', venue: 'Event Venue Name' }),
      place: 'row 2',
      mistakes: [],
    },
  ])
  expect(notices).toEqual(['import.csv: ignored "Event Allow Comments": events have no such field'])
})

const cells: Readonly<Record<string, readonly [cell: string, field: string, value: unknown]>> = {
  'Event Description': ['text', 'description', 'text'],
  'Event Excerpt': ['text', 'excerpt', 'text'],
  'Event Timezone': ['Europe/Madrid', 'timezone', 'Europe/Madrid'],
  'Event Time Zone': ['Europe/Madrid', 'timezone', 'Europe/Madrid'],
  'All Day Event': ['no', 'all_day', false],
  'Hide Event From Event Listings': ['yes', 'hide_from_listings', true],
  'Event Hide From Upcoming Listings': ['yes', 'hide_from_listings', true],
  'Event Sticky in Month View': ['yes', 'sticky', true],
  'Feature Event': ['yes', 'featured', true],
  'Featured Event': ['yes', 'featured', true],
  'Event Venue Name': ['Sala', 'venue', 'Sala'],
  'Event Organizer Name(s) or ID(s)': ['Colla', 'organizer', ['Colla']],
  'Event Organizer Name': ['Colla', 'organizer', ['Colla']],
  'Event Show Map Link': ['no', 'show_map_link', false],
  'Event Show Map': ['no', 'show_map', false],
  'Event Cost': ['15', 'cost', '15'],
  'Event Category': ['Jazz', 'categories', ['Jazz']],
  'Event Tags': ['Jazz', 'tags', ['Jazz']],
  'Event Website': ['https://example.org/', 'website', 'https://example.org/'],
  'Event Featured Image': ['7', 'image', '7'],
}

test.each(Object.entries(cells))(
  'the heading %s is read in any case, with or without "Event"',
  async (heading, [cell, field, value]) => {
    const one = heading.replace(/ ?Event ?/, ' ').trim()
    const none = heading.replaceAll('Event', ' ').replace(/\s+/g, ' ').trim()
    for (const variant of [heading, one, none])
      for (const written of [variant, variant.toUpperCase(), `${variant.toLowerCase()}?`, variant.replaceAll(' ', '_')])
        expect([written, await read(`Event Name,${written}\na,${cell}\n`, { name })]).toMatchObject([
          written,
          { records: [{ values: { title: 'a', [field]: value }, mistakes: [] }], notices: [] },
        ])
  },
)

const dates = 'Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event\n'

test.each([
  ['a,2026-12-05,19:30,,,', '2026-12-05 19:30:00', '2026-12-05 19:30:00'],
  ['a,2026-12-05,19:30,2026-12-06,,', '2026-12-05 19:30:00', '2026-12-06 19:30:00'],
  ['a,2026-12-05,19:30,,23:00,', '2026-12-05 19:30:00', '2026-12-05 23:00:00'],
  ['a,2026-12-05,,,,Yes', '2026-12-05 00:00:00', '2026-12-05 23:59:59'],
  ['a,2026-12-05,,2026-12-07,,1', '2026-12-05 00:00:00', '2026-12-07 23:59:59'],
  ['a,12/05/2026,12:15 am,12/13/2026,,', '2026-12-05 00:15:00', '2026-12-13 00:15:00'],
])('a day and a time column make a date: %s', async (row, start_date, end_date) => {
  expect(await values(`${dates}${row}\n`, { name })).toMatchObject([{ start_date, end_date }])
})

test('an invalid time is an error of the time column', async () => {
  const { records } = await read(`${dates}a,2026-12-05,at dusk,,,\n`, { name })
  expect(records[0]?.mistakes).toEqual([
    {
      column: 'Event Start Time',
      field: 'start_date',
      expected: 'a time such as 19:30, 19.30 h or 7 pm, or two such as 18-20 h',
      value: 'at dusk',
    },
  ])
})

test.each([
  ['15,€,suffix,EUR', '15 €'],
  ['15,$,prefix,', '$15'],
  ['15,$,,', '$15'],
  ['15,,,EUR', '15 €'],
  ['"12,50",€,suffix,', '12.50 €'],
  ['Free,€,suffix,', 'Free'],
  ['0,€,suffix,', '0'],
  [',€,suffix,EUR', undefined],
])('amount, symbol, position and code make a cost: %s', async (row, cost) => {
  const text = `Event Name,Event Cost,Event Currency Symbol,Event Currency Position,Event ISO Currency Code\na,${row}\n`
  expect(await values(text, { name })).toEqual([{ title: 'a', ...(cost !== undefined && { cost }) }])
})

test('a telephone number is not a website', async () => {
  const text = 'Event Name,Event Website\na,93 123 45 67\nb,https://example.org/\n'
  const { records } = await read(text, { name })
  expect(records).toMatchObject([
    { mistakes: [{ column: 'Event Website', expected: 'an http or https URL', value: '93 123 45 67' }] },
    { values: { website: 'https://example.org/' }, mistakes: [] },
  ])
})

test('a venue name of digits is a name, not an ID', async () => {
  expect(await values('Event Name,Event Venue Name\na,1898\n', { name })).toEqual([{ title: 'a', venue: '1898' }])
})

test('sheets of venues and organizers are recognized by their headings', async () => {
  const venues = await read(
    'Venue Name;Venue Country;Venue Address;Venue Address 2;Venue City;Venue State/Province;Venue Zip;Venue Phone\n' +
      'Sala;Espanya;Carrer Nou, 1;2n pis;Girona;Girona;08001;+34 972 00 00 00\n',
    { name },
  )
  expect(venues.records).toMatchObject([
    {
      resource: 'venues',
      match: ['venue'],
      values: {
        venue: 'Sala',
        country: 'Espanya',
        address: 'Carrer Nou, 1, 2n pis',
        city: 'Girona',
        stateprovince: 'Girona',
        zip: '08001',
        phone: '+34 972 00 00 00',
      },
      mistakes: [],
    },
  ])
  const organizers = await read('Organizer Name,Organizer Email\nAteneu,info@example.org\n', { name })
  expect(organizers.records).toMatchObject([
    { resource: 'organizers', match: ['organizer'], values: { organizer: 'Ateneu', email: 'info@example.org' } },
  ])
  await expect(read('Venue Name\nSala\n', { name, resource: 'events' })).rejects.toThrow(
    'import.csv: "Venue Name" is a heading of a sheet of venues, not of events',
  )
})

test.each([
  ['@clear,2n pis', { address: '2n pis' }],
  ['Carrer Nou 1,@clear', { address: 'Carrer Nou 1' }],
  [',2n pis', { address: '2n pis' }],
])('the two lines of an address become one: %s', async (cells, expected) => {
  const [found] = await values(`Venue Name,Venue Address,Venue Address 2\nSala,${cells}\n`, { name })
  expect(found).toEqual({ venue: 'Sala', ...expected })
})

test('an invalid day is reported as it is written in the sheet', async () => {
  const { records } = await read('Event Name,Event Start Date,Event Start Time\na,Saturday 5 December,19:30\n', {
    name,
  })
  expect(records[0]?.mistakes[0]).toMatchObject({ column: 'Event Start Date', value: 'Saturday 5 December' })
})

test('a row with an id updates that record, whatever its title', async () => {
  const { records } = await read('id,Event Name\n7,a\n,b\n', { name })
  expect(records.map(({ match }) => match)).toEqual([undefined, ['title', 'start_date', 'end_date']])
})

test.each([
  ['Títol,Data,Hora,Durada', '2h', '21:30:00'],
  ['Título,Fecha,Hora,Duración', '90 min', '21:00:00'],
  ['Title,Date,Time,Duration', '1:30', '21:00:00'],
  ['Title,Date,Time,Duration', '1h30', '21:00:00'],
])('a duration stands in place of an end: %s, %s', async (headings, duration, end) => {
  const { records, notices } = await read(`${headings}\na,2026-12-05,19:30,${duration}\n`, { name })
  expect(records).toMatchObject([
    { values: { start_date: '2026-12-05 19:30:00', end_date: `2026-12-05 ${end}` }, mistakes: [] },
  ])
  expect(notices).toEqual([])
})

test('a duration counts real hours when clocks change, and days where there is no hour', async () => {
  const sheet = 'title,start_date,duration\na,2026-10-25 01:00,4h\nb,2026-12-05,3 dies\nc,2026-12-05,36h\n'
  const { records } = await read(sheet, { name, timezone: 'Europe/Madrid' })
  expect(records).toMatchObject([
    { values: { start_date: '2026-10-25 01:00:00', end_date: '2026-10-25 04:00:00' } },
    { values: { start_date: '2026-12-05 00:00:00', end_date: '2026-12-07 23:59:59', all_day: true } },
    { mistakes: [{ column: 'duration', expected: 'whole days such as 2d, as the event has no hour' }] },
  ])
})

test.each([
  ['2026-12-05,19:30,21:30,2h', []],
  ['2026-12-05,19:30,22:00,2h', ['the end that the row gives, or nothing']],
  ['2026-12-05,19:30,,90', ['a duration with one meaning']],
  ['2026-12-05,19:30,,999999999999d', ['a duration such as 2h, 90 min or 3 days']],
  [',,,2h', ['a start in the same row']],
])('a duration that says something else, or nothing clear, makes a row invalid: %s', async (row, expected) => {
  const { records } = await read(`title,Data,Hora,Hora fi,Durada\na,${row}\n`, { name })
  expect(records[0]?.mistakes.map(mistake => mistake.expected)).toEqual(expected)
})

test('a duration in a zone that does not exist is counted, so that only the zone is reported', async () => {
  const sheet = 'title,start_date,duration,timezone\na,2026-12-05 19:30,2h,Mars/Phobos\n'
  expect((await read(sheet, { name })).records).toMatchObject([
    { values: { end_date: '2026-12-05 21:30:00' }, mistakes: [{ column: 'timezone' }] },
  ])
})

test('an event lasts until the year 9999 at the longest', async () => {
  const sheet = 'title,start_date,duration\na,9999-12-31 23:00,36h\nb,9999-12-31,3 dies\n'
  const end_date = '9999-12-31 23:59:59'
  expect((await read(sheet, { name })).records).toMatchObject([{ values: { end_date } }, { values: { end_date } }])
})

test('the hours of an event that lasts all day are left out with a notice, once a file', async () => {
  const row = '2026-12-05,19:30,2026-12-05,21:00,Yes'
  const { records, notices } = await read(`${dates}a,2026-12-05,,2026-12-05,,Yes\nb,${row}\nc,${row}\n`, { name })
  expect(records[1]?.values).toMatchObject({ start_date: '2026-12-05 00:00:00', end_date: '2026-12-05 23:59:59' })
  expect(notices).toEqual([
    'import.csv: row 3: lasts all day: left out 19:30 and 21:00; the same in other records like it',
  ])
})
