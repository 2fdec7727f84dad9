import { expect, test } from 'vitest'
import { executePlan } from '../../src/changes/run/execute.ts'
import { createRateLimiter, parseRate } from '../../src/changes/run/rate-limiter.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { concert, creation, executed, now, planOf, runCalendar, stepOn } from '../support/run-helpers.ts'

test('a run writes linked records first and removes records last', async () => {
  const { client, requests, make, get } = runCalendar()
  const old = await make('events', { ...concert, title: 'Old' })
  const gone = await make('tags', { name: 'Gone' })
  requests.length = 0
  const plan = planOf(
    stepOn('delete', 'tags', gone),
    stepOn('trash', 'events', old),
    creation('events', 'events new', { ...concert, venue: { $ref: 'venues sala' }, tags: [{ $ref: 'tags jazz' }] }),
    creation('venues', 'venues sala', { venue: 'Sala Gran' }),
    creation('tags', 'tags jazz', { name: 'Jazz' }),
  )
  const { results } = await executePlan(plan, { client, now, jobs: 1 })
  const writes = ['POST /venues', 'POST /tags', 'POST /events', 'DELETE /events/1', 'DELETE /tags/1']
  expect(requests.filter(line => !line.startsWith('GET'))).toEqual(writes)
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['venues sala', 'done', 2],
    ['tags jazz', 'done', 2],
    ['events new', 'done', 3],
    ['events 1', 'done', 1],
    ['tags 1', 'done', 1],
  ])
  expect(await get('events', 3)).toMatchObject({ venue: { id: 2, venue: 'Sala Gran' }, tags: [{ name: 'Jazz' }] })
})

test('a run sends one request for an update, which changes nothing else', async () => {
  const { client, requests, make, get } = runCalendar({ quirks: true })
  const draft = await make('events', { ...concert, status: 'draft', cost: '15', featured: true })
  requests.length = 0
  await executePlan(planOf(stepOn('update', 'events', draft, { title: 'Recital' })), { client, now, readAt: now() })
  expect(requests).toEqual(['POST /events/1'])
  expect(await get('events', 1)).toMatchObject({ title: 'Recital', status: 'draft', cost: '$15', featured: true })
})

test('a step that fails stops only the steps that depend on it', async () => {
  const { client } = runCalendar()
  const plan = planOf(
    creation('venues', 'venues sala', { venue: ' ' }),
    creation('events', 'events a', { ...concert, venue: { $ref: 'venues sala' } }),
    creation('events', 'events b', concert),
  )
  const { results } = await executePlan(plan, { client, now })
  expect(Object.fromEntries([...results].map(([key, { state, failure }]) => [key, [state, failure?.message]]))).toEqual(
    {
      'venues sala': ['failed', expect.stringContaining('venue')],
      'events a': ['skipped', 'event "Concert" needs venue " ", which was not written'],
      'events b': ['done', undefined],
    },
  )
})

test('a journal has the plan, the attempts and the results, and no secrets', async () => {
  const { client, make } = runCalendar()
  const event = await make('events', concert)
  const plan = planOf(
    creation('tags', 'tags jazz', { name: 'Jazz' }),
    stepOn('update', 'events', event, { title: 'Recital', tags: [{ $ref: 'tags jazz' }], password: 'secret' }),
  )
  const { past } = await executed(plan, { client })
  expect(Array.from(past.plan.steps, ({ key, values }) => [key, values])).toEqual([
    ['tags jazz', { name: 'Jazz' }],
    ['events 1', { title: 'Recital', tags: [{ $ref: 'tags jazz' }] }],
  ])
  expect(Object.fromEntries(past.results)).toEqual({
    'tags jazz': { state: 'done', id: 1 },
    'events 1': { state: 'done', id: 1, modified: expect.any(String) },
  })
  expect(past.valuesAfter('tags jazz')).toEqual({ name: 'Jazz', slug: 'jazz' })
  expect(past.valuesAfter('events 1')).toEqual({ title: 'Recital', tags: [1] })
  expect(past.hasEnded).toBe(true)
})

