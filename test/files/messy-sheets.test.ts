import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { read } from '../support/record-files.ts'
import { rawXlsx } from '../support/workbooks.ts'
import { messySheet } from './messy-sheets.ts'

const rounds = Number(process.env.SOAK_ROUNDS ?? 0) * 50 || 150

test(`${rounds} messy sheets are read as they are meant, or refused with the cell and the reason`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async draw => {
      const pick = <T>(items: readonly T[]): T => items[draw(fc.nat, { max: items.length - 1 })] as T
      const { text, rows } = messySheet(pick)
      const { records } = await read(text, { name: 'season.csv' })
      expect(records.length, text).toBe(rows.length)
      for (const [index, { values, reason }] of rows.entries()) {
        const record = records[index]
        const mistakes = record?.mistakes.map(({ message, expected }) => message ?? `expected ${expected}`).join('; ')
        if (values)
          expect({ mistakes, ...record?.values, ...record?.valuesIfNew }, text).toMatchObject({
            mistakes: '',
            ...values,
          })
        else expect(mistakes, text).toContain(reason)
      }
    }),
    { numRuns: rounds },
  )
}, 600_000)

const sheet = (...lines: string[]) => read(lines.map(line => `${line}\n`).join(''), { name: 'season.csv' })
const mistakesOf = ({ records }: Awaited<ReturnType<typeof sheet>>) =>
  records.flatMap(({ mistakes }) =>
    mistakes.map(({ message, expected, advice }) => message ?? `${expected}: ${advice}`),
  )

test('dates that can be read in two ways are read as in the language of the headings, which is said', async () => {
  const { records, notices } = await sheet('Títol,Data,Lloc', 'Concert,5/12/2027,Sala')
  expect(records[0]?.values.start_date).toBe('2027-12-05 00:00:00')
  expect(notices).toContain(
    'season.csv: dates are read day first, as in Catalan, the language of the headings: row 2, Data: 5/12/2027 is 2027-12-05; for month first add: --date-order mdy',
  )
  await expect(sheet('Title,Date,Place', 'Concert,5/12/2027,Hall')).rejects.toThrow('can mean')
})

test('a point in a price separates thousands where another price or the language of the headings says so', async () => {
  const costs = async (...lines: string[]) => (await sheet(...lines)).records.map(({ values }) => values.cost)
  expect(await costs('Title,Date,Price', 'A,2027-12-05,1.200 €', 'B,2027-12-05,"1.200,50 €"')).toEqual([
    '1200 €',
    '1200.50 €',
  ])
  expect(await costs('Títol,Data,Preu', 'A,13/12/2027,1.200 €')).toEqual(['1200 €'])
  expect(await costs('Title,Date,Price', 'A,2027-12-05,1.200 €')).toEqual(['1200 €'])
  await expect(costs('Title,Date,Price', 'A,2027-12-05,1.200')).rejects.toThrow('"1.200" can be read as 1200 or 1.20')
})

test.each([
  ['5 i 7 de juny de 2027', '19 h', ['2027-06-05 19:00:00', '2027-06-07 19:00:00']],
  ['5 i 7 de juny de 2027', '', ['2027-06-05 00:00:00', '2027-06-07 00:00:00']],
  ['5 i 6 de juny de 2027', 'de 19 a 21 h', ['2027-06-05 19:00:00', '2027-06-06 19:00:00']],
  ['del 3 al 5 de juny de 2027', '20.30 h', ['2027-06-03 20:30:00', '2027-06-04 20:30:00', '2027-06-05 20:30:00']],
])('%s, %s is an event on each day, which is said', async (days, hour, starts) => {
  const { records, notices } = await sheet('Títol,Data,Hora', `Concert,${days},${hour}`)
  expect(records.map(({ mistakes }) => mistakes)).toEqual(starts.map(() => []))
  expect(records.map(({ values }) => values.start_date)).toEqual(starts)
  const ends = records.map(({ values, valuesIfNew }) => String((valuesIfNew ?? values).end_date).slice(0, 10))
  expect(ends).toEqual(starts.map(start => start.slice(0, 10)))
  const said = `row 2: ${days} is read as ${starts.length} events, one on each day; the same in other rows like it`
  expect(notices).toContainEqual(expect.stringContaining(said))
})

test('several days of an event that exists, or of half a year, are refused with what to write', async () => {
  const mistakes = ['one day: write a row for each day']
  expect(mistakesOf(await sheet('ID,Títol,Data,Hora', '7,Concert,5 i 7 de juny de 2027,19 h'))).toEqual(mistakes)
  expect(mistakesOf(await sheet('Títol,Data,Hora', 'Concert,del 3 de gener al 7 de juny de 2027,19 h'))).toEqual(
    mistakes,
  )
  await expect(sheet('Títol,Data', 'Concert,3 al 5 de maig')).rejects.toThrow('the dates have no year')
})

test('what spans the dates of both orders is not read without a word', async () => {
  await expect(sheet('Title,Date', 'Concert,5/6/2027 - 7/6/2027')).rejects.toThrow('can mean')
})

