import { expect, test } from 'vitest'
import { readLength } from '../../src/base/time/durations.ts'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'

test.each([
  ['2h', 120],
  ['90m', 90],
  ['1h30', 90],
  ['1h30m', 90],
  ['1h 30 min', 90],
  ['2 hours', 120],
  ['2 hores', 120],
  ['1,5 h', 90],
  ['3d', 3 * 1440],
  ['1d 2h', 1440 + 120],
  ['1w', 7 * 1440],
  ['2 dies', 2 * 1440],
  ['30 minuts', 30],
  ['dues hores', 120],
  ['1 hora i mitja', 90],
  ['Una hora i mitja', 90],
  ['hora y media', 90],
  ['two hours', 120],
  ['two and a half hours', 150],
  ['mitja hora', 30],
  ['dues hores i quinze minuts', 135],
])('%s is a length', (text, minutes) => {
  expect(readLength(text)).toBe(minutes * 60_000)
})

test.each(['90', '', 'h', '0h', '2x', 'h30', '1d30', '-2h', 'moltes hores'])('"%s" is no length', text => {
  expect(readLength(text)).toBeUndefined()
})

const shown = '--fields start_date,end_date,all_day -o ndjson'

test.each([
  ['--start-date "2026-12-05 19:00" --duration 2h', '2026-12-05 19:00:00', '2026-12-05 21:00:00', false],
  ['--start-date "2026-12-05 23:00" --duration 1h30', '2026-12-05 23:00:00', '2026-12-06 00:30:00', false],
  // Clocks go forward at 2:00.
  ['--start-date "2027-03-28 01:30" --duration 1h', '2027-03-28 01:30:00', '2027-03-28 03:30:00', false],
  // Clocks go back at 3:00.
  ['--start-date "2026-10-24 10:00" --duration 1d', '2026-10-24 10:00:00', '2026-10-25 10:00:00', false],
  ['--start-date "2026-10-24 22:00" --duration 1d2h', '2026-10-24 22:00:00', '2026-10-26 00:00:00', false],
  ['--start-date 2026-12-05 --all-day', '2026-12-05 00:00:00', '2026-12-05 23:59:59', true],
  ['--start-date 2026-12-05 --all-day --duration 3d', '2026-12-05 00:00:00', '2026-12-07 23:59:59', true],
  ['--start-date "2026-12-05 19:00" --end-date 21:00', '2026-12-05 19:00:00', '2026-12-05 21:00:00', false],
  ['--start-date "tomorrow 19:00" --end-date 21h30', '2026-11-22 19:00:00', '2026-11-22 21:30:00', false],
])('events create %s', async (options, start, end, allDay) => {
  for (const quirks of [false, true]) {
    const { status, out, err } = await calendar({ quirks })(`events create --title Concert ${options} ${shown}`)
    expect([status, err.includes('error')]).toEqual([0, false])
    expect(JSON.parse(out)).toEqual({ start_date: start, end_date: end, all_day: allDay })
  }
})

test('events update --duration moves the end alone, of each event by its own start', async () => {
  const calctl = calendar()
  for (const hour of ['18', '20'])
    await calctl(`events create --title Concert --start-date "2026-12-05 ${hour}:00" --duration 1h`)
  await calctl('events update 1 --duration 3h')
  expect((await calctl(`events get 1 ${shown}`)).out).toContain('"end_date":"2026-12-05 21:00:00"')
  await calctl('events update 1 --start-date "2026-12-06 10:00" --duration 2h')
  expect((await calctl(`events get 1 ${shown}`)).out).toContain('06 10:00:00","end_date":"2026-12-06 12:00:00"')
  expect((await calctl('events update - --duration 30m --yes', '1\n2\n')).status).toBe(0)
  expect((await calctl(`events get 2 ${shown}`)).out).toContain('"end_date":"2026-12-05 20:30:00"')
})

test('an event that becomes an all-day one loses its hours without a word', async () => {
  const calctl = calendar()
  await calctl('events create --title Fira --start-date "2026-12-05 18:00" --duration 1h')
  expect((await calctl('events update 1 --all-day --duration 2d')).err).not.toContain('left out')
  expect((await calctl(`events get 1 ${shown}`)).out).toBe(
    '{"start_date":"2026-12-05 00:00:00","end_date":"2026-12-06 23:59:59","all_day":true}\n',
  )
})