const tags = (count: number) =>
  planOf(...Array.from({ length: count }, (_, index) => creation('tags', `tag ${index}`, { name: `Tag ${index}` })))

test('a run that is stopped finishes the steps in progress and sends no others', async () => {
  const { client } = runCalendar()
  const stopping = new AbortController()
  const { results, interrupted, past } = await executed(tags(5), {
    client,
    jobs: 2,
    signal: stopping.signal,
    onResult: () => stopping.abort(),
  })
  expect(interrupted).toBe(true)
  expect(Object.fromEntries([...results].map(([key, { state }]) => [key, state]))).toEqual({
    'tag 0': 'done',
    'tag 1': 'done',
    'tag 2': 'skipped',
    'tag 3': 'skipped',
    'tag 4': 'skipped',
  })
  expect([...past.results.keys()]).toEqual(['tag 0', 'tag 1'])
})

test('a run sends nothing more after --stop-after failures', async () => {
  const { client, make, requests } = runCalendar()
  for (const name of ['Tag 0', 'Tag 2', 'Tag 3']) await make('tags', { name })
  requests.length = 0
  const { results } = await executePlan(tags(5), { client, now, jobs: 1, stopAfter: 2 })
  expect([...results.values()].map(({ state }) => state)).toEqual(['failed', 'done', 'failed', 'skipped', 'skipped'])
  expect(requests).toHaveLength(3)
})

test('a rate limit spaces writes evenly', async () => {
  let time = 0
  const waits: number[] = []
  const pace = createRateLimiter(parseRate('5/s'), {
    now: () => time,
    sleep: async ms => {
      waits.push(ms)
      time += ms
    },
  })
  for (let write = 0; write < 4; write++) await pace()
  expect(waits).toEqual([200, 200, 200])
  expect(parseRate('90/m')).toBe(1.5)
})

test('a run keeps records that changed since the plan was made', async () => {
  const { client, make, get } = runCalendar()
  const [one, two, gone] = [await make('events', concert), await make('events', concert), await make('events', concert)]
  const plan = planOf(...[one, two, gone].map(event => stepOn('update', 'events', event, { title: 'Recital' })))
  await client.overwrite(resourceNamed('events'), { id: 2 }, { title: 'Opera', cost: '10' })
  await client.delete(resourceNamed('events'), { id: 3 })
  const { results } = await executePlan(plan, { client, now })
  expect(Object.fromEntries([...results].map(([key, { state, failure }]) => [key, [state, failure?.message]]))).toEqual(
    {
      'events 1': ['done', undefined],
      'events 2': ['failed', 'event 2 changed in the meantime: title'],
      'events 3': ['failed', 'event 3 was trashed, restored or deleted in the meantime at http://calendar.test'],
    },
  )
  expect(await get('events', 2)).toMatchObject({ title: 'Opera', cost: '10' })
})

test('120 records that were read by pages are updated in 120 requests', async () => {
  const { client, make, requests } = runCalendar()
  const steps = []
  for (let n = 0; n < 120; n++)
    steps.push(stepOn('update', 'events', await make('events', concert), { title: `Concert ${n}` }))
  requests.length = 0
  const plan = planOf(...steps)
  await executePlan(plan, { client, now })
  expect(requests.filter(line => line === 'GET /events')).toHaveLength(3)
  expect(requests).toHaveLength(123)
})

test('circular references are refused', async () => {
  const { client } = runCalendar()
  const plan = planOf(
    creation('categories', 'a', { name: 'A', parent: { $ref: 'b' } }),
    creation('categories', 'b', { name: 'B', parent: { $ref: 'a' } }),
  )
  await expect(executePlan(plan, { client, now })).rejects.toMatchObject({
    kind: 'usage',
    message: 'circular references: a → b → a',
  })
})
