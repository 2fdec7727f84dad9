import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWrite } from '../../src/contract/received-request.ts'
import { anyLetters, spellings } from '../support/spellings.ts'
import { concert, testService } from '../support/test-service.ts'

async function calendar(quirks: boolean) {
  const { ask, send, service, store } = testService({ quirks, site: { quirks } })
  await ask('POST /events', { json: { ...concert, status: 'publish' } })
  const titleAfter = async (line: string, headers: Readonly<Record<string, string>> = {}) => {
    await send(line, { headers })
    return store.table('events').get(1)?.title
  }
  return { ask, send, service, titleAfter, store }
}

test('with quirks, _method in the query of a GET is obeyed however its name is written, and it counts as a write', async () => {
  const { titleAfter } = await calendar(true)
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      spellings('_method'),
      anyLetters('post'),
      fc.constantFrom('GET', 'HEAD'),
      async (name, value, method) => {
        const query = `${name}=${value}&title=Round+${++round}`
        expect(isWrite({ method, query }), query).toBe(true)
        expect(await titleAfter(`${method} /events/1?${query}`), query).toBe(`Round ${round}`)
      },
    ),
    { numRuns: 200 },
  )
})

test('with quirks, the header X-HTTP-Method-Override of a GET is obeyed in any letters', async () => {
  const { titleAfter } = await calendar(true)
  let round = 0
  await fc.assert(
    fc.asyncProperty(anyLetters('x-http-method-override'), anyLetters('put'), async (name, value) => {
      const headers = { [name]: value }
      expect(isWrite({ method: 'GET', headers })).toBe(true)
      expect(await titleAfter(`GET /events/1?title=Round+${++round}`, headers)).toBe(`Round ${round}`)
    }),
    { numRuns: 50 },
  )
})

test('without quirks, a GET never writes', async () => {
  const { titleAfter } = await calendar(false)
  await fc.assert(
    fc.asyncProperty(spellings('_method'), fc.constantFrom('POST', 'put', 'DELETE'), async (name, value) => {
      const headers = { 'x-http-method-override': value }
      expect(await titleAfter(`GET /events/1?${name}=${value}&title=Changed`, headers)).toBe('Concert')
    }),
    { numRuns: 100 },
  )
})

test('a parameter of another name is no method, and a list of methods is a failure of the site', async () => {
  const { ask, titleAfter } = await calendar(true)
  for (const name of ['_METHOD', '_Method', 'method', '_method2', '%5Bmethod', '__method', '?_method'])
    expect(await titleAfter(`GET /events/1?${name}=POST&title=Changed`), name).toBe('Concert')
  for (const name of ['_method[]', '_method%5B%5D', '_method[a]'])
    expect(await ask(`GET /events/1?${name}=POST&title=Changed`)).toMatchObject({ status: 500 })
  expect((await ask('GET /events/1')).body.title).toBe('Concert')
})

test('an answer to a GET that writes is not repeated from memory', async () => {
  const { ask, store } = await calendar(true)
  for (const _ of [1, 2]) await ask('GET /events/1?_method=DELETE')
  expect(store.table('events').get(1)?.status).toBe('trash')
  expect((await ask('GET /events', { headers: { 'x-http-method-override': 'OPTIONS' } })).body).toHaveProperty(
    'methods',
  )
  expect((await ask('GET /events')).body).toHaveProperty('events')
})

test('with quirks, _jsonp makes a script of any answer, and an odd name is refused before anything is done', async () => {
  const { send, titleAfter } = await calendar(true)
  const { status, headers, body } = await send('GET /events/1?_fields=id,title&_jsonp=steal')
  expect([status, headers['content-type'], body]).toEqual([
    200,
    'application/javascript; charset=UTF-8',
    '/**/steal({"id":1,"title":"Concert"})',
  ])
  expect(await send('GET /events/9?_jsonp=a.b')).toMatchObject({
    status: 404,
    body: expect.stringMatching(/^\/\*\*\/a\.b\({/),
  })
  for (const name of ['_jsonp=a(b', '_jsonp[]=a', '_jsonp=%C3%A0'])
    expect(await send(`GET /events/1?_method=DELETE&${name}`)).toMatchObject({
      status: 400,
      body: '{"code":"rest_callback_invalid","message":"Invalid JSONP callback function."}',
    })
  expect(await titleAfter('GET /events/1?_jsonp=x')).toBe('Concert')
  expect(JSON.parse(String((await (await calendar(false)).send('GET /events/1?_jsonp=x')).body)).id).toBe(1)
})

test('with quirks, rest_route in the query overrides any path, and _envelope has no headers about caches', async () => {
  const { service, ask } = await calendar(true)
  const { body } = await service({
    method: 'GET',
    path: '/nowhere',
    query: 'rest%5froute=/wp/v2/types&_fields=tribe_venue',
  })
  expect(JSON.parse(String(body))).toHaveProperty('tribe_venue')
  const { body: envelope } = await ask('GET /events/1?_fields=id&_envelope=1')
  expect(envelope).toEqual({ body: { id: 1 }, status: 200, headers: { Allow: expect.any(String) } })
})
