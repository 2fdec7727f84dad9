import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

/** A calendar in the production dialect, whose clock goes on by an hour with every request. */
function site() {
  let hour = 1
  return testService({
    quirks: true,
    site: { timezone: 'UTC+0' },
    now: () => new Date(Date.UTC(2026, 10, 21, ++hour)),
  })
}

const past = { date: '2026-10-01 09:00:00' }

test.each(['draft', 'pending'])('the date of a %s event is that of its last save, whatever was sent', async status => {
  const { ask } = site()
  const { body: created } = await ask('POST /events', { json: { ...concert, ...past, status } })
  const { body: updated } = await ask('PUT /events/1', { json: { status, date_utc: past.date } })
  expect([created, updated]).toMatchObject([
    { status, date: '2026-11-21 02:00:00', date_utc: '0000-00-00 00:00:00', slug: '' },
    { status, date: '2026-11-21 03:00:00', date_utc: '0000-00-00 00:00:00', slug: '' },
  ])
})

test('an event that was published floats once the events API makes it a draft, a venue does not', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, ...past } })
  await ask('POST /venues', { json: { venue: 'Hall', ...past } })
  const { body: event } = await ask('PUT /events/1', { json: { status: 'draft' } })
  const { body: venue } = await ask('PUT /venues/2', { json: { status: 'draft' } })
  expect([event, venue]).toMatchObject([
    { date: '2026-11-21 04:00:00', date_utc: '0000-00-00 00:00:00' },
    { date: '2026-10-01 09:00:00', date_utc: '2026-10-01 09:00:00' },
  ])
})

test('a draft venue floats until it is published', async () => {
  const { ask } = site()
  const { body: created } = await ask('POST /venues', { json: { venue: 'Hall', status: 'draft', ...past } })
  const { body: published } = await ask('PUT /venues/1', { json: { status: 'publish' } })
  expect([created, published]).toMatchObject([
    { date: '2026-11-21 02:00:00', date_utc: '0000-00-00 00:00:00', slug: 'hall' },
    { date: '2026-11-21 03:00:00', date_utc: '2026-11-21 03:00:00' },
  ])
})

test('a draft that was trashed and restored keeps the mark of the trash for a slug', async () => {
  const { ask } = site()
  await ask('POST /events', { json: { ...concert, status: 'draft' } })
  const { body: trashed } = await ask('DELETE /events/1')
  const { body: restored } = await ask('POST /events/1', { json: { ...concert, status: 'draft' } })
  expect([trashed, restored]).toMatchObject([
    { status: 'trash', slug: '__trashed', date_utc: '2026-11-21 03:00:00' },
    { status: 'draft', slug: '__trashed', date_utc: '0000-00-00 00:00:00' },
  ])
})

test('a new draft has no time of its change in UTC until it is saved again, or made sticky; wp/v2 works it out', async () => {
  const { ask, service } = testService({
    quirks: true,
    site: { timezone: 'Europe/Madrid' },
    now: () => new Date('2026-11-21T02:00:00Z'),
  })
  const draft = { ...concert, status: 'draft' }
  const created = (await ask('POST /events', { json: draft })).body
  const sticky = (await ask('POST /events', { json: { ...draft, sticky: true } })).body
  const answer = await service({ method: 'GET', path: `/wp/v2/tribe_events/${created.id}`, query: 'context=edit' })
  const saved = (await ask(`PUT /events/${created.id}`, { json: { status: 'draft' } })).body
  expect([created, sticky, saved].map(({ modified_utc }) => modified_utc)).toEqual([
    '0000-00-00 00:00:00',
    '2026-11-21 02:00:00',
    '2026-11-21 02:00:00',
  ])
  expect(JSON.parse(String(answer.body))).toMatchObject({
    modified: '2026-11-21T03:00:00',
    modified_gmt: '2026-11-21T02:00:00',
  })
})
