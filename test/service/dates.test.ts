import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

test.each([
  ['2026-12-05 19:00:00', '2026-12-05 19:00:00', '2026-12-05 18:00:00'],
  ['2026-12-05T19:00:00', '2026-12-05 19:00:00', '2026-12-05 18:00:00'],
  ['2026-12-05 19:00', '2026-12-05 19:00:00', '2026-12-05 18:00:00'],
  ['2026-12-05', '2026-12-05 00:00:00', '2026-12-04 23:00:00'],
  ['2026-12-05T19:00:00Z', '2026-12-05 20:00:00', '2026-12-05 19:00:00'],
  ['2026-12-05T19:00:00-05:00', '2026-12-06 01:00:00', '2026-12-06 00:00:00'],
  ['2026-07-05 19:00:00', '2026-07-05 19:00:00', '2026-07-05 17:00:00'],
  ['2027-03-28 02:30:00', '2027-03-28 03:30:00', '2027-03-28 01:30:00'],
  ['2027-10-31 02:30:00', '2027-10-31 02:30:00', '2027-10-31 01:30:00'],
  ['2027-10-31T02:30:00+02:00', '2027-10-31 02:30:00', '2027-10-31 00:30:00'],
  ['1890-01-01 10:00:00', '1890-01-01 10:00:00', '1890-01-01 10:14:44'],
  ['1500-01-01 10:00:00', '1500-01-01 10:00:00', '1500-01-01 10:14:44'],
])('in Madrid %s is read as %s, %s UTC', async (start_date, wall, utc) => {
  const { ask } = testService()
  const { body } = await ask('POST /events', { json: { ...concert, start_date, end_date: '9999-01-01' } })
  expect(body).toMatchObject({ start_date: wall, utc_start_date: utc })
})

test.each([
  'tomorrow',
  '05/12/2026',
  '2027-02-30',
  '2026-12-05 24:00',
  '2026-12-05T19:00+24:00',
  '2026-12-05T19:00-01:60',
  '2026-13-01',
  '0000-01-01',
  '',
])('the date "%s" is refused', async start_date => {
  const { ask } = testService()
  expect((await ask('POST /events', { json: { ...concert, start_date } })).body.data.params).toHaveProperty(
    'start_date',
  )
})

test.each([
  { start_date: '0001-01-01T00:00+01:00' },
  { end_date: '9999-12-31T23:59-01:00' },
  { date: '0001-01-01T00:00+01:00' },
  { date_utc: '9999-12-31 23:30:00' },
])('dates outside the years 1 to 9999, in the zone or in UTC, are refused: %o', async dates => {
  const { ask } = testService()
  const { body } = await ask('POST /events', { json: { ...concert, ...dates } })
  expect(Object.keys(body.data.params)).toEqual(Object.keys(dates))
})

test.each([
  ['UTC', '2026-07-05 10:00:00', 'UTC'],
  ['UTC+1', '2026-07-05 09:00:00', 'UTC+1'],
  ['UTC-3', '2026-07-05 13:00:00', 'UTC-3'],
  ['UTC+5.5', '2026-07-05 04:30:00', 'UTC+5.5'],
  ['UTC+5:30', '2026-07-05 04:30:00', 'UTC+5:30'],
  ['europe/madrid', '2026-07-05 08:00:00', 'CEST'],
  ['America/New_York', '2026-07-05 14:00:00', 'EDT'],
  ['CET', '2026-07-05 08:00:00', 'CEST'],
  ['', '2026-07-05 08:00:00', 'CEST'],
])('ten o’clock in "%s" is %s UTC', async (timezone, utc_start_date, timezone_abbr) => {
  const { ask } = testService()
  const json = { title: 'x', start_date: '2026-07-05 10:00', end_date: '2026-07-05 12:00', timezone }
  expect((await ask('POST /events', { json })).body).toMatchObject({
    ...{ start_date: '2026-07-05 10:00:00', utc_start_date, timezone_abbr, timezone: timezone || 'Europe/Madrid' },
  })
})

test('the end cannot be before the start, whichever of them is given', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: concert })
  expect(await ask('PUT /events/1', { json: { end_date: '2026-12-05 18:00' } })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: {
        params: {
          end_date: 'Expected a date that is not before the start, 2026-12-05 19:00:00; got 2026-12-05 18:00:00.',
        },
      },
    },
  })
  expect((await ask('PUT /events/1', { json: { start_date: '2026-12-06' } })).status).toBe(400)
  expect((await ask('PUT /events/1', { json: { start_date: '2026-12-05 21:00' } })).status).toBe(200)
  expect((await ask('PUT /events/1', { json: { end_date: '2026-12-06 01:00' } })).body).toMatchObject({
    ...{ start_date: '2026-12-05 21:00:00', end_date: '2026-12-06 01:00:00' },
  })
})

test('an all-day event lasts from midnight to a second before midnight, in its zone', async () => {
  const { ask } = testService()
  const json = { title: 'Fira', all_day: true, start_date: '2026-12-05 10:00', end_date: '2026-12-06' }
  expect((await ask('POST /events', { json })).body).toMatchObject({
    ...{ all_day: true, start_date: '2026-12-05 00:00:00', end_date: '2026-12-06 23:59:59' },
    ...{ utc_start_date: '2026-12-04 23:00:00', utc_end_date: '2026-12-06 22:59:59' },
  })
  expect((await ask('PUT /events/1', { json: { all_day: false } })).body).toMatchObject({
    ...{ all_day: false, start_date: '2026-12-05 00:00:00', end_date: '2026-12-06 23:59:59' },
  })
  await ask('PUT /events/1', { json: { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00' } })
  expect((await ask('PUT /events/1', { json: { all_day: 1 } })).body).toMatchObject({
    ...{ all_day: true, start_date: '2026-12-05 00:00:00', end_date: '2026-12-05 23:59:59' },
  })
})

test('a new time zone keeps the wall time and changes the instant', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: concert })
  expect((await ask('PUT /events/1', { json: { timezone: 'America/New_York' } })).body).toMatchObject({
    ...{ start_date: '2026-12-05 19:00:00', utc_start_date: '2026-12-06 00:00:00', timezone_abbr: 'EST' },
  })
})

test('publication dates are in the zone of the site, not of the event', async () => {
  const { ask } = testService()
  const create = async (json: object) =>
    (await ask('POST /events', { json: { ...concert, timezone: 'UTC', ...json } })).body
  expect(await create({ date: '2026-06-01 12:00' })).toMatchObject({ date_utc: '2026-06-01 10:00:00' })
  expect(await create({ date_utc: '2026-06-01 12:00' })).toMatchObject({ date: '2026-06-01 14:00:00' })
})

test('a date that is after the year 9999 in UTC is refused', async () => {
  const { ask } = testService()
  const edges = {
    title: 'x',
    start_date: '9999-12-31 23:30',
    end_date: '9999-12-31 23:59',
    timezone: 'America/New_York',
  }
  expect((await ask('POST /events', { json: edges })).body.data.params).toEqual({
    start_date: 'Expected a date between the years 1 and 9999; got 9999-12-31 23:30:00.',
  })
})
