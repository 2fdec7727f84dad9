import { expect, test } from 'vitest'
import { type ControlRequest, createControl } from '../../src/service/http/control.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

const controlRequest = (action: string, more: Partial<ControlRequest> = {}): ControlRequest => ({
  method: 'POST',
  action,
  token: 'open sesame',
  remoteAddress: '127.0.0.1',
  ...more,
})

/** A calendar of tags and its control routes: `add` creates a tag, `names` lists them. */
function tags() {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false })
  return {
    control: createControl(store, 'open sesame'),
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
  const control = createControl(store, 'open sesame')
  calendar.edit(text => text.replace('}]', '}, {"id": 2, "name": "opera"}]'))
  await store.refresh()
  await store.write(writing => writing.delete('tags', 1))
  expect((await control(controlRequest('reset'))).status).toBe(200)
  expect([...store.table('tags').values()].map(({ name }) => name).sort()).toEqual(['jazz', 'opera'])
  await store.close()
})
