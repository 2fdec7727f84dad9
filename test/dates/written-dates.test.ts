import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

const day = '2027-12-05'
const afternoon = `${day} 19:30:00`

test.each([
  ['5 de desembre de 2027', day],
  ['5 desembre 2027', day],
  ['5 de desembre del 2027', day],
  ['diumenge, 5 de desembre de 2027', day],
  ['Diumenge 5 desembre 2027 a les 19.30 h', afternoon],
  ['5 des. 2027, 19.30 h', afternoon],
  ['5-Dec-2027', day],
  ['5-dic-27', day],
  ['5 dic 2027', day],
  ['5 de diciembre de 2027', day],
  ['domingo 5 de diciembre de 2027, 19:30 h', afternoon],
  ['5 December 2027', day],
  ['Sunday, December 5, 2027', day],
  ['Dec 5th 2027 7:30 pm', afternoon],
  ['1r d’abril de 2027', '2027-04-01'],
  ["12 d'abril de 2027", '2027-04-12'],
  ['7 d’ag. 2027', '2027-08-07'],
  ['3 MARÇ 2027', '2027-03-03'],
  ['05/12/2027 19.30 h', afternoon],
])('the date of an event can be written as %s, in a sheet and in an option', async (text, date) => {
  const { calctl, file, json } = await productionSite()
  const sheet = file('season.csv', `Títol\tData\nConcert\t${text}\n`)
  expect(await calctl(`apply ${sheet} --format tsv --date-order dmy --yes`)).toMatchObject({ status: 0 })
  const start_date = date.length > 10 ? date : `${date} 00:00:00`
  expect(await json('events get 1 --json')).toMatchObject({ start_date, all_day: date === day || date.length === 10 })
  if (/\d[/]\d/.test(text)) return
  await json(['events', 'create', '--title', 'A', '--start-date', text, '--end-date', '2027-12-31', '--json'])
  expect(await json('events get 2 --json')).toMatchObject({ start_date })
})

test.each([
  ['31 de juny de 2027', 'expected a day that exists (June 2027 has 30 days)'],
  ['dissabte 5 de desembre de 2027', 'expected the right day of the week (2027-12-05 is a Sunday)'],
  ['5 de desembra de 2027', 'expected a date and time'],
  ['5 desembre 19', 'expected a date and time'],
  ['5 de desembre de 2027, tarda', 'expected a date and time'],
])('%s is no date, which is said', async (text, sentence) => {
  const { calctl, file } = await productionSite()
  const sheet = file('season.csv', `Títol\tData\nConcert\t${text}\n`)
  const inSheet = await calctl(`apply ${sheet} --format tsv --yes`)
  expect([inSheet.status, inSheet.err]).toEqual([2, expect.stringContaining(`row 2: Data: ${sentence}, got "${text}"`)])
  const option = await calctl(['events', 'create', '--title', 'A', '--start-date', text, '--end-date', '2027-12-31'])
  expect([option.status, option.err]).toEqual([2, expect.stringContaining(`${sentence}, got "${text}"`)])
})

test('a file needs the year of a day, because it is read in another one than it was written', async () => {
  const { calctl, file } = await productionSite()
  const sheet = file('season.csv', 'Títol\tData\nConcert\t5 de desembre\n')
  const { status, err } = await calctl(`apply ${sheet} --format tsv --yes`)
  expect([status, err]).toEqual([
    2,
    expect.stringContaining('row 2: Data: expected a date with its year, got "5 de desembre"'),
  ])
})
