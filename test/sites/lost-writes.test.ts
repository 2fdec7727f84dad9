import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { withReconciliation } from '../../src/client/adapters/lost-writes.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'

const [events, venues, tags] = [resourceNamed('events'), resourceNamed('venues'), resourceNamed('tags')]

/** The fate of a write: its answer is lost after it arrived, or the request is lost. */
type Fate = 'answered' | 'answer lost' | 'request lost' | 'answer late' | 'request late'

/** A client of an empty calendar whose network gives its writes these fates, in order. */
function calendar(settings: { fates?: Fate[]; retries?: number; quirks?: boolean; reads?: Fate } = {}) {
  const { fates = [], retries = 3, quirks = false } = settings
  const now = () => new Date('2026-11-21T02:00:00Z')
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks }),
    now,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
    quirks,
  })
  const notices: string[] = []
  const requests: string[] = []
  const network = async (request: Request): Promise<Response> => {
    requests.push(`${request.method} ${request.path.slice('/calendar/events/v1'.length)}`)
    const fate = request.method === 'GET' ? (settings.reads ?? 'answered') : (fates.shift() ?? 'answered')
    const answer = fate.startsWith('request') ? undefined : await service(request)
    if (fate === 'answered' && answer) return { ...answer, headers: { ...answer.headers, date: now().toUTCString() } }
    throw new Failure('unreachable', 'the connection was lost', { done: fate.endsWith('late') ? 'late' : 'unknown' })
  }
  const client = withReconciliation(
    calendarApi({
      transport: network,
      calendar: calendarAt('http://calendar.test', 'calendar/events/v1'),
      namespace: 'calendar/events/v1',
    }),
    {
      retries,
      now: () => now().getTime(),
      pause: async () => {},
      random: Math.random,
      notice: async text => {
        notices.push(text)
      },
    },
  )
  return { client, notices, requests }
}

const concert = {
  title: 'Nit de <b>jazz</b> & blues',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
}

for (const quirks of [false, true]) {
  const dialect = quirks ? 'with --quirks' : 'by default'

  test(`an event whose answer was lost is found ${dialect}`, async () => {
    const { client, notices, requests } = calendar({ fates: ['answer lost'], quirks })
    expect(await client.create(events, concert)).toMatchObject({ id: 1, start_date: '2026-12-05 19:00:00' })
    expect(notices).toEqual(['the connection was lost; the event was created anyway'])
    expect(requests).toEqual([
      'POST /events',
      'GET /events/by-slug/nit-de-jazz-blues',
      'GET /events/by-slug/nit-de-jazz-blues-2',
      'GET /events',
    ])
  })

  test(`a draft whose answer was lost is found ${dialect}`, async () => {
    const { client } = calendar({ fates: ['answer lost'], quirks })
    expect(await client.create(events, { ...concert, status: 'draft' })).toMatchObject({ id: 1, status: 'draft' })
    expect((await client.list(events, { status: 'draft' })).total).toBe(1)
  })

  test(`an event that never arrived is sent again after two lookups ${dialect}`, async () => {
    const { client, notices, requests } = calendar({ fates: ['request lost'], quirks })
    expect(await client.create(events, concert)).toMatchObject({ id: 1 })
    expect(notices).toEqual(['the connection was lost; the event was not created, retrying'])
    const lookup = ['GET /events/by-slug/nit-de-jazz-blues', 'GET /events']
    expect(requests).toEqual(['POST /events', ...lookup, ...lookup, 'POST /events'])
  })

  test(`venues and tags are found by name ${dialect}`, async () => {
    const { client } = calendar({ fates: ['answer lost', 'answer lost'], quirks })
    expect(await client.create(venues, { venue: 'Sala Gran', city: 'Girona' })).toMatchObject({ city: 'Girona' })
    expect(await client.create(tags, { name: 'Aire lliure' })).toMatchObject({ slug: 'aire-lliure' })
    expect((await client.list(venues, {})).total).toBe(1)
    expect((await client.list(tags, { hide_empty: false })).total).toBe(1)
  })

  test(`a lost update is read back, and sent again if it was not applied, ${dialect}`, async () => {
    const { client, requests } = calendar({ fates: ['answered', 'answer lost', 'request lost'], quirks })
    const { id } = await client.create(events, concert)
    requests.length = 0
    expect(await client.update(events, { id }, { title: 'Nit de blues' })).toMatchObject({ title: 'Nit de blues' })
    expect(requests).toEqual(['POST /events/1', 'GET /events/1', 'GET /events'])
    expect(await client.update(events, { id }, { title: 'Nit de soul' })).toMatchObject({ title: 'Nit de soul' })
    expect(requests.slice(3)).toEqual(['POST /events/1', 'GET /events/1', 'GET /events/1', 'POST /events/1'])
  })

  test(`a lost delete is found in the trash, or as missing, ${dialect}`, async () => {
    const fates: Fate[] = ['answered', 'answered', 'answered', 'answer lost', 'answer lost', 'answer lost']
    const { client } = calendar({ fates, quirks })
    const [event, venue] = [await client.create(events, concert), await client.create(venues, { venue: 'Sala Gran' })]
    const tag = await client.create(tags, { name: 'Jazz' })
    expect(await client.delete(events, { id: event.id })).toMatchObject({ id: event.id, status: 'trash' })
    expect(await client.delete(venues, { slug: 'sala-gran' })).toMatchObject({ id: venue.id, status: 'trash' })
    expect(await client.delete(tags, { id: tag.id })).toEqual({ id: tag.id })
  })
}

