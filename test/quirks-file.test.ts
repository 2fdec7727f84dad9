import { expect, test } from 'vitest'
import { tempCalendarFile } from './temp-calendar-file.ts'
import { concert, testService } from './test-service.ts'

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
