import { rmSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const taller =
  'events create --title Taller --start-date "2026-12-01 18:00" --end-date 20:00 --repeat "every Tuesday until 29 December" --yes'

const lines = (text: string) => text.trim().split('\n').slice(1)

describe('a series', () => {
  let site: ReturnType<typeof calendarWithFiles>
  const shown = async (fields = 'start_date,title') =>
    lines((await site.calctl(`events list --all-dates --all --fields ${fields} -o csv`)).out)

  beforeEach(async () => {
    site = calendarWithFiles()
    await site.calctl('events create --title Other --start-date "2026-12-02 18:00" --duration 2h')
    expect(await site.calctl(taller)).toMatchObject({ status: 0 })
  })

  test('is listed by one of its events', async () => {
    expect(await site.calctl('events series 3 --fields id -o csv')).toEqual({
      status: 0,
      out: 'id\n2\n3\n4\n5\n6\n',
      err: 'the series has 5 events, from 2026-12-01 to 2026-12-29\n',
    })
  })

  test('is changed as one run, which is undone as one', async () => {
    const before = await shown()
    expect(await site.calctl('events update 3 --series --title Curs --yes')).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^the series has 5 events, .*\n5 to update\n5 done\. Undo: /),
    })
    expect((await shown('title')).toSorted()).toEqual([...Array(5).fill('Curs'), 'Other'])
    expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
    expect(await shown()).toEqual(before)
  })

  test.each([
    ['update 4 --from-here --title Curs', '4 5 6'],
    ['update 2 --from-here --title Curs', '2 3 4 5 6'],
    ['update 6 --from-here --title Curs', '6'],
  ])('events %s changes %s', async (line, ids) => {
    expect(await site.calctl(`events ${line} --yes`)).toMatchObject({ status: 0 })
    expect((await shown('id,title')).flatMap(row => (row.endsWith('Curs') ? row.split(',')[0] : []))).toEqual(
      ids.split(' '),
    )
  })

  test.each([
    ['2026-12-09', [2, 9, 16, 23, 30], '18:00'],
    ['9 December 20:30', [2, 9, 16, 23, 30], '20:30'],
    ['20:30', [1, 8, 15, 22, 29], '20:30'],
  ])('moved to %s, each event moves by as many days, and all to the hour', async (to, days, hour) => {
    await site.calctl('events move 5 17:00')
    expect(await site.calctl(['events', 'move', '3', to, '--series', '--yes'])).toMatchObject({ status: 0 })
    const hourOf = (day: number) => (hour === '18:00' && day === 23 ? '17:00' : hour)
    expect((await shown()).filter(row => row.endsWith('Taller'))).toEqual(
      days.map(day => `2026-12-${String(day).padStart(2, '0')} ${hourOf(day)}:00,Taller`),
    )
  })

  test.each([
    ['--start-date 20:00', '20:00', '22:00'],
    ['--start-date 20:00 --end-date 21:30', '20:00', '21:30'],
    ['--start-date 20:00 --duration 1h', '20:00', '21:00'],
    ['--end-date 21:30', '18:00', '21:30'],
    ['--duration 1h', '18:00', '19:00'],
  ])('update --from-here %s changes the hour of each on its own day', async (options, from, until) => {
    expect(await site.calctl(`events update 4 --from-here ${options} --yes`)).toMatchObject({ status: 0 })
    expect((await shown('start_date,end_date,title')).filter(row => row.endsWith('Taller'))).toEqual(
      [1, 8, 15, 22, 29].map(day => {
        const date = `2026-12-${String(day).padStart(2, '0')}`
        const [first, last] = day < 15 ? ['18:00', '20:00'] : [from, until]
        return `${date} ${first}:00,${date} ${last}:00,Taller`
      }),
    )
  })

  test('update --series --start-date with a day moves each by as many days, and an end with a day is refused', async () => {
    expect(await site.calctl('events update 3 --series --start-date 2026-12-09 --yes')).toMatchObject({ status: 0 })
    expect((await shown()).filter(row => row.endsWith('Taller'))).toEqual(
      ['02', 9, 16, 23, 30].map(day => `2026-12-${String(day).padStart(2, '0')} 18:00:00,Taller`),
    )
    expect(await site.calctl('events update 3 --series --end-date "2026-12-09 21:00" --yes')).toMatchObject({
      status: 2,
      err: expect.stringContaining(
        '--end-date would put all events of the series on one day\nhint: give the hour alone',
      ),
    })
  })

  test.each([
    ['cancel 3 --series --reason Rain', 'uncancel 3 --series', 'event_status'],
    ['unpublish 3 --series', 'publish 3 --series', 'status'],
  ])('events %s, and events %s', async (line, reverse, field) => {
    const before = await shown(`id,${field}`)
    expect(await site.calctl(`events ${line} --yes`)).toMatchObject({ status: 0 })
    expect(await shown(`id,${field}`)).not.toEqual(before)
    expect(await site.calctl(`events ${reverse} --yes`)).toMatchObject({ status: 0 })
    expect(await shown(`id,${field}`)).toEqual(before)
  })

  test('is deleted from an event on; what is in the trash stays there', async () => {
    expect(await site.calctl('events delete 5 --from-here --yes')).toMatchObject({
      status: 0,
      err: expect.stringContaining('2 done'),
    })
    expect(await shown('id')).toEqual(['2', '1', '3', '4'])
    expect(await site.calctl('events update 2 --series --title Curs --yes')).toMatchObject({
      status: 0,
      err: expect.stringMatching(
        /^the series has 3 events, .*\n2 others were removed before, and stay so\n3 to update/,
      ),
    })
  })

  test('has also the events whose title or hour was edited, and names them', async () => {
    await site.calctl('events update 4 --title "Taller obert"')
    await site.calctl('events move 5 19:00')
    expect(await site.calctl('events series 2 -o ids')).toEqual({
      status: 0,
      out: '2\n3\n4\n5\n6\n',
      err:
        'the series has 5 events, from 2026-12-01 to 2026-12-29\n' +
        'with another title or hour: "Taller obert", Tue 15 Dec 18:00 (4) and "Taller", Tue 22 Dec 19:00 (5)\n',
    })
  })

  test.each([
    ['update 1 --series --title Curs', '"Other" (1) is not part of a series', /leave out --series/],
    ['series 1', '"Other" (1) is not part of a series', /--search Other/],
    ['update 2 3 --series --title Curs', '--series takes one event of the series', /cancel 12 --series/],
    ['cancel --on saturday --from-here', '--from-here takes one event of the series', /cancel 12 --from-here/],
  ])('events %s is refused', async (line, error, hint) => {
    const before = await shown()
    const { status, err } = await site.calctl(`events ${line} --yes`)
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(error) })
    expect(err).toMatch(hint)
    expect(await shown()).toEqual(before)
  })
})

