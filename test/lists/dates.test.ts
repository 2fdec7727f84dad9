import { expect, test } from 'vitest'
import { testService } from '../support/test-service.ts'

type Event = readonly [title: string, start: string, end: string, timezone?: string]

/** A calendar in Madrid on 21 November 2026 at three in the morning, with these events; lists return their titles. */
async function calendarOf(...events: readonly Event[]) {
  const { ask } = testService()
  for (const [title, start_date, end_date, timezone = ''] of events)
    await ask('POST /events', { json: { title, start_date, end_date, timezone } })
  return async (query: string) => {
    const { body } = await ask(`GET /events?${query}`)
    const titles: string[] = body.events.map(({ title }: { title: string }) => title)
    expect(body.total, 'total').toBe(titles.length)
    return titles.join(' ')
  }
}

test('without dates a list goes from the start of yesterday to 24 months ahead', async () => {
  const list = await calendarOf(
    ['before', '2026-11-19 22:00', '2026-11-19 23:59:59'],
    ['across', '2026-11-19 23:00', '2026-11-20 01:00'],
    ['yesterday', '2026-11-20 00:00', '2026-11-20 01:00'],
    ['last', '2028-11-21 22:00', '2028-11-21 23:59:59'],
    ['beyond', '2028-11-21 23:00', '2028-11-22 00:00'],
  )
  expect(await list('')).toBe('yesterday last')
})

test('start_date and end_date mean whole days, and events must be within them', async () => {
  const list = await calendarOf(
    ['eve', '2026-12-04 23:00', '2026-12-05 01:00'],
    ['morning', '2026-12-05 00:00', '2026-12-05 10:00'],
    ['evening', '2026-12-05 20:00', '2026-12-05 23:59:59'],
    ['night', '2026-12-05 22:00', '2026-12-06 04:00'],
  )
  expect(await list('start_date=2026-12-05&end_date=2026-12-05')).toBe('morning evening')
  expect(await list('start_date=2026-12-05 21:00')).toBe('morning evening night')
  expect(await list('end_date=2026-12-05 01:00')).toBe('eve morning evening')
  expect(await list('start_date=2026-12-10&end_date=2026-12-01')).toBe('')
})

test('strict_dates makes the times of date filters exact', async () => {
  const list = await calendarOf(
    ['nine', '2026-12-05 09:00', '2026-12-05 10:00'],
    ['noon', '2026-12-05 12:00', '2026-12-05 13:00'],
  )
  expect(await list('start_date=2026-12-05 09:00:01&strict_dates=true')).toBe('noon')
  expect(await list('start_date=2026-12-05 09:00:00&strict_dates=1')).toBe('nine noon')
  expect(await list('end_date=2026-12-05 12:59:59&strict_dates=true')).toBe('nine')
  expect(await list('end_date=2026-12-05 13:00:00&strict_dates=true')).toBe('nine noon')
  expect(await list('starts_after=2026-12-05 09:00&strict_dates=true')).toBe('noon')
  expect(await list('starts_before=2026-12-05 12:00&strict_dates=true')).toBe('nine')
  expect(await list('ends_after=2026-12-05 10:00&strict_dates=true')).toBe('noon')
  expect(await list('ends_before=2026-12-05 13:00&strict_dates=true')).toBe('nine')
})

test('starts_before and starts_after compare with the end of the day and lift the default dates', async () => {
  const list = await calendarOf(
    ['past', '2001-01-01 10:00', '2001-01-01 11:00'],
    ['fifth', '2026-12-05 10:00', '2026-12-05 11:00'],
    ['last second', '2026-12-05 23:59:59', '2026-12-06 00:00'],
    ['sixth', '2026-12-06 00:00', '2026-12-06 01:00'],
    ['far', '2050-01-01 10:00', '2050-01-01 11:00'],
  )
  expect(await list('starts_after=2026-12-05')).toBe('sixth far')
  expect(await list('starts_before=2026-12-05')).toBe('past fifth')
  expect(await list('ends_after=2026-12-05')).toBe('last second sixth far')
  expect(await list('ends_before=2026-12-05')).toBe('past fifth')
  expect(await list('starts_after=2000-01-01&starts_before=2026-12-05')).toBe('past fifth')
  expect(await list('starts_after=2026-12-04&ends_before=2026-12-06')).toBe('fifth last second sixth')
  expect(await list('starts_after=1000-01-01&start_date=2026-12-06')).toBe('sixth far')
  expect(await list('starts_after=9999-12-31')).toBe('')
})

test('relative dates mean days in the time zone of the site', async () => {
  const list = await calendarOf(
    ['today', '2026-11-21 20:00', '2026-11-21 21:00'],
    ['tomorrow', '2026-11-22 20:00', '2026-11-22 21:00'],
    ['in a week', '2026-11-28 20:00', '2026-11-28 21:00'],
  )
  expect(await list('start_date=tomorrow')).toBe('tomorrow in a week')
  expect(await list('starts_after=now')).toBe('tomorrow in a week')
  expect(await list('starts_after=now&strict_dates=1')).toBe('today tomorrow in a week')
  expect(await list('start_date=today&end_date=%2B1 week')).toBe('today tomorrow in a week')
})

test('date filters compare instants, whatever the time zone of an event', async () => {
  const list = await calendarOf(
    ['Tokyo', '2026-12-06 06:00', '2026-12-06 07:00', 'Asia/Tokyo'],
    ['Madrid', '2026-12-05 12:00', '2026-12-05 13:00'],
    ['New York', '2026-12-05 20:00', '2026-12-05 21:00', 'America/New_York'],
  )
  expect(await list('start_date=2026-12-05&end_date=2026-12-05')).toBe('Madrid Tokyo')
  expect(await list('start_date=2026-12-06')).toBe('New York')
  expect(await list('start_date=2026-12-05T15:00:00-05:00&strict_dates=1')).toBe('New York Tokyo')
  expect(await list('start_date=2026-12-05T23:30:00Z')).toBe('New York')
})

test('days are whole days in summer time too', async () => {
  const list = await calendarOf(
    ['late', '2027-07-05 23:30', '2027-07-05 23:45'],
    ['early', '2027-07-06 00:30', '2027-07-06 01:00'],
  )
  expect(await list('start_date=2027-07-06')).toBe('early')
  expect(await list('starts_before=2027-07-05&starts_after=2027-07-04')).toBe('late')
})

test('values that are not dates are refused, each filter by name', async () => {
  const { body } = await testService().ask('GET /events?start_date=2027-02-30&starts_after=&ends_before=soon')
  expect(Object.keys(body.data.params)).toEqual(['start_date', 'starts_after', 'ends_before'])
})

test('the order is start, then publication, then ID', async () => {
  const { ask } = testService()
  const create = (start_date: string, date: string) =>
    ask('POST /events', { json: { title: 'x', start_date, end_date: '2026-12-09', date } })
  await create('2026-12-06', '2026-01-01')
  await create('2026-12-05', '2026-03-01')
  await create('2026-12-05', '2026-02-01')
  await create('2026-12-05', '2026-02-01')
  const { body } = await ask('GET /events')
  expect(body.events.map(({ id }: { id: number }) => id)).toEqual([3, 4, 2, 1])
})
