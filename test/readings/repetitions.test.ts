import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readRepetition } from '../../src/base/time/repetitions.ts'
import { type Catalog, speak } from '../../src/base/words/phrase.ts'
import { context, readAsRow, repetitionRows } from './repetitions.ts'

const tables = ['repetitions.tsv', 'more-repetitions.tsv']

test.each(tables)('each phrase of %s is read as meant', name => {
  const rows = repetitionRows(name)
  expect(rows.map(({ language, text }) => ({ language, text, ...readAsRow(text) }))).toEqual(rows)
})

afterEach(() => speak('en'))

const catalog = (language: string): Catalog =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../src/base/words/${language}.json`), 'utf8'))

/** Doubtful in each part, and in several at once. */
const doubtful = [
  'cada dijous de gener a març',
  'cada dissabte de juny a setembre',
  'los miércoles de octubre a junio',
  'laborables en juny fins a Nadal',
  'every second Tuesday until 2027',
  'cada 8 dies fins al juny excepte el 24 i el 31 de desembre',
  "cada cap d'any",
]

test.each(['ca', 'en', 'es'] as const)(
  'each form of a doubtful phrase reads back as exactly this meaning: %s',
  language => {
    speak(language, language === 'en' ? {} : catalog(language))
    for (const text of [...tables.flatMap(repetitionRows).map(row => row.text), ...doubtful]) {
      const read = readRepetition(text, context)
      if (!('doubt' in read)) continue
      const again = read.doubt.map(({ form }) => [form, readRepetition(form, context)])
      expect(again, text).toEqual(read.doubt.map(({ form, value }) => [form, { value }]))
    }
  },
)

test.each(['ca', 'en', 'es'] as const)('what a refusal says to write is read: %s', language => {
  speak(language, language === 'en' ? {} : catalog(language))
  for (const text of [
    'whenever possible',
    'every Easter',
    'cada 31 de junio',
    'twice a week',
    'cada dia fins al 31/2',
  ]) {
    const read = readRepetition(text, context)
    expect(read, text).toHaveProperty('refused')
    if ('refused' in read) expect(readRepetition(read.write, context), read.write).toHaveProperty('value')
  }
})
