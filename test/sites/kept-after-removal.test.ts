import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Response, Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { testTime, worldOf } from '../support/world.ts'

/** What a site may answer to a DELETE that it does not carry out: the record as it was, or no more than its ID. */
const answers = {
  'the unchanged record': (record: Response) => record,
  'a record without a status': (record: Response) => {
    const { status: _, ...others } = JSON.parse(String(record.body))
    return { ...record, body: JSON.stringify(others) }
  },
}

const records = {
  events: { title: 'Concert', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00', status: 'publish' },
  venues: { venue: 'Hall', status: 'publish' },
  organizers: { organizer: 'Choir', status: 'publish' },
}

/** A site with a record of each kind that answers every DELETE without carrying it out. */
async function keepingSite(answer: (record: Response) => Response, quirks: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-kept-'))
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const transport: Transport = async request => {
    if (request.method !== 'DELETE') return service(request)
    return answer(await service({ ...request, method: 'GET' }))
  }
  const headers = { 'content-type': 'application/json' }
  const create = async ([name, record]: [string, object]) => {
    const path = `/calendar/events/v1/${name}`
    const { body } = await service({ method: 'POST', path, headers, body: JSON.stringify(record) })
    return [name, JSON.parse(String(body))] as const
  }
  const ids = Object.fromEntries(await Promise.all(Object.entries(records).map(create)))
  return { folder, ids, calctl: worldOf({ transport, cwd: folder, env: { XDG_STATE_HOME: folder, NO_COLOR: '1' } }) }
}

for (const [said, answer] of Object.entries(answers))
  for (const quirks of [false, true])
    test(`a removal that a site answers with ${said}${quirks ? ', with quirks,' : ''} is not reported as done`, async () => {
      const { calctl, folder, ids } = await keepingSite(answer, quirks)
      for (const [name, { id }] of Object.entries(ids)) {
        const { status, err } = await calctl(`${name} delete ${id} --yes`)
        expect([status, err], name).toEqual([7, expect.stringMatching(/ differs from the request: .*"trash"/)])
        expect(err).not.toContain('Moved to the trash')
      }
      writeFileSync(join(folder, 'gone.csv'), `id,action\n${ids.events.id},trash\n`)
      const { status, err } = await calctl('apply gone.csv --resource events --yes')
      expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
    })

test('undo does not report a record as removed that the site kept', async () => {
  const { calctl } = await keepingSite(answers['the unchanged record'], false)
  expect((await calctl('venues create --venue Square')).status).toBe(0)
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
})