test('two columns of one name are told apart by their numbers', async () => {
  await expect(sheet('Títol,Data,Hora,Hora', 'Concert,13/6/2027,19 h,21 h')).rejects.toMatchObject({
    details: {
      hint: 'map one of them to another column, for example --map "Hora (2)=end time", or leave it out: --map "Hora (2)=ignore"',
    },
  })
})

test('a phone beside an address is that of the venue; alone it is asked about', async () => {
  const { records } = await sheet('Títol,Data,Lloc,Adreça,Telèfon', 'Concert,13/6/2027,Sala,C/ Nou 1,972 1')
  expect(records[0]?.values.venue).toEqual({ venue: 'Sala', address: 'C/ Nou 1', phone: '972 1' })
  await expect(sheet('Títol,Data,Lloc,Telèfon', 'Concert,13/6/2027,Sala,972 1')).rejects.toThrow('"Telèfon"')
})

test('an address behind the name of a venue is read as one that stands below it, and a longer name is another venue', async () => {
  const { records, notices } = await sheet(
    'Títol,Data,Lloc',
    'A,13/6/2027,"Teatre, C/ Nou 1, Girona"',
    'B,13/6/2027,Teatre',
    'C,13/6/2027,Teatre (Olot)',
    'D,13/6/2027,"Sala, primer pis"',
  )
  expect(records.map(({ values }) => values.venue)).toEqual([
    { venue: 'Teatre', address: 'C/ Nou 1', city: 'Girona' },
    'Teatre',
    'Teatre (Olot)',
    'Sala, primer pis',
  ])
  expect(notices).toContain(
    'season.csv: row 2: "Teatre" is read as the venue, and what follows as its address; the same in other rows like it',
  )
  expect(notices).toContain(
    'season.csv: row 4: "Teatre" and "Teatre (Olot)" are read as two venues; if they are one, write one name',
  )
})

test('a town without a column for the venue is asked about, and one beside no name is said', async () => {
  await expect(sheet('Title,Date,City', 'A,2027-06-13,Bath')).rejects.toMatchObject({
    message: 'season.csv has a column "City", but none for the name of the venue',
    details: {
      hint: 'if it names the venue, add: --map "City=venue"; to leave it out: --map "City=ignore"',
    },
  })
  const { records, notices } = await sheet('Title,Date,Venue,City', 'A,2027-06-13,Hall,Bath', 'B,2027-06-13,,Leeds')
  expect(records.map(({ values }) => values.venue)).toEqual([{ venue: 'Hall', city: 'Bath' }, undefined])
  expect(notices).toContain(
    'season.csv: row 3, City: "Leeds" is not read, because no venue is named; the same in other rows like it',
  )
})

test('one name in two towns is two venues, now and when the sheet is applied again', async () => {
  const { calctl, file } = calendarWithFiles()
  const rows = ['A,13/6/2027,Teatre,Girona', 'B,14/6/2027,Teatre,Olot', 'C,15/6/2027,Teatre,Girona']
  const path = file('season.csv', `Títol,Data,Lloc,Població\n${rows.join('\n')}\n`)
  const apply = () => calctl(['apply', path, '--yes', '--create-missing'])
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('5 to create') })
  const { out } = await calctl('events list --plain --fields title,venue.city')
  expect(out).toBe('A\tGirona\nB\tOlot\nC\tGirona\n')
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('3 unchanged') })
  const others = file('more.csv', 'Títol,Data,Lloc,Població\nD,16/6/2027,Teatre,Vic\n')
  expect(await calctl(['apply', others, '--yes'])).toMatchObject({
    err: expect.stringContaining('no venue in Vic is called "Teatre", but one in another town is'),
  })
  const unclear = file(
    'unclear.csv',
    `${'Títol,Data,Lloc,Població\nE,16/6/2027,Sala,Vic\n'}F,17/6/2027,Sala,Ripoll\nG,18/6/2027,Sala,\n`,
  )
  expect(await calctl(['apply', unclear, '--yes', '--create-missing'])).toMatchObject({
    status: 2,
    err: expect.stringContaining(
      'several venues in the file are called "Sala" (write the town of the venue in each row)',
    ),
  })
})

test('an end years later, an address without its scheme and bare hours are read with a notice', async () => {
  const { records, notices } = await sheet('Title,Start,End,Web', 'A,2027-06-05 19:00,2072-06-05 21:00,www.example.org')
  expect(records[0]?.values.website).toBe('https://www.example.org')
  expect(notices).toContain('season.csv: row 2: lasts from 2027-06-05 to 2072-06-05: check the year of its end')
  expect(notices).toContain(
    'season.csv: row 2: www.example.org is read as https://www.example.org; the same in other rows like it',
  )
})

