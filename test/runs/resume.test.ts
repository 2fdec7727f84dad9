import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { executePlan } from '../../src/changes/run/execute.ts'
import { type JournaledRun, readJournal } from '../../src/changes/run/journal-reader.ts'
import { undoPlan } from '../../src/changes/undo/undo-plan.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import {
  concert,
  creation,
  executed,
  Killed,
  killed,
  now,
  planOf,
  resumed,
  runCalendar,
  stepOn,
} from '../support/run-helpers.ts'

const events = resourceNamed('events')

const three = planOf(
  creation('events', 'a', { ...concert, title: 'A' }),
  creation('events', 'b', { ...concert, title: 'B' }),
  creation('events', 'c', { ...concert, title: 'C' }),
)

/** Throws at the nth write. */
const atWrite = (number: number, error: Error) => {
  let writes = 0
  return ({ method }: { method: string }) => {
    if (method !== 'GET' && ++writes === number) throw error
  }
}

test('resume finds a record whose create was not answered, and does not create it twice', async () => {
  const { client, happen, requests } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const past = await killed(three, { client, jobs: 1 })
  expect([...past.attempts.keys()]).toEqual(['a', 'b'])
  expect([...past.results.keys()]).toEqual(['a'])
  requests.length = 0
  const { results, waits } = await resumed(client, past)
  expect(waits).toEqual([2000])
  expect(requests).toEqual(['GET /events/by-slug/b', 'GET /events/by-slug/b-2', 'GET /events', 'POST /events'])
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['b', 'done', 2],
    ['c', 'done', 3],
  ])
  expect((await client.list(events, {})).records.map(({ title }) => title)).toEqual(['A', 'B', 'C'])
})

test('resume waits by how long the machine was up, not by a clock that was set back', async () => {
  const { client, happen } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const past = await killed(three, { client, jobs: 1 })
  const up = past.attempts.get('b')?.up ?? 0
  const setBack = () => now() - 86_400_000
  const boot = past.boot
  expect((await resumed(client, past, { now: setBack, boot, up: () => up + 3_600_000 })).waits).toEqual([])
})

test('resume waits for a request that was just sent, although the clock was set ahead', async () => {
  const { client, happen } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const past = await killed(three, { client, jobs: 1 })
  const up = past.attempts.get('b')?.up ?? 0
  const setAhead = () => now() + 86_400_000
  expect((await resumed(client, past, { now: setAhead, boot: past.boot, up: () => up + 500 })).waits).toEqual([1500])
})

test('resume finds a created tag although an event of the run has the same ID', async () => {
  const { client, happen } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const plan = planOf(creation('tags', 'jazz', { name: 'Jazz' }), creation('events', 'a', concert))
  const past = await killed(plan, { client, jobs: 1 })
  delete happen.after
  const { results } = await resumed(client, past)
  expect([...results.values()]).toEqual([{ state: 'done', id: 1 }])
})

test('resume sends a create again that never arrived', async () => {
  const { client, happen } = runCalendar()
  happen.before = atWrite(2, new Killed())
  const { results } = await resumed(client, await killed(three, { client, jobs: 1 }))
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['b', 'done', 2],
    ['c', 'done', 3],
  ])
})

test('resume does not send a create again whose outcome stays unknown', async () => {
  const { client, happen, requests, make } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const past = await killed(three, { client, jobs: 1 })
  await make('events', { ...concert, title: 'B' })
  requests.length = 0
  const { results, past: after } = await resumed(client, past)
  expect(results.get('b')).toMatchObject({
    state: 'unknown',
    failure: { message: 'event "B": outcome unknown: it was sent but not answered' },
  })
  expect(requests.filter(line => line.startsWith('POST'))).toEqual(['POST /events'])
  expect(after.results.get('b')).toMatchObject({ state: 'unknown' })
})

test('resume sends failed steps again, and done steps not', async () => {
  const { client, happen, requests } = runCalendar()
  happen.before = atWrite(1, new Failure('unreachable', 'nothing answers', { done: 'no' }))
  const { past } = await executed(three, { client, jobs: 1 })
  expect(past.results.get('a')).toEqual({
    state: 'failed',
    failure: { kind: 'unreachable', message: 'nothing answers' },
  })
  requests.length = 0
  const { results } = await resumed(client, past)
  expect([...results.keys()]).toEqual(['a'])
  expect(requests).toEqual(['POST /events'])
})