test('a series takes the length of its events', async () => {
  const calctl = calendar()
  const rule = '--repeat "FREQ=DAILY;COUNT=2" --yes'
  expect((await calctl(`events create --title Nit --start-date "2026-12-05 22:00" --duration 3h ${rule}`)).status).toBe(
    0,
  )
  expect((await calctl(`events list --fields end_date -o csv`)).out).toBe(
    'end_date\n2026-12-06 01:00:00\n2026-12-07 01:00:00\n',
  )
})

test.each([
  ['--duration 2h --end-date "2026-12-05 21:00"', 'error: --duration and --end-date cannot be used together'],
  ['--duration 90', 'error: --duration: "90" can be read as 1h30 or as 90h'],
  ['--all-day --duration 5h', 'error: --duration: an all-day event lasts whole days'],
])('events create with %s is refused', async (options, error) => {
  const { status, err } = await calendar()(`events create --title Concert --start-date "2026-12-05 19:00" ${options}`)
  expect([status, err]).toEqual([2, expect.stringContaining(error)])
})

test.each([
  '--start-date "tomorrow 19:00" --end-date 21h',
  '--start-date "2026-12-05 19:00" --duration 2h',
  '--start-date "5 dec 2026 19:00" --end-date "5 dec 2026 21:00"',
  '--start-date 2026-12-05 --all-day',
])('a new event is in the time zone of the site, not in that of this machine: %s', async dates => {
  const { calctl } = await productionSite({ zone: 'America/New_York' })
  const { out } = await calctl(`events create --title A ${dates} --fields timezone -o ndjson`)
  expect(JSON.parse(out)).toEqual({ timezone: 'America/New_York' })
})

test('with an offset, the instant is kept in the time zone of the site', async () => {
  const { calctl } = await productionSite({ zone: 'America/New_York' })
  const { out } = await calctl(
    'events create --title A --start-date 2026-12-05T19:00Z --duration 2h --fields start_date,end_date,timezone -o ndjson',
  )
  expect(JSON.parse(out)).toEqual({
    start_date: '2026-12-05 14:00:00',
    end_date: '2026-12-05 16:00:00',
    timezone: 'America/New_York',
  })
})

test('an end after midnight with the time alone is on the next day, up to twelve hours after the start', async () => {
  const calctl = calendar()
  const create = (end: string) =>
    calctl(['events', 'create', '--title', 'Ball', '--start-date', '2026-12-05 19h', '--end-date', end])
  expect((await create('01h')).err).toContain('"01h" after 19:00 is on the next day: 2026-12-06 01:00')
  expect((await create('2026-12-05 01:00')).err).toContain(
    'hint: if it ends on the next day: --end-date "2026-12-06 01:00" or --duration 6h\n',
  )
  expect((await create('18:45')).err).toContain('"18:45" is not after the start, 2026-12-05 19:00')
  expect((await create('midnight')).status).toBe(0)
  expect((await calctl('events get 2 --fields end_date -o tsv')).out).toContain('2026-12-06 00:00:00')
})

test('an event is not moved out of the years that dates have', async () => {
  const calctl = calendar()
  await calctl('events create --title Ball --start-date "2026-12-05 19:00" --duration 2h')
  expect(await calctl('events update 1 --shift 3000000d')).toEqual({
    status: 2,
    out: '',
    err: 'error: --shift: 2026-12-05 19:00:00 cannot move further than the years 1 to 9999\nhint: for example: --shift +7d\n',
  })
})

test('an event on the last of all days is created, and found when the file is applied again', async () => {
  const calctl = calendar()
  const sheet = 'title,start_date,end_date\nBall,9999-12-31 19:00,9999-12-31 21:00\n'
  for (const counts of ['1 to create', '1 unchanged'])
    expect(await calctl('apply - --format csv --yes', sheet)).toMatchObject({
      status: 0,
      err: expect.stringContaining(counts),
    })
})
