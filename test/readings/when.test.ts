import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { whenEntrances } from './when-entrances.ts'
import { inDocuments, isTried, rowsOf, verdictOf } from './when-verdict.ts'

for (const name of ['option', 'data', 'sheet', 'library', 'terminal'] as const)
  describe(name, () => {
    test.each(rowsOf().filter(row => isTried(name, row)))('$kind $context "$text" is $meaning', async row => {
      expect(verdictOf(row, await whenEntrances()[name](row))).toBe('right')
    })
  })

test.each([
  ['docs/dates.md', 'refused', ', all day'],
  ['docs/ca/dates.md', 'rebutjat', ', tot el dia'],
  ['docs/es/dates.md', 'rechazado', ', todo el día'],
])('%s has these ends and lengths', (page, refused, wholeDay) => {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8')
  expect(text).toContain(inDocuments(refused, wholeDay))
})
