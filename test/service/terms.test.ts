import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

test('names are unique without regard to case: categories below a parent, tags everywhere', async () => {
  const { ask } = testService()
  await ask('POST /categories', { json: { name: 'Música' } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })
  expect(await ask('POST /categories', { json: { name: 'MÚSICA' } })).toMatchObject({
    status: 400,
    body: {
      code: 'term_exists',
      message: 'A term with the name provided already exists with this parent.',
      data: { status: 400, term_id: 1 },
    },
  })
  expect((await ask('POST /categories', { json: { name: 'Jazz' } })).body).toMatchObject({ id: 3, slug: 'jazz-2' })
  await ask('POST /tags', { json: { name: 'Free' } })
  expect(await ask('POST /tags', { json: { name: 'free' } })).toMatchObject({
    status: 400,
    body: {
      code: 'term_exists',
      message: 'A term with the name provided already exists in this taxonomy.',
      data: { term_id: 4 },
    },
  })
  expect((await ask('PUT /tags/4', { json: { name: 'FREE' } })).body.name).toBe('FREE')
})

test('a slug that another term has is numbered for a new one and refused for an old one', async () => {
  const { ask } = testService()
  await ask('POST /tags', { json: { name: 'Jazz' } })
  expect((await ask('POST /tags', { json: { name: 'Rock', slug: 'jazz' } })).body.slug).toBe('jazz-2')
  expect(await ask('POST /tags/2', { json: { slug: 'jazz' } })).toMatchObject({
    status: 400,
    body: { code: 'duplicate_term_slug' },
  })
})

test('the parent of a category must exist, and cannot be one of its children', async () => {
  const { ask } = testService()
  await ask('POST /categories', { json: { name: 'Música' } })
  expect((await ask('POST /categories', { json: { name: 'Jazz', parent: 1 } })).body.parent).toBe(1)
  for (const parent of [0, 99]) expect((await ask('PUT /categories/2', { json: { parent } })).status).toBe(400)
  for (const id of [1, 2])
    expect(await ask(`PUT /categories/${id}`, { json: { parent: 2 } })).toMatchObject({
      status: 400,
      body: {
        code: 'rest_invalid_param',
        data: {
          params: {
            parent: 'Expected another category that is not below this one: a category cannot be its own ancestor.',
          },
        },
      },
    })
  expect((await ask('PUT /categories/2', { json: { parent: null } })).body.parent).toBe(0)
})

test('deleting a term moves its children up and removes it from events', async () => {
  const { ask } = testService()
  await ask('POST /categories', { json: { name: 'Art' } })
  await ask('POST /categories', { json: { name: 'Música', parent: 1 } })
  await ask('POST /categories', { json: { name: 'Jazz', parent: 2 } })
  await ask('POST /events', { json: { ...concert, categories: [2, 3] } })
  expect(await ask('DELETE /categories/2')).toMatchObject({ status: 200, body: { id: 2, name: 'Música', parent: 1 } })
  expect((await ask('GET /categories/3')).body.parent).toBe(1)
  expect((await ask('GET /events/1')).body.categories).toMatchObject([{ id: 3 }])
  expect((await ask('DELETE /categories/2')).body.code).toBe('rest-category-not-found')
})

test('creating a term returns its Location', async () => {
  const { ask } = testService()
  expect((await ask('POST /en/tags', { json: { name: 'Jazz' } })).headers.location).toBe(
    'http://calendar.test/en/calendar/events/v1/tags/1',
  )
})