test('a column for each status is read, and cells that contradict each other are refused', async () => {
  const { records } = await sheet(
    'Títol,Data,Cancel·lat,Ajornat,Estat',
    'A,13/6/2027,x,,',
    'B,13/6/2027,,sí,Publicat',
    'C,13/6/2027,yes,no,Cancel·lat',
    'D,13/6/2027,x,x,',
    'E,13/6/2027,,x,Cancel·lat',
    'F,13/6/2027,no,,',
  )
  expect(records.map(({ values }) => values.event_status).slice(0, 3)).toEqual(['canceled', 'postponed', 'canceled'])
  const mistakes = records.map(({ mistakes }) =>
    mistakes.map(({ column, expected }) => `${column}: ${expected}`).join(),
  )
  expect(mistakes).toEqual([
    ...['', '', ''],
    'Ajornat: an empty cell, because "Cancel·lat" is "x"',
    'Ajornat: an empty cell, because "Estat" is "Cancel·lat"',
    '',
  ])
  const [both] = (await sheet('Title,Date,categories,Event Category', 'A,2027-06-13,Music,Dance')).records
  expect(both?.mistakes).toHaveLength(1)
})

test('a sheet in Mac Roman is recognized by its letters', async () => {
  const { records, notices } = await read(Buffer.from('title,venue\nCaf\x8e concert,Pla\x8da\n', 'latin1'), {
    name: 'season.csv',
  })
  expect(records[0]?.values).toEqual({ title: 'Café concert', venue: 'Plaça' })
  expect(notices).toEqual(['season.csv: not UTF-8, read as Mac Roman'])
})

const struck =
  '<fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/><xf numFmtId="16"/></cellXfs>'
const text = (at: string, value: string, style = 0) =>
  `<c r="${at}" t="inlineStr" s="${style}"><is><t>${value}</t></is></c>`
const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`
const workbook = async (...rows: string[]) =>
  read(await rawXlsx({ styles: struck, sheets: { a: `<sheetData>${rows.join('')}</sheetData>` } }), {
    name: 'season.xlsx',
  })

test('a row that is struck through is refused', async () => {
  const found = await workbook(
    row(1, text('A1', 'Title'), text('B1', 'Date')),
    row(2, text('A2', 'Ball', 1), text('B2', '2027-06-05', 1)),
    row(3, text('A3', 'Concert'), text('B3', '2027-06-06')),
  )
  expect(found.records.map(({ mistakes }) => mistakes.map(({ message }) => message))).toEqual([
    ['is struck through in the workbook: delete it, or take the line away'],
    [],
  ])
})

test('a price that became a date, and a date without a format, are refused', async () => {
  const found = await workbook(
    row(1, text('A1', 'Title'), text('B1', 'Date'), text('C1', 'Price')),
    row(2, text('A2', 'Ball'), text('B2', '2027-06-05'), '<c r="C2" s="2"><v>46300</v></c>'),
    row(3, text('A3', 'Concert'), '<c r="B3"><v>46300</v></c>', text('C3', '5 €')),
  )
  expect(mistakesOf(found)).toEqual([
    'Price: a spreadsheet program converted it to a date, "2026-10-05" (format the column as text, and enter the original value)',
    'Date: the cell is the number 46300 with the format General (format it as a date, if it is 2026-10-05)',
  ])
})

test('a workbook whose first sheet has no headings names the others', async () => {
  const sheets = {
    Instruccions: `<sheetData>${row(1, text('A1', 'Ompliu'), text('B1', 'el full'))}</sheetData>`,
    Agenda: `<sheetData>${row(1, text('A1', 'Títol'), text('B1', 'Data'))}</sheetData>`,
  }
  await expect(read(await rawXlsx({ sheets }), { name: 'season.xlsx' })).rejects.toMatchObject({
    details: {
      hint: expect.stringContaining('--sheet "Agenda"'),
    },
  })
})

test('a row is struck through if more than half of its filled cells are', async () => {
  const found = await workbook(
    row(1, text('A1', 'Title'), text('B1', 'Date'), text('C1', 'Place'), text('F1', 'Price')),
    row(2, text('A2', 'Ball', 1), text('B2', '2027-06-05', 1), text('C2', 'Hall'), text('F2', '5 €')),
    row(3, text('A3', 'Concert', 1), text('B3', '2027-06-06', 1), text('F3', '5 €')),
  )
  expect(found.records.map(({ mistakes }) => mistakes.length)).toEqual([0, 1])
})

test('blank cells count neither as headings nor as cells beside them', async () => {
  const blankAbove = await sheet(' ,,,', 'Title,,,', 'Fira,,,')
  expect(blankAbove.records.map(({ values }) => values.title)).toEqual(['Fira'])
  await expect(sheet('Title,Date,Place,,,,,', 'Títol,Data,, , , , ,', 'Fira,2027-06-05,,,,,,')).rejects.toThrow(
    'has two rows of headings',
  )
})

test('a day that cannot be read, beside a column with the hour, is answered with a day as an example', async () => {
  const site = calendar()
  const rows = ['31/04/2026', 'patata'].map(day => `Fira;${day};19:00\n`)
  const { err } = await site('apply --dry-run -', `Títol;Data;Hora\n${rows.join('')}`)
  expect(err).toContain(
    'Data: expected a day that exists (April 2026 has 30 days), got "31/04/2026" (for example: 2026-12-05)',
  )
  expect(err).toContain('Data: expected a day, got "patata" (for example: 2026-12-05)')
  expect(err).not.toContain('2026-12-05 19:00')
})