test('an event that may still arrive is not sent again', async () => {
  const { client, requests } = calendar({ fates: ['request late'] })
  await expect(client.create(events, concert)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'the connection was lost; the event may have been created',
    details: {
      done: 'late',
      hint: `before you try again, check with: calctl events list --all-dates --search 'Nit de <b>jazz</b> & blues'`,
    },
  })
  expect(requests.filter(line => line.startsWith('POST'))).toEqual(['POST /events'])
})

test('without retries, an event that does not exist is reported as not created', async () => {
  await expect(calendar({ fates: ['request lost'], retries: 0 }).client.create(events, concert)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'the connection was lost; the event was not created',
    details: { done: 'no' },
  })
})

test('the outcome is unknown if the site no longer answers', async () => {
  const { client } = calendar({ fates: ['answer lost'], reads: 'request lost' })
  await expect(client.create(tags, { name: 'Jazz' })).rejects.toMatchObject({
    message: 'the connection was lost; the tag may have been created',
    details: {
      done: 'unknown',
      hint: 'before you try again, check with: calctl tags list --no-hide-empty --search Jazz',
    },
  })
})

test('an event of the past whose answer was lost is found', async () => {
  const { client, requests } = calendar({ fates: ['answer lost'] })
  const past = { ...concert, start_date: '2026-10-05 19:00:00', end_date: '2026-10-05 21:00:00' }
  expect(await client.create(events, past)).toMatchObject({ id: 1, start_date: '2026-10-05 19:00:00' })
  expect(requests.filter(line => line.startsWith('POST'))).toEqual(['POST /events'])
})

test('a delete is not taken for done because the site no longer answers', async () => {
  const settings = { fates: ['answered', 'answer lost'] as Fate[], reads: 'answered' as Fate }
  const { client } = calendar(settings)
  const event = await client.create(events, concert)
  settings.reads = 'request lost'
  await expect(client.delete(events, { id: event.id })).rejects.toMatchObject({
    message: 'the connection was lost; event 1 may have been deleted',
    details: { done: 'unknown' },
  })
})

test('an earlier event with the same name and time is not taken for the new one', async () => {
  const { client, notices } = calendar({ fates: ['answered', 'request lost', 'answer lost'] })
  const first = await client.create(events, concert)
  expect((await client.create(events, concert)).id).not.toBe(first.id)
  expect((await client.create(events, concert)).id).toBe(3)
  expect(notices).toEqual([
    'the connection was lost; the event was not created, retrying',
    'the connection was lost; the event was created anyway',
  ])
  expect((await client.list(events, {})).total).toBe(3)
})

test('two events with the same name and day are told apart by their hours', async () => {
  const { client } = calendar({ fates: ['answered', 'request lost'] })
  await client.create(events, concert)
  const late = { ...concert, start_date: '2026-12-05 22:00:00', end_date: '2026-12-05 23:00:00' }
  expect(await client.create(events, late)).toMatchObject({ id: 2, start_date: '2026-12-05 22:00:00' })
})

test('with several candidates for the new record, the outcome is unknown', async () => {
  const { client } = calendar({ fates: ['answer lost', 'answer lost'] })
  await Promise.all([
    expect(client.create(events, concert)).rejects.toMatchObject({ details: { done: 'unknown' } }),
    expect(client.create(events, concert)).rejects.toMatchObject({ details: { done: 'unknown' } }),
  ])
  expect((await client.list(events, {})).total).toBe(2)
})

test('an update that trashes an event is found in the trash', async () => {
  const { client } = calendar({ fates: ['answered', 'answer lost'] })
  const { id } = await client.create(events, concert)
  expect(await client.update(events, { id }, { status: 'trash' })).toMatchObject({ id, status: 'trash' })
})

test('a record that was renamed by its slug is found by the new one', async () => {
  const { client } = calendar({ fates: ['answered', 'answer lost'] })
  const { id } = await client.create(events, { ...concert, slug: 'nit' })
  expect(await client.update(events, { slug: 'nit' }, { slug: 'vespre' })).toMatchObject({ id, slug: 'vespre' })
})

test('after a refusal nothing is looked up', async () => {
  const { client, requests } = calendar()
  await expect(client.create(events, { title: '' })).rejects.toMatchObject({ kind: 'refused' })
  expect(requests).toEqual(['POST /events'])
})