test('resume sends an update again that was not answered, but not one whose record somebody changed', async () => {
  const { client, happen, make, get } = runCalendar()
  const [one, two, other] = [
    await make('events', concert),
    await make('events', concert),
    await make('events', concert),
  ]
  const plan = planOf(...[one, two, other].map(event => stepOn('update', 'events', event, { title: 'Recital' })))
  happen.after = atWrite(1, new Killed())
  const past = await killed(plan, { client, jobs: 1 })
  delete happen.after
  await client.overwrite(events, { id: 2 }, { title: 'Opera' })
  const { results, past: after } = await resumed(client, past)
  expect(Object.fromEntries(results)).toMatchObject({
    'events 1': { state: 'done', id: 1 },
    'events 2': {
      state: 'failed',
      failure: { kind: 'conflict', message: 'event 2 changed in the meantime: title' },
    },
    'events 3': { state: 'done', id: 3 },
  })
  expect(after.results.get('events 1')).toMatchObject({ state: 'done', id: 1 })
  expect(after.valuesAfter('events 1')).toEqual({ title: 'Recital' })
  expect(await get('events', 2)).toMatchObject({ title: 'Opera' })
})

test('resume recognizes a done update that links to a record of the same run', async () => {
  const { client, happen, make, get } = runCalendar()
  const event = await make('events', concert)
  const plan = planOf(
    creation('venues', 'hall', { venue: 'Sala' }),
    creation('tags', 'jazz', { name: 'Jazz' }),
    stepOn('update', 'events', event, { venue: [{ $ref: 'hall' }], tags: [{ $ref: 'jazz' }] }),
  )
  happen.after = atWrite(3, new Killed())
  const past = await killed(plan, { client, jobs: 1 })
  delete happen.after
  const { results, past: after } = await resumed(client, past)
  expect([...results]).toEqual([['events 1', { state: 'done', id: 1 }]])
  expect(after.valuesAfter('events 1')).toEqual({ venue: 2, tags: [1] })
  expect(await get('events', 1)).toMatchObject({ venue: { id: 2 }, tags: [{ id: 1 }] })
})

test('resume does not send a step without its password, which journals do not keep', async () => {
  const { client, happen, requests, make } = runCalendar()
  const event = await make('events', concert)
  const plan = planOf(stepOn('update', 'events', event, { title: 'Recital', password: 'sesam' }))
  happen.before = atWrite(1, new Killed())
  const past = await killed(plan, { client })
  expect(readFileSync(past.file, 'utf8')).not.toContain('sesam')
  requests.length = 0
  const { results } = await resumed(client, past)
  expect(results.get('events 1')).toMatchObject({
    state: 'failed',
    failure: {
      message: 'event 1 needs a password, which the journal does not keep',
      details: { hint: 'update it separately with: --password …' },
    },
  })
  expect(requests.filter(request => !request.startsWith('GET'))).toEqual([])
})

test('resume recognizes a done delete that was not answered', async () => {
  const { client, happen, make } = runCalendar()
  const [event, tag] = [await make('events', concert), await make('tags', { name: 'Jazz' })]
  const plan = planOf(stepOn('trash', 'events', event), stepOn('delete', 'tags', tag))
  happen.after = ({ method }) => {
    if (method === 'DELETE') throw new Killed()
  }
  const past = await killed(plan, { client })
  delete happen.after
  const { results } = await resumed(client, past)
  expect([...results.values()].map(({ state }) => state)).toEqual(['done', 'done'])
})

test('resume recognizes a done update to the trash that was not answered, and undo restores it', async () => {
  const { client, happen, make, get } = runCalendar()
  const event = await make('events', concert)
  happen.after = atWrite(1, new Killed())
  const plan = planOf(stepOn('update', 'events', event, { title: 'Gone', status: 'trash' }))
  const { results, past } = await resumed(client, await killed(plan, { client }))
  expect([...results.values()]).toMatchObject([{ state: 'done', id: event.id }])
  await executePlan(await undoPlan(client, past, plan.made), { client, now })
  expect(await get('events', event.id)).toMatchObject({ title: 'Concert', status: 'publish' })
})

test('after a crash of the machine, resume also looks for creates that the journal does not have', async () => {
  const { client, happen, requests } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const { file } = await killed(three, { client, jobs: 1 })
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, text.indexOf('{"sent":"b"')))
  requests.length = 0
  const { results } = await resumed(client, readJournal(file), { upSince: Number.POSITIVE_INFINITY })
  expect(requests.filter(line => line.startsWith('POST'))).toEqual(['POST /events'])
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['b', 'done', 2],
    ['c', 'done', 3],
  ])
})

/** The journal of a run whose machine crashed before these entries were on disk. */
function lostFrom(file: string, part: string): JournaledRun {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, text.indexOf(part)))
  return readJournal(file)
}

