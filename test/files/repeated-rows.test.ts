import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { workbook } from '../support/workbooks.ts'

const starts = async ({ calctl }: ReturnType<typeof calendarWithFiles>) =>
  (await calctl('events list --all-dates --all --fields start_date,end_date -o csv')).out.trim().split('\n').slice(1)

const tuesdays = (...days: string[]) => days.map(day => `2027-${day} 18:00:00,2027-${day} 19:30:00`)

test.each([
  ['Títol,Data,Hora,Hora fi,Repeteix,Repeteix fins,Excepte', 'cada dimarts,"9 de febrer","26 de gener"'],
  ['Título,Fecha,Hora,Hora fin,Repetición,Repite hasta,Excepto', 'cada martes,09/02/2027,26/01/2027'],
  ['Title,Date,Time,End time,Repeat,Repeat until,Except', 'every Tuesday,2027-02-09,2027-01-26'],
  ['Title,Date,Time,End time,Repeat', '"every Tuesday until 9 February, except 26 January"'],
  ['Title,Date,Time,End time,Repeats,Except', '"FREQ=WEEKLY;COUNT=5","26 January"'],
])('a row that repeats is an event on each day: %s', async (headings, cells) => {
  const site = calendarWithFiles()
  const sheet = site.file('curs.csv', `${headings}\nIoga,2027-01-12,18:00,19:30,${cells}\n`)
  const said = /curs\.csv: row 2: 4 dates, from Tue 12 Jan 2027 to Tue 9 Feb 2027; left out: Tue 26 Jan\n/
  const dryRun = await site.calctl(['diff', sheet])
  expect(dryRun).toMatchObject({ status: 0, out: expect.stringMatching(/4 to create/) })
  expect(dryRun.err).toMatch(said)
  expect(await site.calctl(['apply', sheet, '--yes'])).toMatchObject({ status: 0, err: expect.stringMatching(said) })
  expect(await starts(site)).toEqual(tuesdays('01-12', '01-19', '02-02', '02-09'))
  expect(await site.calctl(['diff', sheet])).toMatchObject({ out: expect.stringMatching(/^4 unchanged/m) })
  expect(await site.calctl('events series 2 -o ids')).toMatchObject({ status: 0, out: '1\n2\n3\n4\n' })
})

test('so is a row of a workbook, of a whole day, and with a slug', async () => {
  const site = calendarWithFiles()
  const bytes = await workbook({
    Full: [
      ['Title', 'Start date', 'Slug', 'Repeat', 'Repeat until', 'Except'],
      ['Fira', new Date('2027-01-12T00:00:00Z'), 'fira', 'weekly', new Date('2027-01-26T00:00:00Z'), null],
      ['Ball', new Date('2027-01-14T00:00:00Z'), 'ball', 'no', null, null],
    ],
  })
  expect(await site.calctl(['apply', site.file('curs.xlsx', bytes), '--yes'])).toMatchObject({ status: 0 })
  const { out } = await site.calctl('events list --all-dates --all --fields start_date,all_day,slug -o csv')
  expect(out.trim().split('\n').slice(1)).toEqual([
    '2027-01-12 00:00:00,true,fira-2027-01-12',
    '2027-01-14 00:00:00,true,ball',
    '2027-01-19 00:00:00,true,fira-2027-01-19',
    '2027-01-26 00:00:00,true,fira-2027-01-26',
  ])
})

test.each([
  [',every Tuesday,,', /row 2: "every Tuesday" has no end \(add the last day: Repeat until 2027-06-30\)/],
  [
    ',every so often,,',
    /row 2: Repeat: expected a repetition, .*, got "every so often" \(for example: every Tuesday\)/,
  ],
  [',every Tuesday,2027-01-01,', /row 2: 2027-01-01 is before the start/],
  [',every Tuesday until 26 January,,from 12 to 31 January', /row 2: no date of the series is left/],
  [',every Thursday until 26 January,,', /row 2: the rule .* does not match the start/],
  [',every Tuesday until June,,', /row 2: Repeat: .*can be read as.*2027-06-30 or .*2027-05-31/],
  [',,2027-02-09,', /row 2: Repeat: expected a repetition, such as .*, got ""/],
  ['7,every Tuesday until 26 January,,', /row 2: Repeat: only new events repeat/],
])('the row %s is refused alone, with what to write', async (cells, error) => {
  const site = calendarWithFiles()
  const sheet = site.file(
    'curs.csv',
    `Title,Date,Time,End time,ID,Repeat,Repeat until,Except\nIoga,2027-01-12,18:00,19:30,${cells}\nBall,2027-01-13,18:00,19:30,,,,\n`,
  )
  const { status, out, err } = await site.calctl(['diff', sheet])
  expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(error) })
  expect(out).toMatch(/1 to create, 1 invalid/)
})
