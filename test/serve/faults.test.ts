import { describe, expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { Conditions } from '../../src/service/http/conditions.ts'
import { type Fault, readFault, readLatency } from '../../src/service/http/faults.ts'
import type { Service } from '../../src/service/service.ts'
import { concert, testService } from '../support/test-service.ts'

/** A service whose requests fail in these ways. */
const withFaults = (service: Service, { faults, seed }: { faults: readonly Fault[]; seed: number }) =>
  new Conditions({ now: () => new Date(), namespace: 'calendar/events/v1', faults, seed }).apply(service)

describe('reading options', () => {
  test.each([
    ['5%:503', { percent: 5, with: 503 }],
    ['0.5%:reset', { percent: 0.5, with: 'reset' }],
    ['100%:timeout', { percent: 100, with: 'timeout' }],
    ['3%:notice', { percent: 3, with: 'notice' }],
    ['3%:toString', undefined],
    ['POST /events=503x2', { route: 'POST /events', with: 503, times: 2 }],
    ['/events/{id}=reset', { route: '/events/{id}', with: 'reset' }],
    ['10%:GET /venues=timeout', { percent: 10, route: 'GET /venues', with: 'timeout' }],
    ['503', undefined],
    ['5:503', undefined],
    ['101%:503', undefined],
    ['5%:200', undefined],
    ['5%:sulk', undefined],
    ['', undefined],
  ])('--fail accepts %s', (text, fault) => expect(readFault(text)).toEqual(fault))

  test.each([
    ['200ms', { from: 200, to: 200 }],
    ['1s', { from: 1000, to: 1000 }],
    ['50-400ms', { from: 50, to: 400 }],
    ['500ms-2s', { from: 500, to: 2000 }],
    ['400-50ms', undefined],
    ['200', undefined],
    ['soon', undefined],
  ])('--latency accepts %s', (text, latency) => expect(readLatency(text)).toEqual(latency))
})

/** The outcomes of this number of requests, and how many of them reached the service. */
async function outcomes(fail: readonly string[], seed: number, count: number) {
  let reached = 0
  const service = async () => {
    reached += 1
    return { status: 200, headers: {}, body: '' }
  }
  const faults = fail.flatMap(text => readFault(text) ?? [])
  const answer = withFaults(service, { faults, seed })
  const request: Request = { method: 'POST', path: '/x' }
  const all: string[] = []
  for (let n = 0; n < count; n += 1) {
    const outcome = await answer(request)
    all.push(typeof outcome === 'string' ? outcome : String(outcome.status))
  }
  return { all, reached, share: (of: string) => all.filter(outcome => outcome === of).length / count }
}

test('the given share of requests fails, and the others are answered', async () => {
  const { share } = await outcomes(['20%:503', '10%:reset', '5%:timeout'], 7, 10_000)
  expect(share('503')).toBeCloseTo(0.2, 1)
  expect(share('reset')).toBeCloseTo(0.1, 1)
  expect(share('timeout')).toBeCloseTo(0.05, 1)
  expect(share('200')).toBeCloseTo(0.65, 1)
})

test('the same seed makes the same requests fail, another seed others', async () => {
  const { all } = await outcomes(['50%:503'], 7, 100)
  expect((await outcomes(['50%:503'], 7, 100)).all).toEqual(all)
  expect((await outcomes(['50%:503'], 8, 100)).all).not.toEqual(all)
})

test('a simulated 503 has Retry-After and never reaches the service', async () => {
  const { reached } = await outcomes(['100%:503'], 7, 10)
  expect(reached).toBe(0)
  const answer = withFaults(async () => Promise.reject(new Error('reached')), {
    faults: [{ percent: 100, with: 503 }],
    seed: 7,
  })
  expect(await answer({ method: 'GET', path: '/x' })).toEqual({
    status: 503,
    headers: { 'content-type': 'application/json; charset=UTF-8', 'retry-after': '1' },
    body: '{"code":"calctl_fail","message":"This request failed on purpose, as the server was told to.","data":{"status":503}}',
  })
})

test('a reset comes before the request is handled or after, half and half', async () => {
  expect((await outcomes(['100%:reset'], 7, 1000)).reached / 1000).toBeCloseTo(0.5, 1)
  expect((await outcomes(['100%:timeout'], 7, 1000)).reached / 1000).toBeCloseTo(0.5, 1)
})

/** The answers of a calendar with quirks whose requests all fail in one way, and the calendar itself. */
function failing(fault: string) {
  const { ask, service } = testService({ quirks: true })
  const faults = [readFault(`100%:${fault}`) ?? { percent: 0, with: 500 }]
  const answer = withFaults(service, { faults, seed: 7 })
  const request = (method: string, body?: object): Request => ({
    method,
    path: '/calendar/events/v1/events',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return {
    ask,
    create: async () => (await answer(request('POST', concert))) as Response,
    list: async () => (await answer(request('GET'))) as Response,
  }
}

test('a PHP notice or a comment of a cache stands around the JSON of what was done', async () => {
  const noticed = failing('notice')
  const { status, body } = await noticed.create()
  expect([status, String(body)]).toEqual([
    201,
    expect.stringMatching(/^<br \/>\n<b>Notice<\/b>: [\s\S]*<br \/>\n\{"id":1,/),
  ])
  expect((await noticed.ask('GET /events')).body.total).toBe(1)
  expect(String((await failing('comment').create()).body)).toMatch(/\}\n<!-- .* -->\n$/)
  expect(String((await noticed.list()).body)).toMatch(/^<br \/>/)
})

test.each([
  ['html', 200, /^<!doctype html>/],
  ['empty', 204, /^$/],
  ['accepted', 202, /^$/],
])('a write is carried out although its answer is %s, and reads are answered', async (fault, status, body) => {
  const { ask, create, list } = failing(fault)
  const answer = await create()
  expect([answer.status, String(answer.body)]).toEqual([status, expect.stringMatching(body)])
  expect((await ask('GET /events')).body.total).toBe(1)
  expect(JSON.parse(String((await list()).body))).toMatchObject({ total: 1 })
})

test('an event whose client went away is found by its slug, and in lists once it was saved again', async () => {
  const { ask, create } = failing('unlisted')
  expect(await create()).toBe('reset')
  const listed = async () => (await ask('GET /events')).body.total
  const { body: event } = await ask('GET /events/by-slug/concert')
  expect([event.id, await listed()]).toEqual([1, 0])
  await ask('PUT /events/1', { json: { title: 'Concert' } })
  expect(await listed()).toBe(1)
})
