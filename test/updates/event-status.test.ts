import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']

test('a calendar file keeps whether an event takes place, and why not', async () => {
  const calctl = calendar()
  await calctl(['events', 'create', '--title', 'Rain', ...dates, '--event-status', 'canceled'])
  await calctl(['events', 'update', '1', '--event-status-reason', 'Storm'])
  const { out } = await calctl(['events', 'get', '1', '--json'])
  expect(JSON.parse(out)).toMatchObject({ event_status: 'canceled', event_status_reason: 'Storm' })
})

test('a status that no site knows is refused before anything is sent', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  expect(await calctl(['events', 'update', '1', '--event-status', 'rained-out'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('--event-status: expected one of canceled, postponed, or nothing, got "rained-out"'),
  })
  expect(seen).toEqual([])
})

test('a site keeps the status in wp/v2, which the events API leaves alone', async () => {
  const site = await wordpressSite()
  await site.calctl(['events', 'create', '--title', 'Rain', ...dates, '--event-status', 'canceled', '--cost', '12 €'])
  const stored = async () => (await site.ask('GET /wp/v2/tribe_events/1?context=edit')).meta
  expect(await stored()).toMatchObject({ _tribe_events_status: 'canceled', _EventCost: '12 €' })
  expect(
    await site.calctl('events update 1 --start-date "2026-12-06 19:00" --end-date "2026-12-06 21:00"'),
  ).toMatchObject({ status: 0 })
  expect(await stored()).toMatchObject({ _tribe_events_status: 'canceled' })
  expect(
    await site.calctl('events update 1 --event-status postponed --event-status-reason "Rain & wind"'),
  ).toMatchObject({ status: 0 })
  expect(await stored()).toMatchObject({
    _tribe_events_status: 'postponed',
    _tribe_events_status_reason: 'Rain & wind',
    _EventCost: '12 €',
  })
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await stored()).toMatchObject({ _tribe_events_status: 'canceled', _tribe_events_status_reason: '' })
  expect(await site.calctl('events update 1 --clear event_status')).toMatchObject({ status: 0 })
  expect(await stored()).toMatchObject({ _tribe_events_status: '' })
})

test('an export has the status, and an import gives it back', async () => {
  const site = await wordpressSite()
  await site.calctl(['events', 'create', '--title', 'Rain', ...dates, '--event-status', 'postponed'])
  const { out } = await site.calctl('export events --format csv')
  const file = site.file('export.csv', out)
  await site.calctl('events update 1 --clear event_status')
  expect(await site.calctl(`apply ${file} --yes`)).toMatchObject({ status: 0 })
  expect((await site.ask('GET /wp/v2/tribe_events/1?context=edit')).meta._tribe_events_status).toBe('postponed')
})
