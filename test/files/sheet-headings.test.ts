import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { workbook } from '../support/workbooks.ts'

/** The events of a site after a sheet was applied, with the fields that a sheet of people has. */
async function published(sheet: string, options = '') {
  const site = await productionSite()
  const file = site.file('season.csv', sheet)
  const { status, err } = await site.calctl(`apply ${file} --create-missing --yes ${options}`)
  const events: Record<string, unknown>[] = status === 0 ? await site.json('events list --all --all-dates --json') : []
  return { ...site, status, err, events }
}

test.each([
  [
    'Catalan',
    'Títol;Data d’inici;Hora;Fi;Lloc;Preu;Organitza;Categoria;Etiquetes;Descripció\n' +
      'Concert;25/12/2027;19.30 h;21h30;Plaça Major;5 €;Ateneu;Música;Aire lliure, Nadal;Corals\n',
  ],
  [
    'Spanish',
    'TITULO;FECHA INICIO;HORA;HORA FIN;LUGAR;PRECIO;ORGANIZA;CATEGORÍA;ETIQUETAS;DESCRIPCIÓN\n' +
      'Concert;25/12/2027;19:30h;21.30;Plaça Major;5 €;Ateneu;Música;Aire lliure, Nadal;Corals\n',
  ],
  [
    'English',
    'Name,Date,Start time,End time,Place,Price,Organised by,Category,Keywords,Details\n' +
      'Concert,2027-12-25,7.30 pm,9:30 PM,Plaça Major,5 €,Ateneu,Música,"Aire lliure, Nadal",Corals\n',
  ],
  [
    'calctl’s and the importer’s',
    'title,Event Start Date,Event Start Time,Hora fi,venue,Event Cost,Event Organizer Name,categories,Event Tags,description\n' +
      'Concert,2027-12-25,19:30,21:30,Plaça Major,5 €,Ateneu,Música,"Aire lliure, Nadal",Corals\n',
  ],
])('the headings of a sheet can be %s', async (_, sheet) => {
  const { status, err, events } = await published(sheet)
  expect([status, err]).toEqual([0, expect.not.stringContaining('ignored')])
  expect(events).toMatchObject([
    {
      title: 'Concert',
      start_date: '2027-12-25 19:30:00',
      end_date: '2027-12-25 21:30:00',
      venue: { venue: 'Plaça Major' },
      organizer: [{ organizer: 'Ateneu' }],
      categories: [{ name: 'Música' }],
      tags: [{ name: 'Aire lliure' }, { name: 'Nadal' }],
      description: '<p>Corals</p>',
    },
  ])
})

test.each([
  ['19.30', '19:30:00'],
  ['19,30', '19:30:00'],
  ['19h', '19:00:00'],
  ['19 h', '19:00:00'],
  ['21h30', '21:30:00'],
  ['21 h 30 min', '21:30:00'],
  ['19:30 h', '19:30:00'],
  ['19.30 hores', '19:30:00'],
  ['a les 19.30 h', '19:30:00'],
  ['7 pm', '19:00:00'],
  ['7.30 p.m.', '19:30:00'],
  ['19.3', '19:30:00'],
])('an hour can be written as %s', async (hour, time) => {
  const { status, err, events } = await published(`Títol;Data;Hora\nConcert;2027-12-25;${hour}\n`)
  expect([status, err]).toEqual([0, expect.anything()])
  expect(events).toMatchObject([{ start_date: `2027-12-25 ${time}`, end_date: `2027-12-25 ${time}` }])
})

test('an hour of 24 is the end of its day', async () => {
  const { events } = await published('Títol;Data;Hora\nConcert;2027-12-25;24 h\n')
  expect(events).toMatchObject([{ start_date: '2027-12-26 00:00:00' }])
})

