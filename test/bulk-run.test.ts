import { expect, test } from 'vitest'
import { runPlan } from '../src/bulk/run.ts'
import { bulkCalendar, carriedOut, concert, creation, now, planOf, stepOn } from './bulk.ts'

test('a plan is carried out: what is linked to first, what is taken away last', async () => {
  const { client, asked, make, get } = bulkCalendar()
  const old = await make('events', { ...concert, title: 'Old' })
  const gone = await make('tags', { name: 'Gone' })
  asked.length = 0
  const plan = planOf(
    stepOn('delete', 'tags', gone),
    stepOn('trash', 'events', old),
    creation('events', 'events new', { ...concert, venue: { $ref: 'venues sala' }, tags: [{ $ref: 'tags jazz' }] }),
    creation('venues', 'venues sala', { venue: 'Sala Gran' }),
    creation('tags', 'tags jazz', { name: 'Jazz' }),
  )
  const { results } = await runPlan(plan, { client, now, jobs: 1 })
  expect(asked).toEqual(['POST /venues', 'POST /tags', 'POST /events', `DELETE /events/1`, 'DELETE /tags/1'])
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['venues sala', 'done', 2],
    ['tags jazz', 'done', 2],
    ['events new', 'done', 3],
    ['events 1', 'done', 1],
    ['tags 1', 'done', 1],
  ])
  expect(await get('events', 3)).toMatchObject({ venue: { id: 2, venue: 'Sala Gran' }, tags: [{ name: 'Jazz' }] })
})

test('an update is one request, and changes nothing else', async () => {
  const { client, asked, make, get } = bulkCalendar({ quirks: true })
  const draft = await make('events', { ...concert, status: 'draft', cost: '15', featured: true })
  asked.length = 0
  await runPlan(planOf(stepOn('update', 'events', draft, { title: 'Recital' })), { client, now })
  expect(asked).toEqual(['POST /events/1'])
  expect(await get('events', 1)).toMatchObject({ title: 'Recital', status: 'draft', cost: '$15', featured: true })
})

test('a step that fails stops those that need it, and no other', async () => {
  const { client } = bulkCalendar()
  const plan = planOf(
    creation('venues', 'venues sala', { venue: ' ' }),
    creation('events', 'events a', { ...concert, venue: { $ref: 'venues sala' } }),
    creation('events', 'events b', concert),
  )
  const { results } = await runPlan(plan, { client, now })
  expect(Object.fromEntries([...results].map(([key, { state, failure }]) => [key, [state, failure?.message]]))).toEqual(
    {
      'venues sala': ['failed', expect.stringContaining('venue')],
      'events a': ['skipped', 'event "Concert" needs "venues sala", which was not done'],
      'events b': ['done', undefined],
    },
  )
})

test('the journal tells what was planned, sent and answered, and keeps no secrets', async () => {
  const { client, make } = bulkCalendar()
  const event = await make('events', concert)
  const plan = planOf(
    creation('tags', 'tags jazz', { name: 'Jazz' }),
    stepOn('update', 'events', event, { title: 'Recital', tags: [{ $ref: 'tags jazz' }], password: 'secret' }),
  )
  const { past } = await carriedOut(plan, { client })
  expect(past.plan.steps.map(({ key, values }) => [key, values])).toEqual([
    ['tags jazz', { name: 'Jazz' }],
    ['events 1', { title: 'Recital', tags: [{ $ref: 'tags jazz' }] }],
  ])
  expect(Object.fromEntries(past.past)).toEqual({
    'tags jazz': { state: 'done', id: 1, left: { name: 'Jazz' } },
    'events 1': { state: 'done', id: 1, left: { title: 'Recital', tags: [1] } },
  })
  expect(past.ended).toBe(true)
})
