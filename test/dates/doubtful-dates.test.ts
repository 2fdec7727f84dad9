import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const down = '\u001b[B'

test('a day that can be two is asked for at a terminal, with full dates, and the command goes on with the answer', async () => {
  for (const quirks of [false, true]) {
    const { calctl } = calendarWithFiles({
      terminal: 160,
      quirks,
      keys: [[down, '❯ Saturday, 28 November 2026', '\r']],
    })
    const { status, err } = await calctl('events create --title Ball --start-date "saturday 22:00" --duration 2h')
    expect(err).toContain('What does "saturday 22:00" mean?')
    expect([status, err]).toEqual([0, expect.stringContaining('Created "Ball", Sat 28 Nov 22:00')])
  }
})

test('Ctrl-C at this question ends the command like any other', async () => {
  const { calctl } = calendarWithFiles({ terminal: 160, keys: ['\u0003'] })
  const { status, err } = await calctl('events create --title Ball --start-date "saturday 22:00" --duration 2h')
  expect([status, err]).toEqual([130, expect.stringMatching(/What does[\s\S]*error: interrupted/)])
})

test('the list of full dates is in the language of the interface', async () => {
  const { calctl } = calendarWithFiles({ terminal: 160, keys: [[down, '❯ dissabte, 28 de novembre de 2026', '\r']] })
  const { status, err } = await calctl('events list --ui ca --on=dissabte')
  expect([status, err]).toEqual([0, expect.stringContaining('Què vol dir "dissabte"?')])
})

test('a condition and a list of days are asked for as well', async () => {
  const { calctl } = calendarWithFiles({ terminal: 160, keys: ['\r', '\r'] })
  for (const option of ['--where "start_date>saturday"', '--from saturday'])
    expect(await calctl(`events list ${option}`)).toMatchObject({
      status: 0,
      err: expect.stringContaining('What does'),
    })
})

test.each([
  ['5 de desembre, de 18 a 20 h', ['2026-12-05 18:00:00', '2026-12-05 20:00:00', false]],
  ['demà de 10 a 2 del migdia', ['2026-11-22 10:00:00', '2026-11-22 14:00:00', false]],
  ['5/12 de 22 a 2 h', ['2026-12-05 22:00:00', '2026-12-06 02:00:00', false]],
  ['5/12 tot el dia', ['2026-12-05 00:00:00', '2026-12-05 23:59:59', true]],
  ['del 5 al 8 de desembre', ['2026-12-05 00:00:00', '2026-12-08 23:59:59', true]],
])('"%s" as a start is the whole time of an event', async (text, [start_date, end_date, all_day]) => {
  const { calctl } = calendarWithFiles({})
  const { out } = await calctl(['events', 'create', '--title', 'A', '--start-date', text, '--json', '--yes'])
  expect(JSON.parse(out)).toMatchObject({ start_date, end_date, all_day })
})

test.each([
  ['de 18 a 20 h', 'has no day'],
  ['dilluns de deu a dues', '2026-11-23 10:00-14:00 or as 2026-11-23 22:00-02:00'],
  ['passat festes', 'expected a date and time'],
])('"%s" as a start is refused where nobody can be asked', async (text, message) => {
  const { calctl } = calendarWithFiles({})
  expect(await calctl(['events', 'create', '--title', 'A', '--start-date', text])).toMatchObject({
    status: 2,
    err: expect.stringContaining(message),
  })
})

test('an end that can be two hours is the one after the start, for a new event and for another end', async () => {
  const { calctl } = calendarWithFiles({})
  const json = async (words: string[]) => JSON.parse((await calctl([...words, '--json', '--yes'])).out)
  const line = ['events', 'create', '--title', 'A', '--start-date', '5/12 20:00', '--end-date']
  for (const end of ['a les deu', '5/12 a les deu'])
    expect(await json([...line, end])).toMatchObject({ end_date: '2026-12-05 22:00:00' })
  const { id } = await json([...line, '21:00'])
  expect(await json(['events', 'update', String(id), '--end-date', 'a les deu'])).toMatchObject({
    end_date: '2026-12-05 22:00:00',
  })
  const morning = ['events', 'create', '--title', 'A', '--start-date', '5/12 9:00', '--end-date', 'a les deu']
  expect(await calctl(morning)).toMatchObject({
    status: 2,
    err: expect.stringContaining('2026-12-05 10:00 or as 2026-12-05 22:00'),
  })
})

test('a start that says the end as well excludes another end', async () => {
  const { calctl } = calendarWithFiles({})
  const line = ['events', 'create', '--title', 'A', '--start-date', '5/12 de 18 a 20 h', '--end-date', '5/12 21:00']
  expect(await calctl(line)).toMatchObject({ status: 2, err: expect.stringContaining('hint: leave out --end-date') })
})

test.each([
  ['--on 3/2', '"3/2" is read as 3 February 2027\n'],
  ['--on "3/2" --ui ca', '"3/2" es llegeix com a 3 de febrer de 2027\n'],
  ['--from 5/12 --to 3/2', '"5/12 – 3/2" is read as 5 December 2026 to 3 February 2027\n'],
  ['--on 5/12', ''],
  ['--on 2027-02-03', ''],
  ['--on 3/2/2027', ''],
])('the year of days in a list is said if it is not this year: %s', async (options, notice) => {
  const { calctl } = calendarWithFiles({})
  expect(await calctl(`events list ${options} -o csv`)).toMatchObject({ status: 0, err: notice })
})
