import { expect, test } from 'vitest'
import { counted, listOf, nounFor, withArticle } from '../../src/base/text/similarity.ts'

test('a count agrees with its noun', () => {
  expect([0, 1, 2].map(count => counted(count, 'event'))).toEqual(['0 events', '1 event', '2 events'])
  expect([1, 3].map(count => counted(count, 'category', 'categories'))).toEqual(['1 category', '3 categories'])
  expect([1, 2].map(count => nounFor(count, 'this', 'these'))).toEqual(['this', 'these'])
})

test('a list has commas and a conjunction', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(words => listOf(words))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
  expect(listOf(['a', 'b'], 'or')).toBe('a or b')
})

test('an article agrees with its word', () => {
  expect(['event', 'venue', 'organizer', 'tag'].map(withArticle)).toEqual([
    'an event',
    'a venue',
    'an organizer',
    'a tag',
  ])
})
