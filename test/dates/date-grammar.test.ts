import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDayAndTime, readMonthOf } from '../../src/base/time/date-grammar.ts'
import { readPeriod } from '../../src/base/time/date-periods.ts'
import { readMonth } from '../../src/base/time/typed-dates.ts'
import { productionSite } from '../support/production-site.ts'

const now = '2026-11-21 12:00:00'

/** The rows of the tables in docs/dates.md below a heading: a text, and what stands in the second column. */
function examplesUnder(heading: string): [text: string, meaning: string][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/dates.md'), 'utf8')
  const section = page.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].flatMap(([, texts = '', meaning = '']) =>
    [...texts.matchAll(/`([^`]+)`/g)].map(([, text = '']): [string, string] => [text, meaning]),
  )
}

function read(text: string, at = now): string {
  const reading = readDayAndTime(text, { now: at, order: 'dmy', isTyped: true, isOfDay: !text.startsWith('5.') })
  if (!reading) return 'unreadable'
  if (!reading.ok) return 'readings' in reading ? reading.readings.join(', ') : reading.expected
  return [reading.day, reading.time?.slice(0, 5)].filter(part => part !== undefined).join(' ')
}

for (const heading of ['Days', 'Times', 'What is doubtful'])
  describe(`docs/dates.md, ${heading}`, () => {
    const examples = examplesUnder(heading)
    test('has examples', () => expect(examples.length).toBeGreaterThan(10))
    test.each(examples)('%s is %s', (text, meaning) => expect(read(text)).toBe(meaning))
  })

describe('docs/dates.md, From and to', () => {
  const point = ({ day, time }: { day?: string; time?: string }) =>
    [day, time?.slice(0, 5)].filter(part => part !== undefined).join(' ')
  test.each(examplesUnder('From and to'))('%s is %s', (text, meaning) => {
    const period = readPeriod(text, { now, order: 'dmy', isTyped: true })
    if (!period?.ok) throw new Error('unreadable')
    const end = period.isAllDay ? ' all day' : ` to ${point(period.end ?? {})}`
    expect(`${point(period)}${end}`).toBe(meaning)
  })
})

test.each([
  ['monday', '2026-11-23 09:00:00', '2026-11-23, 2026-11-30'],
  ['monday', '2026-11-25 09:00:00', '2026-11-30'],
  ['next monday', '2026-11-25 09:00:00', '2026-11-30'],
  ['next friday', '2026-11-25 09:00:00', '2026-11-27, 2026-12-04'],
  ['next friday', '2026-11-27 09:00:00', '2026-12-04'],
  ['this friday', '2026-11-25 09:00:00', '2026-11-27'],
  ['friday next week', '2026-11-25 09:00:00', '2026-12-04'],
  ['friday this week', '2026-11-28 09:00:00', '2026-11-27'],
  ['+1 month', '2027-01-31 09:00:00', 'a day that exists (February 2027 has 28 days)'],
  ['29 feb', '2027-01-31 09:00:00', 'a day that exists (February 2027 has 28 days)'],
])('"%s" on %s is %s', (text, at, meaning) => expect(read(text, at)).toBe(meaning))

test.each([
  ['12/25/2026', '2026-12-25'],
  ['Sat 12/5', '2026-12-05'],
  ["Cap d'Any", '2027-01-01, 2026-12-31'],
  ['tomorrow 9', 'unreadable'],
  ['Sunday 5 December 2026', 'the right day of the week (2026-12-05 is a Saturday)'],
  ['31/11/2026', 'a day that exists (November 2026 has 30 days)'],
  ['31/11/26', 'a day that exists (November 2026 has 30 days)'],
  ['Sunday 28', 'the right day of the week (2026-11-28 is a Saturday)'],
  ['saturday 14', 'the right day of the week (2026-12-14 is a Monday)'],
  ['saturday 32', 'a day of this month or the next'],
  ['monday midnight', '2026-11-23 00:00, 2026-11-24 00:00'],
  ['24:30', 'unreadable'],
  ['30 February', 'a day that exists (February 2026 has 28 days)'],
  ['3 days', 'unreadable'],
  ['next week', 'unreadable'],
  ['soon', 'unreadable'],
  ['', 'unreadable'],
  ['in 2 hours 19:00', 'unreadable'],
  ['+999999y', 'a year up to 9999'],
])('"%s" is refused: %s', (text, meaning) => expect(read(text)).toBe(meaning))

test.each(['tomorrow', 'demà', '+3d', 'monday'])('a file cannot say "%s"', text => {
  expect(readDayAndTime(text, {})).toMatchObject({ ok: false, expected: 'a date that does not depend on today' })
})

test.each([
  ...examplesUnder('Weeks and months'),
  ['el pròxim', '2026-12'],
  ['mes següent', '2026-12'],
  ['this', '2026-11'],
  ['1.2027', '2027-01'],
  ['12-2026', '2026-12'],
  ['2026/12', '2026-12'],
  ['desembre, 2026', '2026-12'],
  ['dec/2026', '2026-12'],
])('the month "%s" is %s', (text, month) => expect(readMonth(text, now)).toEqual({ ok: true, day: `${month}-01` }))

test.each(['13', '13/2026', '0/2026', 'month', 'next next', '12/26', 'constructor'])('"%s" is no month', text =>
  expect(readMonthOf(text, now)).toBeUndefined(),
)

test.each(['constructor', '__proto__'])('"%s" is no day', text => {
  expect(readDayAndTime(text, { now, order: 'dmy', isTyped: true })).toBeUndefined()
})

test('a month without a year that is past is that of the next year', () => {
  expect(readMonthOf('3', now)).toEqual({ ok: true, day: '2027-03-01' })
})

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
])('%s is no date, which is said', async (text, sentence) => {
  const { calctl, file } = await productionSite()
  const sheet = file('season.csv', `Títol\tData\nConcert\t${text}\n`)
  const inSheet = await calctl(`apply ${sheet} --format tsv --yes`)
  expect([inSheet.status, inSheet.err]).toEqual([2, expect.stringContaining(`row 2: Data: ${sentence}, got "${text}"`)])
  const option = await calctl(['events', 'create', '--title', 'A', '--start-date', text, '--end-date', '2027-12-31'])
  expect([option.status, option.err]).toEqual([2, expect.stringContaining(`${sentence}, got "${text}"`)])
})

test.each(['5 de desembre', '5/12', 'del 5 al 7 de desembre', '5 i 6 de desembre'])(
  'a file needs the year of %s, because it is read in another one than it was written',
  async day => {
    const { calctl, file } = await productionSite()
    const sheet = file('season.csv', `Títol\tData\nConcert\t${day}\n`)
    expect(await calctl(`apply ${sheet} --format tsv --yes`)).toEqual({
      status: 2,
      out: '',
      err: `error: ${sheet}: the dates have no year, for example ${day} (row 2, Data)
hint: add the year, or say from which day they count: --dates-from 2026-11-21
`,
    })
    const mixed = file('season.csv', `Títol\tData\nConcert\t${day}\nRecital\t13/12/2026\n`)
    const { status, err } = await calctl(`apply ${mixed} --format tsv --yes`)
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`row 2: Data: expected a date with its year, got "${day}"`),
    ])
  },
)

test('with --dates-from, a day without a year is the first such day from then on, whenever the file is read', async () => {
  const { calctl, json, file } = await productionSite()
  const days = ['5/12', '20/1', '1 de febrer', 'dissabte 5 de desembre', 'del 28 de desembre al 3 de gener', '29/2']
  const rows = days.map((day, index) => `Concert ${index}\t${day}\n`).join('')
  const sheet = file('season.csv', `Títol\tData\n${rows}`)
  const apply = (from: string) => calctl(`apply ${sheet} --format tsv --yes --dates-from ${from}`)
  const { status, err } = await apply('2026-12-01')
  expect([status, err]).toEqual([2, expect.stringContaining('row 7: Data: expected a day that exists')])
  expect(await apply('2027-05-01')).toMatchObject({
    err: expect.stringContaining('expected the right day of the week (2027-12-05 is a Sunday)'),
  })
  file('season.csv', `Títol\tData\n${rows.replace(/.*29\/2\n/, '')}`)
  expect(await apply('2026-12-01')).toMatchObject({ status: 0 })
  const events = await json('events list --all-dates --json')
  const spans = events.map(({ start_date, end_date }: Record<string, string>) => [start_date, end_date].join())
  expect(spans).toEqual([
    '2026-12-05 00:00:00,2026-12-05 23:59:59',
    '2026-12-05 00:00:00,2026-12-05 23:59:59',
    '2026-12-28 00:00:00,2027-01-03 23:59:59',
    '2027-01-20 00:00:00,2027-01-20 23:59:59',
    '2027-02-01 00:00:00,2027-02-01 23:59:59',
  ])
  expect(await apply('2026-12-01')).toMatchObject({ status: 0, err: expect.stringContaining('5 unchanged') })
})

test.each(['--until', '--dates-from'])('%s without a date is refused', async option => {
  const { calctl, file } = await productionSite()
  const sheet = file('season.csv', 'Títol,Data\nConcert,2026-12-05\n')
  const { status, err } = await calctl(['diff', sheet, option, ''])
  expect([status, err]).toEqual([2, expect.stringContaining(`error: ${option}: expected a date, got ""\n`)])
})
