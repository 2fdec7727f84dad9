import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { createAllow, unwritable } from '../../src/client/adapters/allowed-values.ts'
import { readAnywhere } from '../../src/client/adapters/reconcile.ts'
import { idsOfSlugs } from '../../src/client/adapters/stored-records.ts'
import type { Reads, Values } from '../../src/client/client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Answer } from '../../src/contract/resource.ts'

const events = resourceNamed('events')

/** A site with the events API alone, or also with WordPress's own; `listed` answers the queries of its lists. */
const site = (listed?: (query: Values) => readonly object[]) =>
  ({
    capabilities: { takesEveryValue: false },
    calendar: { label: 'example.org' },
    wordpress: async () =>
      listed && {
        isOpen: async () => true,
        list: async (_resource: unknown, query: Values) => ({ records: listed(query), total: 0, pages: 1 }),
      },
  }) as unknown as Reads

const jazz = { id: 1, title: 'Jazz', slug: 'jazz', status: 'publish' } as Answer

test('a password that a site cannot write is not in the message', async () => {
  const refused = createAllow(site())(events, { post_password: 'sesame' }, jazz)
  await expect(refused).rejects.toMatchObject({ kind: 'refused', message: expect.not.stringContaining('sesame') })
})

test('a value that a site cannot write is in the message', async () => {
  const refused = createAllow(site())(resourceNamed('venues'), { slug: 'sala' }, { id: 2, slug: 'sala-gran' } as Answer)
  await expect(refused).rejects.toMatchObject({ kind: 'refused', message: expect.stringMatching(/, not "sala"$/) })
})

test('what the events API would not keep is no reason where nothing has to be written', () => {
  expect(unwritable(site(), events, jazz, { title: 'Blues' })).toBeUndefined()
  expect(
    unwritable(site(), events, { ...jazz, raw: { cost: '12,50 €' } } as Answer, { title: 'Blues' }),
  ).toBeUndefined()
  const severalCosts = { ...jazz, raw: { cost: '5, 10 or 15' } } as Answer
  expect(unwritable(site(), events, severalCosts, { title: 'Blues' })).toMatchObject({
    message: expect.stringMatching(/^cost: example\.org would not show /),
    details: { hint: expect.stringContaining('write: ') },
  })
})

test('a record that cannot be read is not taken for one that is gone', async () => {
  const answering = (kind: 'missing' | 'refused') =>
    ({
      get: async () => {
        throw new Failure(kind, 'no')
      },
    }) as unknown as Reads
  expect(await readAnywhere(answering('missing'), events, { id: 1 }, {})).toBeUndefined()
  await expect(readAnywhere(answering('refused'), events, { id: 1 }, {})).rejects.toMatchObject({ kind: 'refused' })
})

test('the IDs of many slugs take a query of at most a hundred each', async () => {
  const slugs = Array.from({ length: 250 }, (_, index) => `event-${index}`)
  const asked: number[] = []
  const listed = ({ slug }: Values) => {
    const names = String(slug).split(',')
    asked.push(names.length)
    return names.map(name => ({ id: slugs.indexOf(name) + 1, slug: name }))
  }
  const ids = await idsOfSlugs(site(listed), events, slugs, {})
  expect([...ids]).toEqual(slugs.map((slug, index) => [slug, index + 1]))
  expect(asked).toEqual([100, 100, 50])
})