test.each(['25.99', '7 del matí o de la tarda', '0.5', '19-30', '25 h'])(
  'an hour that cannot be read, %s, is an error of its cell',
  async hour => {
    const { status, err } = await published(`Títol;Data;Hora\nConcert;2027-12-25;${hour}\n`)
    expect([status, err]).toEqual([2, expect.stringContaining(`Hora: expected a time such as 19:30, 19.30 h or 7 pm`)])
  },
)

test.each([
  ['19,5', '19:30 or 19:50'],
  ['19.5', '19:30 or 19:50'],
  ['7.5 pm', '7:30 pm or 7:50 pm'],
])('an hour that may be two, %s, is refused with both', async (hour, both) => {
  for (const heading of ['Hora', 'Inici']) {
    const { status, err } = await published(`Títol;Data;${heading}\nConcert;2027-12-25;${hour}\n`)
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`! row 2: ${heading}: expected hours and minutes, got "${hour}" (write ${both})`),
    ])
  }
})

test('an hour that may be two is refused in a cell that is a number, too', async () => {
  const { calctl, file } = await productionSite()
  const rows = (hour: string | number) => ({
    Actes: [
      ['Títol', 'Data', 'Hora', 'Fi'],
      ['A', '2027-12-25', 19, hour],
    ],
  })
  for (const [hour, status, text] of [
    [20.5, 2, 'write 2027-12-25 20:30 or 2027-12-25 20:50'],
    [21, 0, '1 to create'],
    ['20.50', 0, '1 to create'],
  ] as const) {
    const { status: found, err, out } = await calctl(`apply ${file('a.xlsx', await workbook(rows(hour)))} --dry-run`)
    expect([found, err + out]).toEqual([status, expect.stringContaining(text)])
  }
})

test.each([
  ['Hora', 'Fi'],
  ['Inici', 'Fi'],
  ['Inici', 'Hora fi'],
])('whole hours are read under %s and %s', async (start, end) => {
  const { status, events } = await published(`Títol;Data;${start};${end}\nConcert;2027-12-25;19;21\n`)
  expect([status, events]).toMatchObject([0, [{ start_date: '2027-12-25 19:00:00', end_date: '2027-12-25 21:00:00' }]])
})

test('an edge that cannot be read is said to be a day, an hour or both', async () => {
  const { status, err } = await published('Títol;Data;Hora;Fi\nConcert;2027-12-25;19;45\n')
  expect([status, err]).toEqual([
    2,
    expect.stringContaining(
      '! row 2: Fi: expected a time with one meaning, got "45" (write 2027-12-25 19:45 or 2027-12-27 16:00)',
    ),
  ])
})

test.each([
  ['22.00', '', '1.30', '2027-06-05 01:30:00'],
  ['22.00', '', '23.30', '2027-06-04 23:30:00'],
  ['22.00', '6/6/2027', '1.30', '2027-06-06 01:30:00'],
  ['22.00', '6/6/2027', '', '2027-06-06 22:00:00'],
  ['22.00', '', '', '2027-06-04 22:00:00'],
])('an event from %s to "%s" "%s" ends at %s', async (hour, endDay, endHour, end_date) => {
  const { status, err, events } = await published(
    `Títol;Data inici;Hora inici;Data fi;Hora fi\nBall;2027-06-04;${hour};${endDay};${endHour}\n`,
    '--date-order dmy',
  )
  expect([status, err]).toEqual([0, expect.anything()])
  expect(events).toMatchObject([{ start_date: '2027-06-04 22:00:00', end_date }])
})

test('what the sheet does not say is read as usual, and said', async () => {
  const { status, err, events } = await published(
    'Títol;Data;Hora;Fi\nBall;4/6/2027;22 h;1 h\nMercat;25/6/2027;;\nFira;26/6/2027;tot el dia;27/6/2027\n',
  )
  expect([status, err]).toEqual([0, expect.anything()])
  expect(err).toContain('row 2: "1 h" after 22:00 is on the next day: 2027-06-05 01:00; the same in other rows like it')
  expect(err).toContain('row 3: lasts all day, because it has no time; the same in other rows like it')
  expect(events).toMatchObject([
    { title: 'Ball', end_date: '2027-06-05 01:00:00', all_day: false },
    { title: 'Mercat', all_day: true, start_date: '2027-06-25 00:00:00', end_date: '2027-06-25 23:59:59' },
    { title: 'Fira', all_day: true, start_date: '2027-06-26 00:00:00', end_date: '2027-06-27 23:59:59' },
  ])
})

