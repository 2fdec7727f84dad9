import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { worldOf } from '../support/world.ts'

const acknowledged = 'I understand that this endpoint is experimental and may change'

/** A site with the plugin's newer API, which wants a header. */
async function siteWithNewerApi() {
  const received: Record<string, string>[] = []
  const site = await productionSite({
    async intercept({ path, headers = {} }) {
      if (!path.startsWith('/tec/v1')) return undefined
      received.push(headers)
      const isAllowed = headers['x-tec-eea'] === acknowledged
      return {
        status: isAllowed ? 200 : 400,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(
          isAllowed
            ? [{ id: 7 }]
            : { code: 'missing_experimental_endpoint_acknowledgement', message: 'Missing', data: { status: 400 } },
        ),
      }
    },
  })
  return { ...site, received }
}

test('calctl api sends a header with its value, and reaches the newer API of the plugin', async () => {
  const { calctl } = await siteWithNewerApi()
  expect(await calctl('api GET /tec/v1/events')).toMatchObject({ status: 4 })
  const { status, out } = await calctl(['api', 'GET', '/tec/v1/events', '--header', `X-TEC-EEA: ${acknowledged}`])
  expect([status, JSON.parse(out)]).toEqual([0, [{ id: 7 }]])
})

test.each(['X-Key: sesame', 'Authorization: Bearer sesame', 'Cookie: a=sesame', 'X-Api-Token: sesame'])(
  'the value of a header that carries a secret is not taken from the command line: %s',
  async header => {
    const { calctl, seen } = await siteWithNewerApi()
    const { status, err } = await calctl(['api', 'GET', '/tec/v1/events', '--header', header])
    expect([status, err]).toEqual([2, expect.stringContaining('expected the source of the secret')])
    expect(err).not.toContain('sesame')
    expect(seen).toEqual([])
  },
)

test.each(['X-HTTP-Method-Override: DELETE', 'x_http_method_override: PUT'])(
  'a header that would turn a read into a write is refused: %s',
  async header => {
    const { calctl, seen } = await siteWithNewerApi()
    expect(await calctl(['api', 'GET', 'events', '--header', header])).toMatchObject({ status: 2 })
    expect(seen).toEqual([])
  },
)

test('a header from a secret source is masked whatever its name is', async () => {
  const { baseUrl, received } = await siteWithNewerApi()
  const calctl = worldOf({ env: { CALCTL_BASE_URL: baseUrl, CALCTL_NAMESPACE: 'tribe/events/v1', CODE: 'sesame' } })
  for (const option of ['--print-curl', '--debug']) {
    const { out, err } = await calctl(`api GET /tec/v1/events ${option} --header 'X-Visitor: env:CODE'`)
    expect(out + err).not.toContain('sesame')
  }
  expect(received.map(headers => headers['x-visitor'])).toEqual(['sesame', 'sesame'])
})
