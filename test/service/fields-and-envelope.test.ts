import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

test('_fields selects keys of a response, also nested ones, but not within the rows of a list', async () => {
  const { ask } = testService()
  await ask('POST /events', { json: { ...concert, venue: { venue: 'Sala', city: 'Girona' }, tags: ['jazz'] } })
  expect((await ask('GET /events/2?_fields=title,id,venue.city')).body).toEqual({
    ...{ id: 2, title: 'Concert', venue: { city: 'Girona' } },
  })
  expect((await ask('GET /events/2?_fields=tags.id,unheard_of')).body).toEqual({ tags: [] })
  expect((await ask('GET /events?_fields=total,events.id')).body).toEqual({ events: [], total: 1 })
  expect((await ask('PUT /events/2?_fields=title', { json: { title: 'Òpera' } })).body).toEqual({ title: 'Òpera' })
})

test('_envelope puts status and headers into the body, and _pretty indents it', async () => {
  const { ask, send } = testService()
  expect(await ask('POST /tags?_envelope', { json: { name: 'Jazz' } })).toMatchObject({
    status: 200,
    body: { body: { id: 1, name: 'Jazz' }, status: 201, headers: { Allow: 'GET, POST' } },
  })
  expect((await send('GET /tags/1?_pretty=1&_fields=id')).body).toBe('{\n    "id": 1\n}')
})
