import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

test('doc prints the OpenAPI document, or the fields that --fields selects', async () => {
  const calctl = calendar()
  const whole = JSON.parse((await calctl('doc')).out)
  expect(whole).toMatchObject({ openapi: '3.1.0', paths: expect.any(Object) })
  expect(await calctl('doc --fields openapi,info.version -o ndjson')).toEqual({
    status: 0,
    out: `{"openapi":"3.1.0","info":{"version":"${whole.info.version}"}}\n`,
    err: '',
  })
})

test('routes prints the routes of the service', async () => {
  expect(await calendar()('routes --fields namespace -o yaml')).toEqual({
    status: 0,
    out: 'namespace: calendar/events/v1\n',
    err: '',
  })
})
