import { describe, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const feed = (...events: string[]) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Town//Feed//EN\n${events.join('\n')}\nEND:VCALENDAR\n`

const event = (uid: string, lines: string) => `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:Coral\n${lines}\nEND:VEVENT`

const weekly = 'DTSTART;TZID=Europe/Madrid:20261201T200000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY'
const choir = event('choir@town', `${weekly};COUNT=4`)

const summary = (out: string) => out.split('\n').at(-2)

describe('events that a feed no longer contains are trashed:', () => {
  test('a series that continues under another UID is not duplicated', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir))
    const later = weekly.replace('20261201', '20261216')
    const split = feed(
      event('choir@town', `${weekly};UNTIL=20261214T225959Z`),
      event('choir_R20261215@town', `${later};COUNT=2`),
    )
    const { out } = await calctl('diff --exit-code -', split)
    expect(out).toContain(
      '- "Coral", Tue 15 Dec 20:00 (3, no longer a date of "Coral")\n- "Coral", Tue 22 Dec 20:00 (4, no longer a date of "Coral")\n',
    )
    expect(summary(out)).toBe('2 to create, 2 to move to the trash, 2 unchanged')
    expect(await calctl('apply - --yes --jobs 1', split)).toMatchObject({ status: 0 })
    expect((await calctl('events list --fields start_date -o csv')).out).toBe(
      'start_date\n2026-12-01 20:00:00\n2026-12-08 20:00:00\n2026-12-16 20:00:00\n2026-12-23 20:00:00\n',
    )
    expect(await calctl('diff --exit-code -', split)).toMatchObject({ status: 0 })
  })

  test.each([
    [
      'is moved to another day',
      `${weekly.replace('20261201', '20261202')};COUNT=4`,
      '4 to create, 4 to move to the trash',
    ],
    ['is one event now', weekly.replace(/\nRRULE.*/, ''), '1 to create, 4 to move to the trash'],
    ['begins later', `${weekly.replace('20261201', '20261208')};COUNT=3`, '1 to move to the trash, 3 unchanged'],
    [
      'has two times on one day now',
      `${weekly};COUNT=4\nRDATE;TZID=Europe/Madrid:20261208T100000`,
      '2 to create, 1 to move to the trash, 3 unchanged',
    ],
  ])('a series that %s', async (_, lines, expected) => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir))
    expect(summary((await calctl('diff --exit-code -', feed(event('choir@town', lines)))).out)).toBe(expected)
  })

  test('an event that became a series', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(event('choir@town', weekly.replace(/\nRRULE.*/, ''))))
    expect(summary((await calctl('diff --exit-code -', feed(choir))).out)).toContain(
      '4 to create, 1 to move to the trash',
    )
  })
})

describe('of a series that was cut short, calctl keeps', () => {
  const short = feed(event('choir@town', `${weekly};COUNT=1`))

  test('past dates and dates after --until', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir.replace('20261201', '20261110')))
    const begun = short.replace('20261201', '20261110')
    expect(summary((await calctl('diff --exit-code -', begun)).out)).toContain('2 to move to the trash, 1 unchanged')
    expect(summary((await calctl('diff --exit-code - --until 2026-11-30', begun)).out)).toContain(
      '1 to move to the trash, 1 unchanged',
    )
    expect(summary((await calctl('diff --exit-code - --until 2026-11-20', begun)).out)).toContain('1 unchanged')
  })

  test('events of other people and of other feeds', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir))
    await calctl('events create --title Coral --start-date "2026-12-09 20:00" --end-date "2026-12-09 21:00"')
    expect(await calctl('diff --exit-code -', feed(event('other@town', `${weekly};COUNT=1`)))).toMatchObject({
      out: expect.not.stringContaining('to move to the trash'),
    })
    expect(summary((await calctl('diff --exit-code -', short)).out)).toContain('3 to move to the trash, 1 unchanged')
  })

  test('all of it if the feed has only a change, or a mistake in it', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir))
    const change = 'RECURRENCE-ID;TZID=Europe/Madrid:20261208T200000\nDTSTART;TZID=Europe/Madrid:20261208T210000'
    const alone = feed(event('choir@town', change))
    expect(summary((await calctl('diff --exit-code -', alone)).out)).not.toContain('trash')
    const wrong = feed(event('choir@town', `${weekly};COUNT=1`), event('choir@town', change.replace('T210000', 'T21')))
    expect(summary((await calctl('apply - --dry-run --skip-invalid', wrong)).out)).toMatch(/^1 invalid$/)
  })

  test('--prune trashes a dropped event once', async () => {
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', feed(choir))
    expect(summary((await calctl('diff --exit-code - --prune', short)).out)).toContain(
      '3 to move to the trash, 1 unchanged',
    )
  })
})

test('many events of a series are trashed only with --max-trash', async () => {
  const calctl = calendar()
  await calctl('apply - --yes', feed(choir.replace('COUNT=4', 'COUNT=20')))
  const short = feed(event('choir@town', `${weekly};COUNT=1`))
  expect(await calctl('apply - --yes', short)).toMatchObject({
    err: expect.stringContaining('this would remove 19 of 20 events, more than the limit of 30 %'),
  })
  expect(await calctl('apply - --yes --max-trash 19', short)).toMatchObject({ status: 0 })
})

test('at a site with many events only the days of the feed are read', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  const past = weekly.replace('20261201', '20200101')
  await calctl('apply - --yes', feed(event('past@town', `${past.replace('WEEKLY', 'DAILY')};COUNT=400`)))
  await calctl('apply - --yes', feed(choir))
  seen.length = 0
  expect(summary((await calctl('diff --exit-code -', feed(event('choir@town', `${weekly};COUNT=1`)))).out)).toContain(
    '3 to move to the trash',
  )
  expect(seen).toEqual([
    'GET /',
    'GET /calendar/events/v1/events',
    'GET /calendar/events/v1/events/by-slug/choir-town-c5ac198db2-20261201',
    'GET /calendar/events/v1/events',
    'GET /calendar/events/v1/events',
  ])
})
