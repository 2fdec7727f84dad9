import { expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

const headings = 'Títol,Data,Hora,Lloc,Preu'
const concert = 'Concert,5/12/2026,19 h,Teatre,5 €'
const fira = 'Fira,13/12/2026,10 h,Plaça,'

const sheet = (...rows: string[]) => read([headings, ...rows, ''].join('\n'), { name: 'season.csv' })
const titles = async (...rows: string[]) => (await sheet(...rows)).records.map(({ values }) => values.title)

test.each([
  ['a month', 'DESEMBRE,,,,'],
  ['a month with its year, under the date', ',Desembre de 2026,,,'],
  ['a month in Spanish', ',,,Diciembre 2026,'],
  ['a season', 'HIVERN 2026,,,,'],
  ['a note', 'Nota: els horaris poden canviar,,,,'],
  ['a note with a star', '* gratuït per als socis,,,,'],
  ['a note in another column', ',,,Falta confirmar la sala,'],
  ['a long note under the date', ',Els actes del 5 al 13 poden canviar si plou molt,,,'],
  ['a sum', 'TOTAL,,,,5 €'],
  ['a sum with its number', 'Total: 2 actes,,,,'],
  ['a sum without a word', ',,,,"1.234,50 €"'],
])('%s between events is left out with its row', async (_, row) => {
  const { records, notices } = await sheet(concert, row, fira)
  expect(records.flatMap(({ values, mistakes }) => [values.title, ...mistakes])).toEqual(['Concert', 'Fira'])
  expect(notices.filter(notice => notice.includes('left out'))).toEqual([
    'season.csv: left out 1 row that is a heading, a note or a sum: 3',
  ])
})

test('IDs make no export of a sheet that people wrote: other rows are left out, and prices are read as before', async () => {
  const withPrice = `,${fira}"1.200,50 €"`
  const rows = [`ID,${headings}`, ',DESEMBRE 2026,,,,', `12,${concert}`, withPrice, ',Nota: entrada lliure,,,,', '']
  const { records, notices } = await read(rows.join('\n'), { name: 'season.csv' })
  expect(records.flatMap(({ values, mistakes }) => [values.title, values.cost, ...mistakes])).toEqual([
    ...['Concert', '5 €', 'Fira', '1200.50 €'],
  ])
  expect(notices).toContain('season.csv: left out 2 rows that are headings, notes or sums: 2 and 5')
})

test('a legend below the table is left out, but not what people type between events', async () => {
  const { records, notices } = await sheet(concert, fira, '', 'G,gratuït,,,', 'Amb el suport del Consell,,,,')
  expect(records).toHaveLength(2)
  expect(notices).toContain('season.csv: left out 2 rows that are headings, notes or sums: 5 and 6')
  expect(await titles(concert, '', 'Ball,,,,', fira)).toEqual(['Concert', 'Ball', 'Fira'])
})

test.each([
  ['a title without a date', 'Ball,,,,'],
  ['a title with a date still to come', 'Ball,per confirmar,,Teatre,'],
  ['a title that begins like a sum', 'Total eclipse,,,Teatre,'],
  ['a date without a title', ',6/12/2026,,,'],
  ['an hour and a place without a title', ',,19 h,Teatre,'],
  ['a month as the title of an event', 'Desembre,32/12/2026,,,'],
])('%s stays a row with a mistake', async (_, row) => {
  const { records, notices } = await sheet(concert, row, fira)
  expect(records).toHaveLength(3)
  expect(notices.filter(notice => notice.includes('left out'))).toEqual([])
})

test('a sheet of notes alone is refused', async () => {
  await expect(sheet('DESEMBRE,,,,', 'Nota: tot està per fer,,,,')).rejects.toThrow(
    'season.csv has no event, only headings, notes or sums',
  )
})

test('the sheets of calctl and those of other records are read whole', async () => {
  const exported = await read('id,title,start_date\n7,,\n8,Total,\n', { name: 'events.csv' })
  expect(exported.records).toHaveLength(2)
  const venues = await read('Venue Name,Venue City\nTotal,\nDesembre,Olot\n', { name: 'venues.csv' })
  expect(venues.records).toHaveLength(2)
})
