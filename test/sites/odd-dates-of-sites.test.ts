import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { told } from '../soak/told.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-odd-dates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const dates = '2026-12-24 10:00+03:00,2026-12-24 12:00+03:00'
writeFileSync(join(folder, 'season.csv'), `id,title,start_date,end_date\n1,Jazz,${dates}\n`)

const namespace = '/calendar/events/v1'

/** A site with one event, as a plugin or an import left it. */
function siteWith(event: object) {
  const record = {
    ...{ id: 1, title: 'Jazz', slug: 'jazz', status: 'publish', timezone: 'Europe/Madrid', all_day: false, cost: '' },
    ...{ start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00', categories: [], tags: [], venue: [] },
    ...{ utc_start_date: '2026-12-05 18:00:00', utc_end_date: '2026-12-05 20:00:00', organizer: [], image: false },
    ...event,
  }
  const transport = async ({ method, path, body }: Request): Promise<Response> => {
    const name = path.split('/').at(-1) ?? ''
    const sent = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : {}
    const list = (records: object[]) => ({ [name]: records, total: records.length, total_pages: 1 })
    const answer = path === `${namespace}/events/1` ? { ...record, ...sent } : list(name === 'events' ? [record] : [])
    const isThere = path.startsWith(namespace) && (method === 'GET' || name === '1')
    return {
      status: isThere ? 200 : 404,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(isThere ? answer : { code: 'rest_no_route', message: 'No route', data: { status: 404 } }),
    }
  }
  return worldOf({
    transport,
    cwd: folder,
    env: { XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
  })
}

const lines = [
  'events list -o table',
  'agenda --on 2026-12-05',
  'month 2026-12',
  'export -o ics',
  'lint',
  'events update 1 --start-date tomorrow',
  'events update 1 --end-date 22:00',
  'events update 1 --start-date 2026-12-24T10:00+03:00 --duration 2h',
  'events update 1 --shift +7d',
  'events update 1 --duration 2h',
  'events update 1 --all-day',
  'events update 1 --title Ball',
  'events update --where title=Jazz --shift +1d --yes',
  'diff --exit-code season.csv',
  'apply season.csv --yes',
  'languages copy 1 --to en --dry-run',
]

const oddities: readonly object[] = [
  ...['Mars/Phobos', 'E\ufffdrope', 'UTC+25:99', '../x', '\u001b[31m', 'Europe/Madrid\u0000'].map(timezone => ({
    timezone,
  })),
  ...['0000-00-00 00:00:00', 'x', '', '2026-02-31 10:00:00', '99999-01-01 00:00:00'].map(date => ({
    start_date: date,
    utc_start_date: date,
  })),
  { end_date: '0000-00-00 00:00:00', utc_end_date: '0000-00-00 00:00:00' },
  { organizer: [null], categories: [null], tags: [null], venue: [null] },
]

test.each(oddities)('an event with %j ends no command with a stack trace', async event => {
  const calctl = siteWith(event)
  for (const line of lines) {
    const { status, out, err } = await calctl(line).catch(error => ({ status: -1, out: '', err: error.stack }))
    expect({ line, status, err }).toMatchObject({ status: expect.toSatisfy(one => told.includes(one)) })
    expect(out + err).not.toMatch(/NaN|Invalid Date/)
  }
})

test('the time zone or date of an event that nobody knows is named, with what to give', async () => {
  const calctl = siteWith({ timezone: 'Mars/Phobos' })
  expect(await calctl('events update 1 --start-date tomorrow')).toEqual({
    status: 2,
    out: '',
    err: 'error: event 1 is in a time zone that does not exist: "Mars/Phobos"\nhint: for example: calctl events update 1 --timezone Europe/Madrid\n',
  })
  expect(await calctl('events update 1 --start-date tomorrow --timezone Europe/Madrid --dry-run')).toMatchObject({
    status: 0,
  })
  expect(await siteWith({ start_date: '0000-00-00 00:00:00' })('events update 1 --shift +1d')).toEqual({
    status: 2,
    out: '',
    err: 'error: event 1 has no date to count from: its start_date is "0000-00-00 00:00:00"\nhint: set its dates first: calctl events update 1 --start-date … --end-date …\n',
  })
})