test('an event without an end ends when it starts, and a day that does not exist is reported once', async () => {
  const { status, err } = await published('Títol;Data;Hora\nA;25/12/2027;19 h\nB;31/2/2028;19 h\n')
  expect([status, err]).toEqual([2, expect.stringContaining('row 2: ends when it starts, because it has no end')])
  const mistake = 'Data: expected a day that exists (February 2028 has 29 days), got "31/2/2028"'
  expect(err).toContain(`! row 3: ${mistake} (for example`)
})

test('a start, an end and a day can share their words: a time in a column for an edge is a time', async () => {
  const { events } = await published(
    'Títol;Dia;Inici;Final\nA;2027-06-04;19 h;21 h\nB;;2027-06-05 19:00;2027-06-06 20:00\n',
  )
  expect(events).toMatchObject([
    { title: 'A', start_date: '2027-06-04 19:00:00', end_date: '2027-06-04 21:00:00' },
    { title: 'B', start_date: '2027-06-05 19:00:00', end_date: '2027-06-06 20:00:00' },
  ])
})

test('a time without a day is an error, and so are two different days or times', async () => {
  const { status, err } = await published(
    'Títol;Data;Inici;Hora\nA;;;19 h\nB;2027-06-04;2027-06-05;19 h\nC;2027-06-04 20:00;;19 h\n',
  )
  expect([status, err]).toEqual([2, expect.stringContaining('row 2: Hora: expected a day for this time, got "19 h"')])
  expect(err).toContain('row 3: Inici: expected the day in "Data", got "2027-06-05"')
  expect(err).toContain('row 4: Hora: expected the time in "Data", got "19 h"')
})

test('a sheet of changes keeps the end and the hours that it does not name', async () => {
  const site = await productionSite()
  await site.calctl('events create --title Ball --start-date "2027-06-04 22:00" --end-date "2027-06-05 01:00"')
  const file = site.file('more.csv', 'id;Títol;Data;Hora\n1;Ball de nit;4/6/2027;22.00\n')
  const { status, err } = await site.calctl(`apply ${file} --yes --date-order dmy`)
  expect([status, err]).toEqual([0, expect.anything()])
  expect(await site.json('events get 1 --json')).toMatchObject({
    title: 'Ball de nit',
    start_date: '2027-06-04 22:00:00',
    end_date: '2027-06-05 01:00:00',
  })
})

test('sheets of venues, organizers and categories are known by their Catalan headings, too', async () => {
  const { calctl, file, json } = await productionSite()
  const venues = file('espais.csv', 'Nom;Adreça;Població;Codi postal;Telèfon\nAteneu;Carrer Nou 1;Girona;17001;972\n')
  const organizers = file('entitats.csv', 'Entitat;Correu electrònic;Telèfon\nColla;colla@example.org;972\n')
  for (const name of [venues, organizers]) expect(await calctl(`apply ${name} --yes`)).toMatchObject({ status: 0 })
  expect(await json('venues get 1 --json')).toMatchObject({ venue: 'Ateneu', city: 'Girona', zip: '17001' })
  expect(await json('organizers get 2 --json')).toMatchObject({ organizer: 'Colla', email: 'colla@example.org' })
  const names = file('noms.csv', 'Nom\nDansa\n')
  const { status, err } = await calctl(`apply ${names} --yes`)
  expect([status, err]).toEqual([2, expect.stringContaining('cannot tell which resource its records are')])
})