/** Events that no journal knows, as they are on another machine. */
test.each([
  ['weekly', ['2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22'], 4],
  ['weekly with a pause over Christmas', ['2026-12-15', '2026-12-22', '2027-01-12', '2027-01-19'], 4],
  ['on two weekdays', ['2026-12-01', '2026-12-03', '2026-12-08', '2026-12-10', '2026-12-15'], 5],
  ['on each first Saturday', ['2026-12-05', '2027-01-02', '2027-02-06'], 3],
  ['every ten days', ['2026-12-01', '2026-12-11', '2026-12-21', '2026-12-31'], 4],
  ['on three days in a row', ['2026-12-01', '2026-12-02', '2026-12-03'], 3],
  ['on the 15th', ['2026-12-15', '2027-01-15', '2027-02-15'], 3],
  ['weekly, and once besides', ['2026-12-01', '2026-12-08', '2026-12-10', '2026-12-15'], 3],
  ['on two days without a rhythm', ['2026-12-01', '2026-12-04'], 0],
  ['without a rhythm', ['2026-12-01', '2026-12-04', '2026-12-18', '2026-12-30'], 0],
  ['each year', ['2026-12-01', '2027-12-01', '2028-12-01'], 0],
])('without journals, events %s are recognized by title, place and hour', async (_, days, count) => {
  const { calctl } = calendarWithFiles()
  const { ask } = calctl
  const event = (title: string, start: string) => ({
    title,
    start_date: start,
    end_date: start.replace(/.{5}$/, '22:00'),
  })
  for (const day of days) await ask('POST /events', event('Taller', `${day} 18:00`))
  await ask('POST /events', event('Taller', '2026-12-08 10:00'))
  await ask('POST /events', event('Other', '2026-12-08 18:00'))
  const { status, out } = await calctl('events series 1 -o ids')
  expect([status, out.split('\n').length - 1]).toEqual(count === 0 ? [2, 0] : [0, count])
})

const feed = (dates: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:ioga@club.cat\r\nDTSTAMP:20261101T000000Z\r\nSUMMARY:Ioga\r\nDTSTART:20261201T180000Z\r\nDTEND:20261201T190000Z\r\n${dates}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

test('the dates of a rule in a feed are a series, also those of later runs, and without journals', async () => {
  const site = calendarWithFiles()
  await site.calctl(['apply', site.file('club.ics', feed('RRULE:FREQ=DAILY;COUNT=2')), '--yes'])
  await site.calctl(['apply', site.file('club.ics', feed('RRULE:FREQ=DAILY;COUNT=3')), '--yes'])
  await site.calctl('events create --title Ioga --start-date "2026-12-08 19:00" --duration 1h')
  await site.calctl('events update 2 --title "Ioga suau"')
  expect(await site.calctl('events series 1 -o ids')).toMatchObject({ status: 0, out: '1\n2\n3\n' })
  await site.calctl('events update 2 --title Ioga')
  rmSync(site.path('state'), { recursive: true })
  expect(await site.calctl('events series 1 -o ids')).toMatchObject({ status: 0, out: '1\n2\n3\n' })
})

test('dates that people write in slugs make no series', async () => {
  const { calctl } = calendarWithFiles()
  for (const [title, day] of [
    ['Nadal', '2026-12-05'],
    ['Reis', '2027-01-02'],
  ])
    await calctl(
      `events create --title ${title} --slug concert-${day?.replaceAll('-', '')} --start-date "${day} 18:00" --duration 1h`,
    )
  expect(await calctl('events series 1')).toMatchObject({ status: 2 })
})

test('what a journal knows of a calendar that was replaced since counts for nothing', async () => {
  const site = calendarWithFiles()
  await site.calctl(taller)
  const replaced = calendar({ env: { XDG_STATE_HOME: site.path('state'), NO_COLOR: '1' } })
  for (const title of ['Ball', 'Cinema', 'Fira'])
    await replaced.ask('POST /events', { title, start_date: '2027-05-01 10:00', end_date: '2027-05-01 12:00' })
  expect(await replaced('events series 2')).toMatchObject({ status: 2 })
})
