import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

test('the language comes from lang_code, the path or the default, in this order', async () => {
  const { ask } = testService()
  const languageOf = async (line: string, json: object) => (await ask(line, { json })).body.lang_code
  expect(await languageOf('POST /events', concert)).toBe('ca')
  expect(await languageOf('POST /en/events', concert)).toBe('en')
  expect(await languageOf('POST /ES/events', concert)).toBe('es')
  expect(await languageOf('POST /events?lang_code=en', concert)).toBe('en')
  expect(await languageOf('POST /events?lang_code=EN', concert)).toBe('en')
  expect(await languageOf('POST /events', { ...concert, lang_code: 'es' })).toBe('es')
  expect(await languageOf('POST /en/events?lang_code=ca', { ...concert, lang_code: 'es' })).toBe('es')
})

test('a calendar has its own default language', async () => {
  const { ask } = testService({ site: { language: 'en' } })
  expect((await ask('POST /tags', { json: { name: 'Jazz' } })).body.lang_code).toBe('en')
})

test('an unknown language is refused', async () => {
  const { ask } = testService()
  expect(await ask('GET /events?lang_code=fr')).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): lang_code',
      data: { params: { lang_code: 'Expected one of ca, en, es; got "fr".' } },
    },
  })
  expect((await ask('GET /fr/events')).body.code).toBe('rest_no_route')
})

test('a record of another language is missing, and the response names its language', async () => {
  const { ask } = testService()
  await ask('POST /en/events', { json: concert })
  const missing = {
    status: 404,
    body: { code: 'rest-event-not-found', message: 'Event with ID 1 does not exist in ca; it is in en.' },
  }
  expect(await ask('GET /events/1')).toMatchObject(missing)
  expect(await ask('POST /events/1', { json: { title: 'Òpera' } })).toMatchObject(missing)
  expect(await ask('DELETE /events/1')).toMatchObject(missing)
  expect((await ask('GET /en/events/1')).status).toBe(200)
  expect((await ask('GET /events/by-slug/concert')).status).toBe(404)
})

test('slugs, names and links belong to one language', async () => {
  const { ask } = testService()
  expect((await ask('POST /events', { json: concert })).body.slug).toBe('concert')
  expect((await ask('POST /en/events', { json: concert })).body.slug).toBe('concert')
  expect((await ask('POST /tags', { json: { name: 'Jazz' } })).body).toMatchObject({ id: 1, slug: 'jazz' })
  expect((await ask('POST /en/tags', { json: { name: 'Jazz' } })).body).toMatchObject({ id: 2, slug: 'jazz' })
  const linked = await ask('POST /en/events', { json: { ...concert, tags: ['jazz'] } })
  expect(linked.body.tags).toMatchObject([{ id: 2 }])
  expect((await ask('POST /en/events', { json: { ...concert, tags: [1] } })).body.data.params).toEqual({
    tags: 'Expected tags that exist; there is no tag 1.',
  })
})
