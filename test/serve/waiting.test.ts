import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Serving, startServe } from '../support/start-serve.ts'

const sockets: Socket[] = []
const servers: Serving[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map(server => server.stop()))
})

async function serve(line: string): Promise<Serving> {
  const server = await startServe(`${line} --port 0`)
  if ('status' in server) throw new Error(server.err)
  servers.push(server)
  return server
}

/** How long a request takes, in ms. */
async function timeOf(url: string): Promise<number> {
  const start = performance.now()
  await (await fetch(url)).arrayBuffer()
  return performance.now() - start
}

test('clients that send many requests at once and read no answers keep nobody else waiting', async () => {
  const { url } = await serve('--demo')
  const { hostname, port } = new URL(url)
  const path = '/calendar/events/v1/events?per_page=50&starts_after=2000-01-01&search=a'
  const requests = 400
  const requestsOf = (client: number) =>
    Array.from(
      { length: requests },
      (_, n) => `GET ${path}${client}x${n} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`,
    ).join('')
  const alone: number[] = []
  for (let count = 0; count < 20; count++) alone.push(await timeOf(`${url}${path}alone${count}`))
  const waits: number[] = []
  for (let index = 0; index < 40; index++) {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    await once(socket, 'connect')
    socket.pause()
  }
  for (const [index, socket] of sockets.entries()) socket.write(requestsOf(index))
  for (let count = 0; count < 5; count++) waits.push(await timeOf(`${url}/calendar/events/v1/tags?per_page=1`))
  // A ratio, whatever the machine: in turn, behind all of their requests, it would wait for as long as these take.
  const [median = 0] = alone.toSorted((one, other) => one - other).slice(alone.length / 2)
  expect(Math.max(...waits)).toBeLessThan((median * requests * sockets.length) / 20)
})

test('a record that links to more than 1000 others is refused, and nothing is created', async () => {
  const { url } = await serve('--memory')
  const tags = Array.from({ length: 200_000 }, (_, index) => `tag ${index}`)
  const event = { title: 'Ball', start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
  for (const value of [tags, tags.join(',')]) {
    const answer = await fetch(`${url}/calendar/events/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...event, tags: value }),
    })
    expect(answer.status).toBe(400)
    expect((await answer.json()) as object).toMatchObject({
      data: { params: { tags: 'Expected at most 1000 values; got 200000.' } },
    })
  }
  expect(
    ((await (await fetch(`${url}/calendar/events/v1/tags?hide_empty=false`)).json()) as { total: number }).total,
  ).toBe(0)
})