test('what resume found after a crash of the machine is kept, even if resume is interrupted', async () => {
  const { client, happen } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const { file } = await killed(three, { client, jobs: 1 })
  const past = lostFrom(file, '{"sent":"a"')
  await resumed(client, past, { upSince: Number.POSITIVE_INFINITY, signal: AbortSignal.abort() })
  expect([...(await resumed(client, readJournal(file))).results.keys()]).toEqual(['c'])
  expect((await client.list(events, {})).total).toBe(3)
})

test('a create of unknown outcome after a crash of the machine is not sent by a later resume', async () => {
  const { client, happen, make } = runCalendar()
  happen.after = atWrite(2, new Killed())
  const { file } = await killed(three, { client, jobs: 1 })
  await make('events', { ...concert, title: 'B' })
  const { past } = await resumed(client, lostFrom(file, '{"sent":"b"'), { upSince: Number.POSITIVE_INFINITY })
  expect(past.results.get('b')).toMatchObject({ state: 'unknown' })
  expect((await resumed(client, past)).results.get('b')).toMatchObject({ state: 'unknown' })
  expect((await client.list(events, {})).total).toBe(4)
})

test('resume recognizes an update that was done before a crash of the machine', async () => {
  const { client, make } = runCalendar()
  const event = await make('events', concert)
  const { past } = await executed(planOf(stepOn('update', 'events', event, { title: 'Recital' })), { client })
  const { results } = await resumed(client, lostFrom(past.file, '{"sent":'), { upSince: Number.POSITIVE_INFINITY })
  expect([...results.values()]).toMatchObject([{ state: 'done', id: event.id }])
})

test('resume overwrites an incomplete last line of the journal', async () => {
  const { client, happen } = runCalendar()
  happen.before = atWrite(2, new Killed())
  const { file } = await killed(three, { client, jobs: 1 })
  appendFileSync(file, '{"done":"b","i')
  const { past } = await resumed(client, readJournal(file))
  expect(past.damagedLine).toBeUndefined()
  expect([...past.results.keys()]).toEqual(['a', 'b', 'c'])
})

/** Replaces a part of the text of a journal. */
function spoil(file: string, part: string, spoilt: string): string {
  writeFileSync(file, readFileSync(file, 'utf8').replace(part, spoilt))
  return file
}

test('resume reconciles the entry of a damaged journal line, and creates nothing twice', async () => {
  const { client, happen, requests, make, get } = runCalendar()
  const event = await make('events', concert)
  const plan = planOf(...three.steps, stepOn('update', 'events', event, { title: 'Recital' }))
  happen.after = atWrite(4, new Killed())
  const { file } = await killed(plan, { client, jobs: 1 })
  delete happen.after
  spoil(spoil(file, '"done":"b"', '"done":"b'), '"sent":"events 1"', 'sent')
  requests.length = 0
  const { results, past } = await resumed(client, readJournal(file))
  expect([...results].map(([key, { state, id }]) => [key, state, id])).toEqual([
    ['b', 'done', 3],
    ['events 1', 'done', 1],
  ])
  expect(requests.filter(request => !request.startsWith('GET'))).toEqual(['POST /events/1'])
  expect(past.results.size).toBe(4)
  expect(await get('events', 1)).toMatchObject({ title: 'Recital' })
})

test('a run whose plan is damaged in the journal is not resumed, but can be undone', async () => {
  const { client } = runCalendar()
  const { past } = await executed(three, { client })
  const damaged = readJournal(spoil(past.file, '{"step":{"key":"b"', '{"key":"b"'))
  await expect(resumed(client, damaged)).rejects.toMatchObject({
    kind: 'settings',
    message: expect.stringMatching(/^the plan in the journal .*20261121-020000.000-q3u.ndjson is damaged at line 3$/),
    details: {
      hint: 'review it with: calctl runs show q3u; undo it with: calctl undo q3u; then run the command again',
    },
  })
  const { steps } = await undoPlan(client, damaged, '2026-11-21T02:00:00Z')
  expect(Array.from(steps, ({ key, action }) => [key, action])).toEqual([
    ['undo c', 'trash'],
    ['undo a', 'trash'],
  ])
})

test('a journal that ends in the plan is refused', async () => {
  const { client } = runCalendar()
  const { past } = await executed(three, { client })
  const text = readFileSync(past.file, 'utf8')
  truncateSync(past.file, text.indexOf('\n', text.indexOf('"key":"b"')) + 1)
  await expect(resumed(client, readJournal(past.file))).rejects.toMatchObject({
    message: expect.stringMatching(/20261121-020000.000-q3u.ndjson was cut off in its plan$/),
  })
})
