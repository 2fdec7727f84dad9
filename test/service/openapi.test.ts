import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { resources } from '../../src/contract/contract.ts'
import { languages } from '../../src/contract/languages.ts'
import { concert, testService } from '../support/test-service.ts'

for (const language of languages)
  test(`the document in ${language} is valid OpenAPI 3.1 for an independent validator`, async () => {
    const { body } = await testService().ask(`GET /doc?lang_code=${language}`)
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    expect(body.openapi).toBe('3.1.0')
  })

test('the document is in the language of the request', async () => {
  const { ask } = testService()
  const titleIn = async (line: string) => {
    const { body } = await ask(line)
    return [body.info.title, body.components.schemas.NewEvent.properties.title.description]
  }
  expect(await titleIn('GET /doc')).toEqual(['Events calendar API', 'Title'])
  expect(await titleIn('GET /doc?lang_code=ca')).toEqual(['API del calendari d’esdeveniments', 'Títol'])
  expect(await titleIn('GET /doc?lang_code=en')).toEqual(['Events calendar API', 'Title'])
  expect(await titleIn('GET /es/doc')).toEqual(['API del calendario de eventos', 'Título'])
})

test('every operation has a unique operationId', async () => {
  const { body } = await testService().ask('GET /doc')
  const names = Object.values<Record<string, { operationId?: string }>>(body.paths).flatMap(path =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(names).toHaveLength(new Set(names).size)
  expect(names).toContain('listEvent')
  expect(names).toContain('updateVenueBySlugPATCH')
})

/** A calendar with a record of every resource, and a validator of responses by the schemas of its document. */
async function documented() {
  const { ask } = testService()
  const { body: document } = await ask('GET /doc')
  const validator = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(document, 'doc')
  const errorsOf = (schema: string, value: unknown) => {
    validator.validate(`doc#/components/schemas/${schema}`, value)
    return validator.errors ?? []
  }
  const known = (schema: string): string[] => Object.keys(document.components.schemas[schema].properties)
  const venue = { venue: 'Sala', city: 'Girona', show_map: false, image: 'https://example.org/sala.jpg' }
  const created = {
    categories: await ask('POST /categories', { json: { name: 'Música' } }),
    tags: await ask('POST /tags', { json: { name: 'A l’aire lliure' } }),
    venues: await ask('POST /venues', { json: venue }),
    organizers: await ask('POST /organizers', { json: { organizer: 'Ajuntament', email: 'a@example.org' } }),
    events: await ask('POST /events', {
      json: { ...concert, venue: 1, organizer: [3], categories: [1], tags: [2], cost: '15 €', image: 9 },
    }),
  }
  return { ask, errorsOf, known, created }
}

const schemaOf = { events: 'Event', venues: 'Venue', organizers: 'Organizer', categories: 'Category', tags: 'Tag' }

test('responses to create, get, list, update and delete have exactly the documented keys', async () => {
  const { ask, errorsOf, known, created } = await documented()
  for (const { name, title } of resources) {
    const { status, body: record } = created[name]
    expect(status, name).toBe(201)
    const read = await ask(`GET /${name}/${record.id}`)
    const list = await ask(`GET /${name}?per_page=1&hide_empty=0`)
    const update = await ask(`PATCH /${name}/${record.id}`, { json: { [title]: 'Nou' } })
    const removed = await ask(`DELETE /${name}/${record.id}`)
    expect([read, list, update, removed].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const schema = schemaOf[name]
    for (const answer of [record, read.body, update.body, removed.body, list.body[name][0]]) {
      expect(errorsOf(schema, answer), name).toEqual([])
      expect(known(schema), name).toEqual(expect.arrayContaining(Object.keys(answer)))
    }
    expect(errorsOf(`${schema}List`, list.body), name).toEqual([])
  }
})

test('requests that the service accepts are valid according to the document', async () => {
  const { errorsOf } = await documented()
  expect(
    errorsOf('NewEvent', { ...concert, venue: { venue: 'Sala' }, categories: ['Jazz', 3], website: null }),
  ).toEqual([])
  expect(errorsOf('NewEvent', { title: 'Concert' }).map(({ message }) => message)).toEqual([
    "must have required property 'start_date'",
    "must have required property 'end_date'",
  ])
  expect(errorsOf('VenueChanges', { show_map: 'false', phone: '' })).toEqual([])
})

test('error responses follow the document', async () => {
  const { ask, errorsOf } = await documented()
  const lines = ['POST /events', 'GET /events?page=0', 'GET /events/99', 'GET /nowhere', 'GET /venues?page=9']
  const answers = await Promise.all(lines.map(line => ask(line)))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404])
  for (const { body } of answers) expect(errorsOf('Error', body)).toEqual([])
})

test('the namespace lists its routes with methods and arguments', async () => {
  const { body } = await testService().ask('GET /?lang_code=en')
  expect(Object.keys(body)).toEqual(['namespace', 'routes', '_links'])
  expect(Object.keys(body.routes)).toEqual([
    '/calendar/events/v1',
    '/calendar/events/v1/doc',
    ...['events', 'venues', 'organizers'].flatMap(name => [
      `/calendar/events/v1/${name}`,
      String.raw`/calendar/events/v1/${name}/(?P<id>\d+)`,
      `/calendar/events/v1/${name}/by-slug/(?P<slug>[^/]+)`,
    ]),
    ...['categories', 'tags'].flatMap(name => [
      `/calendar/events/v1/${name}`,
      String.raw`/calendar/events/v1/${name}/(?P<id>\d+)`,
    ]),
  ])
  const events = body.routes['/calendar/events/v1/events']
  expect(events.methods).toEqual(['GET', 'POST'])
  const [list, create] = events.endpoints
  expect(list.args.per_page).toEqual({
    type: 'integer',
    minimum: 1,
    default: 30,
    description: 'Records per page',
    required: false,
  })
  expect(list.args.start_date.default).toBe('2026-11-20 00:00:00')
  expect(create.args.title).toMatchObject({ type: 'string', required: true })
})

test('OPTIONS describes the route', async () => {
  const { status, body } = await testService().ask('OPTIONS /venues/7')
  expect(status).toBe(200)
  expect(body.methods).toEqual(['GET', 'DELETE', 'POST', 'PUT', 'PATCH'])
  expect(body.endpoints[0].args.id).toMatchObject({ type: 'integer', required: true })
})
