import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cellLines, cellRows, type PageWords, priceLines, readCellRow, whenLines } from './sheet-cells.ts'

test.each(cellRows())('$text under $heading is $meaning', async row => {
  expect(await readCellRow(row)).toBe(row.meaning)
})

const pages: readonly (readonly [page: string, words: PageWords])[] = [
  [
    'docs/sheets.md',
    {
      refused: 'refused',
      orRefused: 'or refused',
      yes: 'yes',
      no: 'no',
      headings: {
        Featured: 'yes or no',
        Categories: 'categories',
        Keywords: 'tags',
        Place: 'venue',
        Organizer: 'organizer',
        Status: 'status',
      },
    },
  ],
  [
    'docs/ca/sheets.md',
    {
      refused: 'rebutjat',
      orRefused: 'o rebutjat',
      yes: 'sí',
      no: 'no',
      headings: {
        Featured: 'sí o no',
        Categories: 'categories',
        Keywords: 'etiquetes',
        Place: 'lloc',
        Organizer: 'organitzador',
        Status: 'estat',
      },
    },
  ],
  [
    'docs/es/sheets.md',
    {
      refused: 'rechazado',
      orRefused: 'o rechazado',
      yes: 'sí',
      no: 'no',
      headings: {
        Featured: 'sí o no',
        Categories: 'categorías',
        Keywords: 'etiquetas',
        Place: 'lugar',
        Organizer: 'organizador',
        Status: 'estado',
      },
    },
  ],
]

test.each(pages)('%s has what each kind of cell means', (page, words) => {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8')
  for (const lines of [whenLines(words), priceLines(words), cellLines(words)]) expect(text).toContain(`\n${lines}\n`)
})
