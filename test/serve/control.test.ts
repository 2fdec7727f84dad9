import { expect, test } from 'vitest'
import { Conditions } from '../../src/service/http/conditions.ts'
import { type ControlRequest, createControl } from '../../src/service/http/control.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

const controlRequest = (action: string, more: Partial<ControlRequest> = {}): ControlRequest => ({
  method: 'POST',
  action,
  query: '',
  body: '',
  token: 'open sesame',
  remoteAddress: '127.0.0.1',
  ...more,
})

const conditionsOf = () =>
  new Conditions({ now: () => new Date('2026-11-21T02:00:00Z'), namespace: 'calendar/events/v1' })

/** A calendar of tags and its control routes: `add` creates a tag, `names` lists them. */
function tags() {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false })
  const conditions = conditionsOf()
  return {
    conditions,
    control: createControl(store, conditions, 'open sesame'),
    names: () => [...store.table('tags').values()].map(({ id, name }) => `${id} ${name}`),
    add: (name: string) =>
      store.write(writing => {
        writing.put('tags', { id: writing.nextId('term'), lang_code: 'ca', slug: name, name, description: '' })
      }),
  }
}

test('reset restores the initial calendar and restore the last snapshot, IDs included', async () => {
  const { control, add, names } = tags()
  await add('jazz')
  expect((await control(controlRequest('restore'))).status).toBe(409)
  expect(await control(controlRequest('snapshot'))).toMatchObject({ status: 200, body: '{"done":"snapshot"}' })
  await add('opera')
  await control(controlRequest('restore'))
  expect(names()).toEqual(['1 jazz'])
  await control(controlRequest('reset'))
  expect(names()).toEqual([])
  await control(controlRequest('restore'))
  await add('dance')
  expect(names()).toEqual(['1 jazz', '2 dance'])
})

test.each([
  ['another machine', { remoteAddress: '192.168.1.7' }, 403, 'calctl_loopback_only'],
  ['a wrong token', { token: 'open barley' }, 403, 'calctl_token'],
  ['no token', { token: undefined }, 403, 'calctl_token'],
  ['a GET', { method: 'GET' }, 404, 'rest_no_route'],
  ['another action', { action: 'constructor' }, 404, 'rest_no_route'],
])('%s is refused and changes nothing', async (_, more, status, code) => {
  const { control, add, names } = tags()
  await add('jazz')
  const answer = await control(controlRequest('reset', more))
  expect([answer.status, JSON.parse(String(answer.body)).code]).toEqual([status, code])
  expect(names()).toEqual(['1 jazz'])
})

test('control accepts every loopback address', async () => {
  const { control } = tags()
  for (const remoteAddress of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    expect((await control(controlRequest('reset', { remoteAddress }))).status).toBe(200)
})

test('reset keeps what somebody changed in the file since the start', async () => {
  const calendar = tempCalendarFile({ calendar: '{"calctl": 1, "tags": [{"id": 1, "name": "jazz"}]}' })
  const store = await calendar.open()
  const control = createControl(store, conditionsOf(), 'open sesame')
  calendar.edit(text => text.replace('}]', '}, {"id": 2, "name": "opera"}]'))
  await store.refresh()
  await store.write(writing => writing.delete('tags', 1))
  expect((await control(controlRequest('reset'))).status).toBe(200)
  expect([...store.table('tags').values()].map(({ name }) => name).sort()).toEqual(['jazz', 'opera'])
  await store.close()
})

test('faults, the clock and the requests are set and read while the server runs', async () => {
  const { control, conditions } = tags()
  const post = (action: string, fields: object) => control(controlRequest(action, { body: JSON.stringify(fields) }))
  const answer = conditions.apply(async () => ({ status: 200, headers: {}, body: '' }))
  const sent = async (method: string, path: string) => {
    const outcome = await answer({
      method,
      path: `/calendar/events/v1${path}`,
      query: 'password=secret',
      headers: { authorization: 'Basic secret', 'content-type': 'application/json' },
      body: '{"title":"Ball","password":"secret"}',
    })
    return typeof outcome === 'string' ? outcome : outcome.status
  }
  expect((await post('fail', { route: 'POST /events', status: 503, skip: 1, times: 1 })).status).toBe(200)
  const statuses = [
    await sent('POST', '/events'),
    await sent('GET', '/events/7'),
    await sent('POST', '/events'),
    await sent('POST', '/events'),
  ]
  expect(statuses).toEqual([200, 200, 503, 200])
  const { body } = await control(controlRequest('requests', { method: 'GET', query: 'method=get' }))
  expect(JSON.parse(String(body)).requests).toEqual([
    {
      method: 'GET',
      ms: expect.any(Number),
      route: 'GET /events/{id}',
      path: '/calendar/events/v1/events/7',
      query: { password: '***' },
      headers: { authorization: '***', 'content-type': 'application/json' },
      body: { title: 'Ball', password: '***' },
      status: 200,
      at: '2026-11-21T02:00:00.000Z',
    },
  ])
  await post('clock', { now: '2027-01-01T00:00:00Z' })
  expect(conditions.now().toISOString()).toBe('2027-01-01T00:00:00.000Z')
  await control(controlRequest('reset'))
  expect([conditions.now().toISOString(), conditions.requests()]).toEqual(['2026-11-21T02:00:00.000Z', []])
})

test.each([
  ['fail', { route: 'POST /evnts', status: 503 }, /there is no route "\/evnts"/],
  ['fail', { status: 200 }, /a status from 400 to 599/],
  ['fail', { route: 'POST /events' }, /a status or a fault/],
  ['fail', { status: 503, tims: 2 }, /no "tims"/],
  ['fail', { status: 503, share: 2 }, /share is a number from 0 to 1/],
  ['latency', { latency: 'soon' }, /latency: expected a duration/],
  ['clock', { now: 'soon' }, /now: expected a time/],
])('%s refuses %j with a sentence', async (action, fields, sentence) => {
  const { control, conditions } = tags()
  const { status, body } = await control(controlRequest(action, { body: JSON.stringify(fields) }))
  expect([status, JSON.parse(String(body)).message]).toEqual([400, expect.stringMatching(sentence)])
  expect(conditions.isFrozen).toBe(false)
})

test('a body of control that is no JSON object is refused', async () => {
  const { control } = tags()
  expect((await control(controlRequest('fail', { body: '[1' }))).status).toBe(400)
})
