import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { worldOf } from '../support/world.ts'

test('a prefetched page that is not needed is cancelled silently', async () => {
  const events = Array.from({ length: 50 }, (_, index) => ({ id: index + 1 }))
  const server = createServer(({ url = '' }, response) => {
    // The second page is never answered.
    if (!url.endsWith('page=2')) response.end(JSON.stringify({ events, total: 51, total_pages: 2 }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const calctl = worldOf({})
  expect(await calctl(`events list --all --base-url http://127.0.0.1:${port} -o count`)).toEqual({
    status: 0,
    out: '51\n',
    err: '',
  })
})
