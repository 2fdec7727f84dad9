import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { withRetries } from '../../src/client/http/retry.ts'
import type { Response } from '../../src/contract/exchange.ts'

const get = { method: 'GET', path: '/tags' }
const post = { method: 'POST', path: '/tags', body: '{"name":"Jazz"}' }

const answer = (status: number, headers: Record<string, string> = {}): Response => ({ status, headers, body: '' })
const refused = new Failure('unreachable', 'connection refused by https://example.org', { done: 'no' })
const connectionLost = new Failure('unreachable', 'the connection to https://example.org was lost', { done: 'unknown' })

/** Sends one request to a site that reacts in these ways, in order; returns the delays and the notices. */
async function sendOnce(request: typeof get, reactions: readonly (Response | Failure)[], retries = 3) {
  const left = [...reactions]
  const waits: number[] = []
  const notices: string[] = []
  const transport = withRetries(
    async () => {
      const reaction = left.shift() ?? answer(200)
      if (reaction instanceof Failure) throw reaction
      return reaction
    },
    'https://example.org',
    {
      retries,
      now: () => Date.parse('2026-11-21T02:00:00Z'),
      random: () => 0.5,
      pause: async ms => {
        waits.push(ms)
      },
      notice: async text => {
        notices.push(text)
      },
    },
  )
  const outcome = await transport(request).then(
    ({ status }) => status,
    (error: Failure) => error.message,
  )
  return { outcome, waits, notices, left: left.length }
}

test('a read is retried after every transient failure, with doubling delays', async () => {
  expect(await sendOnce(get, [answer(500), connectionLost, refused])).toEqual({
    outcome: 200,
    waits: [250, 500, 1000],
    notices: [
      'https://example.org answered 500; retrying in 0.3 s',
      'the connection to https://example.org was lost; retrying in 0.5 s',
      'connection refused by https://example.org; retrying in 1 s',
    ],
    left: 0,
  })
})

test.each([408, 429, 500, 502, 503, 504])('a read is retried after %i', async status => {
  expect(await sendOnce(get, [answer(status)])).toMatchObject({ outcome: 200, waits: [250] })
})

test.each([400, 401, 403, 404, 410])('%i is not retried', async status => {
  expect(await sendOnce(get, [answer(status)])).toMatchObject({ outcome: status, waits: [] })
})

test('after the last retry, the last answer or failure is returned', async () => {
  expect(await sendOnce(get, Array(4).fill(answer(503)))).toMatchObject({ outcome: 503, waits: [250, 500, 1000] })
  expect(await sendOnce(get, Array(9).fill(refused))).toMatchObject({ outcome: refused.message, left: 5 })
})

test('a timeout covers all attempts: nothing is retried after it', async () => {
  const late = new Failure('unreachable', 'no answer from https://example.org within 2 s', {
    done: 'no',
    timedOut: true,
  })
  for (const request of [get, post])
    expect(await sendOnce(request, [late])).toMatchObject({ outcome: late.message, waits: [] })
})

test('--retries 0 sends a request once', async () => {
  expect(await sendOnce(get, [answer(503)], 0)).toMatchObject({ outcome: 503, waits: [] })
})

test('a retry waits as long as the site asks, in seconds or until a time by its own clock', async () => {
  expect(await sendOnce(get, [answer(429, { 'retry-after': '7' })])).toMatchObject({ outcome: 200, waits: [7000] })
  const until = { date: 'Sat, 21 Nov 2026 09:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 09:00:20 GMT' }
  expect(await sendOnce(get, [answer(503, until)])).toMatchObject({ outcome: 200, waits: [20_000] })
  const past = { 'retry-after': 'Sat, 21 Nov 2026 01:00:00 GMT' }
  expect(await sendOnce(get, [answer(503, past)])).toMatchObject({ outcome: 200, waits: [0] })
})

test('a retry waits at most a minute', async () => {
  expect(await sendOnce(get, [answer(503, { 'retry-after': '600' })])).toMatchObject({ outcome: 503, waits: [] })
})

test('a write is retried only if it certainly did nothing', async () => {
  expect(await sendOnce(post, [refused])).toMatchObject({ outcome: 200, waits: [250] })
  expect(await sendOnce(post, [answer(503, { 'retry-after': '1' })])).toMatchObject({ outcome: 200, waits: [1000] })
  expect(await sendOnce(post, [answer(429, { 'retry-after': '2' })])).toMatchObject({ outcome: 200, waits: [2000] })
  expect(await sendOnce(post, [connectionLost])).toMatchObject({ outcome: connectionLost.message, waits: [] })
  for (const status of [408, 429, 500, 502, 503, 504])
    expect(await sendOnce(post, [answer(status)])).toMatchObject({ outcome: status, waits: [] })
})

test('waiting for a retry can be interrupted', async () => {
  const transport = withRetries(async () => answer(503), 'https://example.org', {
    retries: 3,
    now: Date.now,
    random: () => 1,
    pause: async () => {
      throw new Failure('interrupted', 'stopped while waiting to try again')
    },
    notice: async () => {},
  })
  await expect(transport(get)).rejects.toMatchObject({ kind: 'interrupted' })
})
