import { expect, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'
import { testTime, worldOf } from '../support/world.ts'

const gala = 'events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"'

test('events with a password are not exported, with a notice', async () => {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: true })
  const common = { store, now: () => testTime, baseUrl: 'http://calendar.test', namespace: 'calendar/events/v1' }
  const calctl = worldOf({ transport: createService({ ...common, quirks: true }) })
  await calctl(gala)
  await calctl(gala.replace('Gala', 'Nit'))
  const snapshot = store.snapshot()
  const events = snapshot.rows.events.map(row => (row.id === 1 ? { ...row, post_password: 'secret' } : row))
  await store.restore({ ...snapshot, rows: { ...snapshot.rows, events } })
  const { out, err } = await calctl('export events --format csv')
  expect(err).toBe('not exported: 1 event with a password\n')
  expect(out.split('\n').length).toBe(3)
})

test('a notice says that a site does not list hidden events', async () => {
  const site = await startServe('--memory --quirks --open --namespace tribe/events/v1 --port 0')
  if (!('url' in site)) throw new Error(site.err)
  const at = `--base-url ${site.url} --namespace tribe/events/v1`
  const calctl = calendar()
  await calctl(`${gala} --hide-from-listings ${at}`)
  const { out, err } = await calctl(`export events ${at}`)
  await site.stop()
  expect(out).toBe('')
  expect(err).toBe(`not exported: hidden events, which ${site.url} does not list\n`)
})
