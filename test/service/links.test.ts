import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

/** A calendar with two venues (1, 2), two organizers (3, 4), two categories (1, 2) and a tag (3). */
async function town() {
  const { ask, store } = testService()
  for (const venue of ['Sala', 'Plaça']) await ask('POST /venues', { json: { venue } })
  for (const organizer of ['Casal', 'Ateneu']) await ask('POST /organizers', { json: { organizer } })
  for (const name of ['Music', 'Food & Drink']) await ask('POST /categories', { json: { name } })
  await ask('POST /tags', { json: { name: 'Free' } })
  return { ask, store, create: (links: object) => ask('POST /events', { json: { ...concert, ...links } }) }
}

test.each<[unknown, string[]]>([
  [['Music'], ['Music']],
  [['MUSIC', 'music'], ['Music']],
  [['food-drink'], ['Food & Drink']],
  [[1], ['Music']],
  [['1'], ['Music']],
  [1, ['Music']],
  ['Music,2', ['Food & Drink', 'Music']],
  [['Rock, Pop'], ['Rock, Pop']],
  ['Rock, Pop', ['Pop', 'Rock']],
  [['', ' '], []],
  ['', []],
])('categories %j are read as %j', async (categories, names) => {
  const { create } = await town()
  const { body } = await create({ categories })
  expect(body.categories.map(({ name }: { name: string }) => name)).toEqual(names)
})

test('an unknown name becomes a new term, an unknown ID does not', async () => {
  const { create, store } = await town()
  expect((await create({ tags: ['free', 'Brand new'] })).body.tags).toMatchObject([{ id: 4 }, { id: 3 }])
  expect((await create({ tags: ['99'] })).body.data.params).toEqual({
    tags: 'Expected tags that exist; there is no tag 99.',
  })
  expect((await create({ tags: [{ name: 'Free' }] })).status).toBe(400)
  expect(store.table('tags').size).toBe(2)
})

test.each<[unknown, number | undefined]>([
  [2, 2],
  ['2', 2],
  [[2], 2],
  [{ id: 2 }, 2],
  [[], undefined],
  ['', undefined],
  [null, undefined],
  [{}, undefined],
  ['0', undefined],
])('venue %j is read as %j', async (venue, id) => {
  const { create } = await town()
  const { body } = await create({ venue })
  expect(body.venue.id).toBe(id)
})

test.each([99, 3, 'Sala', [1, 2], { city: 'Vic' }, { venue: ' ' }, { venue: 'Nova', website: 'nope' }, { venue: 7 }])(
  'venue %j is refused',
  async venue => {
    const { create, store } = await town()
    expect(await create({ venue })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', message: 'Invalid parameter(s): venue' },
    })
    expect(store.table('venues').size).toBe(2)
  },
)

test.each<[unknown, number[]]>([
  [3, [3]],
  ['4,3', [4, 3]],
  [
    [4, '3', { id: 4 }],
    [4, 3],
  ],
  [{ organizer: 'Nou', email: 'a@example.org' }, [5]],
  [
    [{ organizer: 'Nou' }, 3],
    [5, 3],
  ],
  [[], []],
])('organizer %j is read as %j', async (organizer, ids) => {
  const { create } = await town()
  const { body } = await create({ organizer })
  expect(body.organizer.map(({ id }: { id: number }) => id)).toEqual(ids)
})

test('inline records are validated like others, and created before the event', async () => {
  const { create, store } = await town()
  const made = await create({ venue: { venue: 'Nova', city: 'Vic', show_map: false, id: null } })
  expect(made.status).toBe(400)
  const { body } = await create({ venue: { venue: ' Nova ', city: 'Vic', show_map: false } })
  expect(body).toMatchObject({ id: 6, venue: { id: 5, venue: 'Nova', city: 'Vic', slug: 'nova', show_map: false } })
  expect((await create({ venue: { venue: 'X', website: 'nope' } })).body.data.params).toEqual({
    venue: 'website: Expected an http or https URL, such as https://example.org/; got "nope".',
  })
  expect(store.table('venues').size).toBe(3)
})

test('a refused write changes nothing, inline records and new terms included', async () => {
  const { create, ask, store } = await town()
  const before = store.snapshot()
  const everything = {
    venue: { venue: 'Nova' },
    organizer: { organizer: 'Nou' },
    tags: ['new'],
    image: 'https://x.org/a.png',
  }
  expect((await create({ ...everything, end_date: '2026-12-05 18:00:00' })).status).toBe(400)
  expect((await ask('POST /events/99', { json: everything })).status).toBe(404)
  expect(store.snapshot()).toEqual(before)
})

test('an image URL gets an ID that can be used from then on', async () => {
  const { create, ask } = await town()
  const url = 'https://example.org/poster.png'
  expect((await create({ image: url })).body.image).toMatchObject({ id: 5, url })
  expect((await create({ image: url })).body.image).toMatchObject({ id: 5, url })
  expect((await ask('PUT /venues/1', { json: { image: '5' } })).body.image).toMatchObject({ id: 5, url })
  expect((await create({ image: 4711 })).body.image).toMatchObject({ id: 4711 })
  expect((await create({ image: '5e0' })).body.image).toMatchObject({ id: 5, url })
})
