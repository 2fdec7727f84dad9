import { expect, test } from 'vitest'
import { type ControlRequest, createControl } from '../src/service/http/control.ts'

/** A calendar that is one word. */
function word(state: string) {
  return {
    now: () => state,
    write(next: string) {
      state = next
    },
    snapshot: () => state,
    async restore(next: string) {
      state = next
    },
  }
}

const from = (action: string, more: Partial<ControlRequest> = {}): ControlRequest => ({
  method: 'POST',
  action,
  token: 'open sesame',
  remoteAddress: '127.0.0.1',
  ...more,
})

test('reset goes back to the start, restore to the last snapshot', async () => {
  const store = word('start')
  const control = createControl(store, 'open sesame')
  store.write('morning')
  expect((await control(from('restore'))).status).toBe(409)
  expect(await control(from('snapshot'))).toMatchObject({ status: 200, body: '{"done":"snapshot"}' })
  store.write('evening')
  await control(from('restore'))
  expect(store.now()).toBe('morning')
  await control(from('reset'))
  expect(store.now()).toBe('start')
  await control(from('restore'))
  expect(store.now()).toBe('morning')
})

test.each([
  ['another machine', { remoteAddress: '192.168.1.7' }, 403, 'calctl_loopback_only'],
  ['a wrong token', { token: 'open barley' }, 403, 'calctl_token'],
  ['no token', { token: undefined }, 403, 'calctl_token'],
  ['a GET', { method: 'GET' }, 404, 'rest_no_route'],
  ['another action', { action: 'constructor' }, 404, 'rest_no_route'],
])('%s is refused and changes nothing', async (_, more, status, code) => {
  const store = word('start')
  const control = createControl(store, 'open sesame')
  store.write('morning')
  const answer = await control(from('reset', more))
  expect([answer.status, JSON.parse(String(answer.body)).code]).toEqual([status, code])
  expect(store.now()).toBe('morning')
})

test('this machine has several addresses', async () => {
  for (const remoteAddress of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    expect((await createControl(word('start'), 'open sesame')(from('reset', { remoteAddress }))).status).toBe(200)
})
