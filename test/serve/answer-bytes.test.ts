import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { joinPieces, reuse } from '../../src/service/answer-bytes.ts'
import { startCalendar } from '../../src/testing/start-calendar.ts'

const long = (letter: string, length = 200_000) => [Buffer.from(letter.repeat(length - 1)), Buffer.from('.')]

test('the memory of a long answer is used again once it was given back, and not before', () => {
  const first = joinPieces(long('a'))
  const second = joinPieces(long('b'))
  expect(second.buffer).not.toBe(first.buffer)
  reuse(first)
  const third = joinPieces(long('c'))
  expect(third.buffer).toBe(first.buffer)
  reuse(first)
  const fourth = joinPieces(long('d'))
  expect([third, fourth].map(text => String(text).slice(-2))).toEqual(['c.', 'd.'])
  expect(String(second)).toBe(`${'b'.repeat(199_999)}.`)
})

test('a shorter answer in memory that held a longer one ends where it ends', () => {
  const longer = joinPieces(long('a', 300_000))
  reuse(longer)
  expect(String(joinPieces(long('b', 150_000)))).toBe(`${'b'.repeat(149_999)}.`)
})

test('bytes that were not joined here are not taken', () => {
  const own = Buffer.from('x'.repeat(200_000))
  reuse(own)
  expect(joinPieces(long('a')).buffer).not.toBe(own.buffer)
})

test('clients that read slowly get their own pages while others get theirs', { timeout: 60_000 }, async () => {
  const description = 'Doors open half an hour before. '.repeat(1400)
  const events = Array.from({ length: 80 }, (_, number) => ({
    title: `Event ${number}`,
    description: `${number} ${description}`,
    start_date: `2027-01-01 1${number % 10}:00:00`,
    end_date: '2027-01-02 10:00:00',
  }))
  const calendar = await startCalendar({ now: '2026-11-21T10:00:00Z', records: { events } })
  onTestFinished(() => calendar.close())
  const url = calendar.apiUrl
  const query = (page: number) => `/events?per_page=20&page=${page}&start_date=2026-01-01`
  const expected = await Promise.all([1, 2, 3].map(async page => (await fetch(`${url}${query(page)}`)).text()))
  expect(expected.map(text => text.length > 800_000)).toEqual([true, true, true])
  const pages = Array.from({ length: 30 }, (_, number) => 1 + (number % 3))
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  // Together more than the system holds for a client that reads nothing.
  for (const page of pages)
    socket.write(`GET ${pathname.replace(/\/$/, '')}${query(page)} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  for (let other = 0; other < 60; other++) await (await fetch(`${url}${query(4)}`)).arrayBuffer()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of socket) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= pages.length * Buffer.byteLength(expected[0] ?? '')) break
  }
  const bodies = Buffer.concat(chunks)
    .toString()
    .split(/HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n/)
    .slice(1)
  expect(bodies.length).toBeGreaterThan(25)
  for (const [index, body] of bodies.slice(0, -1).entries())
    if (body !== expected[index % 3]) expect.fail(`answer ${index} is not page ${pages[index]}`)
})
