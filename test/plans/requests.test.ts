import { expect, test } from 'vitest'
import type { Request, Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { concert } from '../support/test-service.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A calendar with this number of events, and the requests sent to it. */
async function recording(events: number, env: Readonly<Record<string, string>> = {}) {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const post = { method: 'POST', path: '/calendar/events/v1/events', headers: { 'content-type': 'application/json' } }
  for (let number = 1; number <= events; number++)
    await service({ ...post, body: JSON.stringify({ ...concert, title: `Concert ${number}`, slug: `c-${number}` }) })
  const requests: Request[] = []
  const transport: Transport = request => {
    requests.push(request)
    return service(request)
  }
  return { calctl: worldOf({ transport, env }), requests }
}

const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('')

test('an update of 200 of 1,000 events by ID takes 200 requests and one for each 25', async () => {
  const { calctl, requests } = await recording(1000)
  const ids = lines(200, number => String(5 * number))
  expect(await calctl('events update - --status draft --add-tags Jazz --create-missing --yes', ids)).toMatchObject({
    status: 0,
  })
  const reads = requests.filter(({ method }) => method === 'GET')
  const writes = requests.filter(({ method }) => method !== 'GET')
  expect(writes.length).toBe(201)
  expect(reads.length).toBeLessThanOrEqual(200 / 25 + 5)
})

test('a file with the slugs of all events reads the list by pages, however little it changes', async () => {
  const { calctl, requests } = await recording(300)
  const records = lines(300, number =>
    JSON.stringify({ slug: `c-${number}`, status: number > 10 ? 'publish' : 'draft' }),
  )
  expect(await calctl('apply - --resource events --yes', records)).toMatchObject({ status: 0 })
  expect(requests.filter(({ method }) => method === 'GET').length).toBe(8)
  expect(requests.filter(({ method }) => method !== 'GET').length).toBe(10)
})

test('a calendar in this process, to which nobody else writes, is not read again between the steps of a plan', async () => {
  const { calctl, requests } = await recording(300)
  const day = (number: number) => `2027-03-${String(1 + (number % 28)).padStart(2, '0')}`
  const rows = lines(200, number => `New ${number},${day(number)} 19:00,${day(number)} 21:00`)
  expect(
    await calctl('apply - --format csv --resource events --yes', `title,start_date,end_date\n${rows}`),
  ).toMatchObject({ status: 0 })
  const methods = requests.map(({ method }) => method)
  expect(methods.filter(method => method === 'POST').length).toBe(200)
  expect(methods.lastIndexOf('GET')).toBeLessThan(methods.indexOf('POST'))
})

test('a few slugs among many records are read one by one', async () => {
  const { calctl, requests } = await recording(300)
  const records = ['c-7', 'c-8', 'c-400']
    .map(slug => JSON.stringify({ ...concert, title: slug, slug, status: 'draft' }))
    .join('\n')
  expect(await calctl('apply - --resource events --yes --jobs 1', records)).toMatchObject({ status: 0 })
  expect(requests.map(({ method, path }) => `${method} ${path.replace(/.*v1/, '')}`)).toEqual([
    'GET /',
    'GET /events',
    'GET /events/by-slug/c-7',
    'GET /events/by-slug/c-8',
    'GET /events/by-slug/c-400',
    'GET /events',
    'POST /events/7',
    'POST /events/8',
    'POST /events',
  ])
})

test('a sheet without IDs and slugs reads the events of its days only', async () => {
  const { calctl, requests } = await recording(300)
  const far = `title,start_date,end_date\nGala,2027-12-04 19:00,2027-12-04 21:00\n`
  expect(await calctl('apply - --format csv --yes', far)).toMatchObject({ status: 0 })
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'POST'])
  requests.length = 0
  expect(await calctl('diff --exit-code - --format csv', far)).toMatchObject({ status: 0 })
  expect(requests.map(({ method, path }) => `${method} ${path.replace(/.*v1/, '')}`)).toEqual(['GET /', 'GET /events'])
})

test('an undo of 200 deletes takes 200 requests and one for each 25', async () => {
  const { folder } = calendarWithFiles()
  const { calctl, requests } = await recording(200, { XDG_STATE_HOME: folder })
  await calctl('events delete - --yes --max-trash 200', lines(200, String))
  requests.length = 0
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(requests.filter(({ method }) => method !== 'GET').length).toBe(200)
  expect(requests.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(200 / 25 + 5)
})

test('a dry run sends no writes', async () => {
  const { calctl, requests } = await recording(3)
  await calctl('events delete - --dry-run', '1\n2\n3\n')
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
})