test('the time zone of an event is read under all headings of the importer', async () => {
  for (const heading of ['Event Timezone', 'Event Time Zone', 'TIMEZONE', 'Time Zone']) {
    const { status, events } = await published(
      `Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,${heading}\n` +
        'A,2027-06-01,19:00,2027-06-01,20:00,America/New_York\n',
    )
    expect([status, events]).toMatchObject([0, [{ start_date: '2027-06-01 19:00:00', timezone: 'America/New_York' }]])
  }
})

test.each([
  'Hide Event From Event Listings',
  'Hide From Event Listings',
  'HIDE FROM EVENT LISTINGS?',
  'hide event from listings',
  'Event Hide From Upcoming Listings',
  'Hide Event From Upcoming Listings?',
])('an event is hidden from lists under the heading %s', async heading => {
  const { json, status, err } = await published(
    `Event Name,Event Start Date,Event Start Time,${heading}\nRehearsal,2027-06-01,19:00,TRUE\n`,
  )
  expect([status, err]).toEqual([0, expect.not.stringContaining('ignored')])
  expect(await json('events get 1 --json')).toMatchObject({ hide_from_listings: true })
})

test.each([
  ['hide_from_list', 'hide_from_listings'],
  ['Description ES', 'description'],
  ['Event Venue', 'venue'],
  ['Event Statu', 'event_status'],
])('a heading is refused if there is a suggestion for it: %s', async (heading, known) => {
  const sheet = `title,start_date,end_date,${heading}\nA,2027-06-01 19:00,2027-06-01 20:00,x\n`
  expect(await published(sheet)).toMatchObject({
    status: 2,
    err: expect.stringContaining(`unknown heading "${heading}" (did you mean "${known}"?)`),
  })
})

test.each(['Codi', 'Event ID', 'Titols'])('any other heading is ignored with a notice: %s', async heading => {
  const sheet = `title,start_date,end_date,${heading}\nA,2027-06-01 19:00,2027-06-01 20:00,x\n`
  expect(await published(sheet)).toMatchObject({
    status: 0,
    err: expect.stringContaining(`ignored "${heading}": events have no such field\n`),
  })
})

test.each([
  ['OBSERVACIONS', '', 'description'],
  ['Comentaris', '', 'description'],
  ['Notes', '', 'description'],
  ['Más información', '', 'description'],
  ['Observaciones', ',Descripció', 'excerpt'],
])(
  'a column for remarks is not read, and the notice names the --map that reads it: %s%s',
  async (heading, other, field) => {
    const sheet = `title,start_date,end_date,${heading}${other}\nA,2027-06-01 19:00,2027-06-01 20:00,Cal reservar${other && ','}\n`
    const { err } = await published(sheet)
    const [, heard = '', means = ''] = /; to keep it: --map "(.+)=(.+)"\n/.exec(err) ?? []
    expect([heard, means]).toEqual([heading, field])
    const { events } = await published(sheet, `--map "${heard}=${means}"`)
    expect(String(events[0]?.[field])).toContain('Cal reservar')
  },
)

test('the headings of the importer’s manual are read', async () => {
  const { status, err, events } = await published(
    'EVENT NAME,EVENT EXCERPT,EVENT VENUE NAME,EVENT ORGANIZER NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,TIMEZONE,HIDE FROM EVENT LISTINGS,STICKY IN MONTH VIEW,EVENT CATEGORY,EVENT TAGS,EVENT COST,EVENT CURRENCY SYMBOL,EVENT CURRENCY POSITION,EVENT ISO CURRENCY CODE,EVENT FEATURED IMAGE,EVENT WEBSITE,EVENT SHOW MAP LINK,EVENT SHOW MAP,ALLOW COMMENTS,ALLOW TRACKBACKS AND PINGBACKS,EVENT DESCRIPTION\n' +
      'Rehearsal,,Ateneu Popular,Coral Riu,2027/06/01,8:20PM,2027/06/01,9:20PM,FALSE,America/Los_Angeles,FALSE,TRUE,Concerts,,5,$,prefix,USD,,,FALSE,FALSE,,,desc\n',
  )
  expect([status, err]).toEqual([0, expect.not.stringContaining('STICKY')])
  expect(events).toMatchObject([
    { title: 'Rehearsal', start_date: '2027-06-01 20:20:00', sticky: true, cost: '$5', description: '<p>desc</p>' },
  ])
})

