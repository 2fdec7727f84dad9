import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { testTime, worldOf } from '../support/world.ts'

test('Ctrl-C during a run says what is finished, and what was not sent stays out of the count', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stopping-'))
  writeFileSync(join(folder, 'tags.csv'), 'resource,name\ntags,One\ntags,Two\ntags,Three\n')
  const stopping = new AbortController()
  const service = createService({
    store: memoryStore({ language: 'en', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const transport: Transport = request => {
    if (request.method === 'POST') stopping.abort()
    return service(request)
  }
  const env = { NO_COLOR: '1', XDG_STATE_HOME: folder }
  const calctl = worldOf({ transport, cwd: folder, env, terminal: 80, stopping: stopping.signal })
  const { status, err } = await calctl('apply tags.csv --yes --jobs 1')
  expect(status).toBe(130)
  expect(err).toContain('finishing 1 request; press Ctrl-C again to quit at once\n')
  expect(err).toContain('1 of 3 done (33 %)')
  expect(err).not.toContain('3 of 3')
})
