import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { phrase, speak } from '../../src/base/words/phrase.ts'

const say = (language: 'ca' | 'es') =>
  speak(
    language,
    JSON.parse(readFileSync(resolve(import.meta.dirname, `../../src/base/words/${language}.json`), 'utf8')),
  )

afterEach(() => speak('en'))

const sentences = {
  progress: (count: number, total: number) =>
    phrase('{done} of {total} done ({percent} %)', { done: count, total, percent: (count / total) * 100 }),
  lookUp: (count: number, total: number) => phrase('looked up {count} of {total}', { count, total }),
  failed: (count: number, total: number) => phrase('{count} of {total} failed', { count, total }),
  shown: (shown: number, total: number) =>
    phrase('showing {shown} of {total}; add --all to list all', { shown, total }),
}

describe.each([
  ['ca', 'progress', '1 fet de 1 (100 %)', '5 fets de 10 (50 %)'],
  ['ca', 'lookUp', 's’ha buscat 1 de 1', 's’han buscat 5 de 10'],
  ['ca', 'failed', '1 de 1 ha fallat', '5 de 10 han fallat'],
  ['ca', 'shown', 'es mostra 1 de 1', 'es mostren 5 de 10'],
  ['es', 'progress', '1 hecho de 1 (100 %)', '5 hechos de 10 (50 %)'],
  ['es', 'lookUp', 'buscado 1 de 1', 'buscados 5 de 10'],
  ['es', 'failed', '1 de 1 ha fallado', '5 de 10 han fallado'],
  ['es', 'shown', 'se muestra 1 de 1', 'se muestran 5 de 10'],
] as const)('in %s, %s', (language, sentence, one, many) => {
  test('agrees with one and with many', () => {
    say(language)
    expect(sentences[sentence](1, 1)).toContain(one)
    expect(sentences[sentence](5, 10)).toContain(many)
  })
})

test.each(['ca', 'es'] as const)('in %s, what was expected is one thing', language => {
  say(language)
  const expected = [
    phrase('IDs, slugs or names, comma-separated'),
    phrase('comma-separated names'),
    phrase('days to leave out, such as {example}', { example: '' }),
    phrase('exceptions that leave at least one date'),
    phrase('fields by name'),
    phrase('letters, digits, dots, dashes and underscores'),
    phrase('the days of the week or month'),
  ]
  for (const words of expected) expect(words).toMatch(/^una? /)
})