test('a heading such as constructor is a column that events do not have', async () => {
  for (const heading of ['constructor', '__defineGetter__', 'toString', 'hasOwnProperty']) {
    const { status, err } = await published(
      `title,start_date,end_date,${heading}\nMonaco GP,2027-06-01 19:00,2027-06-01 20:00,Ferrari\n`,
    )
    expect([status, err]).toEqual([
      0,
      expect.stringContaining(`season.csv: ignored "${heading}": events have no such field`),
    ])
  }
})

test('numbers are names in columns of the importer and in columns of words', async () => {
  const importer = await published(
    'Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Category,Event Tags,Event Organizer Name\n' +
      'A,2027-06-01,19:00,1898,2027,"7, 80",22\n',
  )
  expect([importer.status, importer.events]).toMatchObject([
    0,
    [
      {
        venue: { venue: '1898' },
        categories: [{ name: '2027' }],
        tags: [{ name: '7' }, { name: '80' }],
        organizer: [{ organizer: '22' }],
      },
    ],
  ])
  const words = await published('Títol;Data;Hora;Lloc;Etiquetes\nA;2027-06-01;19:00;1898;2027\n')
  expect(words.events).toMatchObject([{ venue: { venue: '1898' }, tags: [{ name: '2027' }] }])
})

test.each([
  ['18-20 h', '18:00:00', '2027-12-25 20:00:00'],
  ['18.00-20.30 h', '18:00:00', '2027-12-25 20:30:00'],
  ['18:00 – 20:00', '18:00:00', '2027-12-25 20:00:00'],
  ['de 18 a 20 h', '18:00:00', '2027-12-25 20:00:00'],
  ['22h-1h', '22:00:00', '2027-12-26 01:00:00'],
  ['de 8 a 10 del vespre', '20:00:00', '2027-12-25 22:00:00'],
  ['8 - 10 del vespre', '20:00:00', '2027-12-25 22:00:00'],
  ['de 6 a 8 de la tarda', '18:00:00', '2027-12-25 20:00:00'],
  ['7-9 pm', '19:00:00', '2027-12-25 21:00:00'],
  ['10 a 12', '10:00:00', '2027-12-25 12:00:00'],
  ['10.30 - 12', '10:30:00', '2027-12-25 12:00:00'],
  ['10:00-23:00', '10:00:00', '2027-12-25 23:00:00'],
])('the hours %s are a start and an end', async (hours, time, end_date) => {
  const { status, err, events } = await published(`Títol;Data;Horari\nConcert;2027-12-25;${hours}\n`)
  expect([status, err]).toEqual([0, expect.anything()])
  expect(events).toMatchObject([{ start_date: `2027-12-25 ${time}`, end_date }])
})

test.each([
  ['a les vuit', '08:00 or 20:00'],
  ['de 8 a 10', '08:00-10:00 or 20:00-22:00'],
])('hours that are in the morning or in the evening, %s, are refused with both', async (hours, both) => {
  const { status, err } = await published(`Títol;Data;Horari\nConcert;2027-12-25;${hours}\n`)
  const refusal = `! row 2: Horari: expected a time with one meaning, got "${hours}" (write ${both})`
  expect([status, err]).toEqual([2, expect.stringContaining(refusal)])
})

test('an end that is in the morning or in the evening is the one after its start', async () => {
  const head = "Títol;Data;Hora d'inici;Hora fi\n"
  const { events } = await published(`${head}Concert;2027-12-25;20:00;a les deu\n`)
  expect(events).toMatchObject([{ end_date: '2027-12-25 22:00:00' }])
  const early = await published(`${head}Concert;2027-12-25;9:00;a les deu\n`)
  expect([early.status, early.err]).toEqual([
    2,
    expect.stringContaining('(write 2027-12-25 10:00 or 2027-12-25 22:00)'),
  ])
})

