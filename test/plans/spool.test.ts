import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batches, concat, createSpool } from '../../src/changes/plan/spool.ts'

const spooled = <T>(items: readonly T[], inMemory: number) => {
  const spool = createSpool<T>(inMemory)
  for (const item of items) spool.add(item)
  return spool
}

test('a spool returns what was added, from memory and from its file', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.nat(8), (values, inMemory) => {
      // JSON has no -0.
      const items: unknown[] = JSON.parse(JSON.stringify(values))
      const spool = spooled(items, inMemory)
      expect([...spool]).toEqual(items)
      expect(items.map((_, index) => spool.at(index))).toEqual(items)
      expect([spool.length, spool.at(items.length), spool.at(-1)]).toEqual([items.length, undefined, undefined])
    }),
  )
})

test('a spool of several megabytes can grow after it was read', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'à'.repeat(500) }))
  const spool = spooled(items, 10)
  expect(spool.at(1700)).toEqual(items[1700])
  spool.add({ index: 3000, text: 'last' })
  expect([...spool].map(({ index }) => index)).toEqual(Array.from({ length: 3001 }, (_, index) => index))
})

test('lists can be concatenated and read in batches', () => {
  const list = concat([1, 2], [], [3, 4, 5])
  expect([list.length, list.at(1), list.at(2), list.at(5)]).toEqual([5, 2, 3, undefined])
  expect([...batches(list, 2)]).toEqual([[1, 2], [3, 4], [5]])
})
