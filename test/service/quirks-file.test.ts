import { expect, test } from 'vitest'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'
import { concert, testService } from '../support/test-service.ts'

/** Values that production accepts and the documentation does not. */
const events = [
  { status: 'inherit', website: 'ftp://example.org/programme', timezone: '+02:00', image: 'https://[' },
  { status: 'auto-draft' },
  { status: 'pending', title: ' ', description: 'Without a title' },
]

test('the file of a calendar that follows production can be edited by hand', async () => {
  const { open, edit } = tempCalendarFile()
  const store = await open({ site: { timezone: 'Europe/Madrid', quirks: true } })
  const { ask } = testService({ store, quirks: true })
  for (const event of events) expect((await ask('POST /events', { json: { ...concert, ...event } })).status).toBe(201)
  await ask('POST /venues', { json: { venue: 'Hall', website: 'gopher://example.org' } })
  const before = store.snapshot()
  await store.close()
  edit(text => text.replace('Without a title', 'Without a name'))
  const again = await open({ site: {} })
  expect(again.snapshot()).toEqual({
    ...before,
    rows: {
      ...before.rows,
      events: before.rows.events.map(event => ({
        ...event,
        description: event.description.replace('Without a title', 'Without a name'),
      })),
    },
  })
  await again.close()
})

test('the file of a calendar whose places lost their names over wp/v2 can be edited by hand', async () => {
  const { open, edit } = tempCalendarFile()
  const store = await open({ site: { timezone: 'Europe/Madrid', quirks: true } })
  const { ask, service } = testService({ store, quirks: true })
  await ask('POST /venues', { json: { venue: 'Hall', description: 'By the river' } })
  await ask('POST /organizers', { json: { organizer: 'Choir', description: 'Since 1904' } })
  for (const path of ['/wp/v2/tribe_venue/1', '/wp/v2/tribe_organizer/2']) {
    const headers = { 'content-type': 'application/json' }
    expect(await service({ method: 'POST', path, headers, body: '{"title":""}' })).toMatchObject({ status: 200 })
  }
  await store.close()
  edit(text => text.replace('Since 1904', 'Since 1905'))
  const again = await open({ site: {} })
  expect(again.snapshot().rows).toMatchObject({
    venues: [{ venue: '', description: 'By the river' }],
    organizers: [{ organizer: '', description: 'Since 1905' }],
  })
  await again.close()
})