test('an end more than 12 hours after the start of the day before is a mistake of its row', async () => {
  const { status, err } = await published("Títol;Data;Hora d'inici;Hora fi\nConcert;2027-12-25;20:00;18:30\n")
  const refusal = '! row 2: Hora fi: "18:30" is not after the start, 2027-12-25 20:00'
  expect([status, err]).toEqual([2, expect.stringContaining(refusal)])
})

test('two hours beside a column for the end are refused', async () => {
  const { status, err } = await published('Títol;Data;Hora;Hora fi\nConcert;2027-12-25;18-20 h;21 h\n')
  expect([status, err]).toEqual([
    2,
    expect.stringContaining('Hora: expected one time, as the end is in another column, got "18-20 h"'),
  ])
})

test.each(['19-30', '20-19', '20:00-18:30'])('hours that may mean something else, %s, are refused', async hours => {
  const { status, err } = await published(`Títol;Data;Hora\nConcert;2027-12-25;${hours}\n`)
  expect([status, err]).toEqual([2, expect.stringContaining('Hora: expected a time such as 19:30')])
})

test('a semicolon separates categories, tags and organizers as a comma does', async () => {
  const head = 'title,start_date,end_date,Etiquetes,Categoria,Organitza\n'
  const row = (title: string, ...lists: string[]) =>
    [title, '2027-06-01 19:00', '2027-06-01 20:00', ...lists.map(list => `"${list.replaceAll('"', '""')}"`)].join(',')
  const { calctl, json, file, status } = await published(
    `${head}${row('A', 'Familiar; Nadal', 'Jazz;"Dansa; teatre", Circ;', 'Ateneu;Colla')}\n`,
  )
  expect([status, await namesOf(json, 'A')]).toEqual([
    0,
    { tags: ['Familiar', 'Nadal'], categories: ['Circ', 'Dansa; teatre', 'Jazz'], organizer: ['Ateneu', 'Colla'] },
  ])
  const more = file('more.csv', `${head}${row('B', 'Nadal', 'Jazz, dansa; Teatre', 'Colla')}\n`)
  expect(await calctl(`apply ${more} --yes`)).toMatchObject({ status: 0 })
  expect(await namesOf(json, 'B')).toEqual({
    tags: ['Nadal'],
    categories: ['Dansa; teatre', 'Jazz'],
    organizer: ['Colla'],
  })
  const exported = file('all.csv', (await calctl('export events -o csv')).out)
  expect((await calctl(`diff --exit-code ${exported}`)).out).toContain('2 unchanged')
})

/** The names that an event links to, in alphabetical order. */
async function namesOf(json: (line: string) => Promise<unknown>, title: string): Promise<Record<string, string[]>> {
  const events = (await json('events list --all --all-dates --json')) as Record<string, unknown>[]
  const event = events.find(event => event.title === title) ?? {}
  const links = (field: string) => event[field] as { name?: string; organizer?: string }[]
  return Object.fromEntries(
    ['tags', 'categories', 'organizer'].map(field => [
      field,
      links(field)
        .map(({ name = '', organizer = name }) => organizer)
        .toSorted(),
    ]),
  )
}

test('a sheet without any known heading is refused with its headings and --map', async () => {
  const { status, err } = await published('Què,Quin dia\nBall,2027-12-25\n')
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(
      /cannot tell which resource its records are; unknown headings: "Què" and "Quin dia"\nhint: set it with: --resource \S+, and map the headings: --map "Què=title"\n$/,
    ),
  ])
})

test('dates in both orders are an error, and nothing else is said of their order', async () => {
  const { status, err } = await published('Títol;Data;Durada\nA;13/12/2027;1d\nB;12/13/2027;1d\n')
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(
      /^error: \S+: dates are written day first \(row 2, .*\) and month first \(row 3, .*\nhint: .*\n$/,
    ),
  ])
})
