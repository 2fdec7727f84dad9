import { expect, test } from 'vitest'
import { testService } from '../support/test-service.ts'

const root = (options: Parameters<typeof testService>[0]) => {
  const { service } = testService({ baseUrl: 'http://calendar.test/wp-json', namespace: 'tribe/events/v1', ...options })
  return async (path: string, query = '') => {
    const { status, body } = await service({ method: 'GET', path, query })
    return { status, body: JSON.parse(String(body)) }
  }
}

test('the index of a site names its APIs, and the page where a person allows an application', async () => {
  const get = root({ quirks: true, site: { timezone: 'UTC+2' } })
  expect((await get('/')).body).toMatchObject({
    home: 'http://calendar.test',
    gmt_offset: '2',
    timezone_string: '',
    namespaces: ['tribe/events/v1', 'wp/v2'],
    authentication: {
      'application-passwords': {
        endpoints: { authorization: 'http://calendar.test/wp-admin/authorize-application.php' },
      },
    },
  })
  expect((await get('/', '_fields=namespaces')).body).toEqual({ namespaces: ['tribe/events/v1', 'wp/v2'] })
})

test('a site can be without wp/v2', async () => {
  const get = root({ quirks: true, noWordPress: true })
  expect((await get('/')).body).toMatchObject({ namespaces: ['tribe/events/v1'] })
  expect(await get('/wp/v2/types')).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
  expect((await get('/tribe/events/v1/events')).status).toBe(200)
})
