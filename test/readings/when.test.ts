import { describe, expect, test } from 'vitest'
import { whenEntrances } from './when-entrances.ts'
import { isTried, rowsOf, verdictOf } from './when-verdict.ts'

for (const [name, entrance] of Object.entries(whenEntrances()))
  describe(name, () => {
    test.each(rowsOf().filter(row => isTried(name, row)))('$kind $context "$text" is $meaning', async row => {
      expect(verdictOf(row, await entrance(row))).toBe('right')
    })
  })
