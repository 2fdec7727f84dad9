/** Each text of `prices.tsv` means the same wherever it is written: a price, one of several that are named, or none. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { priceText, readPrice } from '../../src/contract/price.ts'
import { type Answer, entrances } from './entrances.ts'

const rows = readFileSync(join(import.meta.dirname, 'prices.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [, text = '', , certainty = '', reading = ''] = line.split('\t')
    const isRefused = reading === '!'
    const forms = reading.startsWith('? ') ? reading.slice(2).split(' | ') : []
    const answer: Answer = forms.length > 0 ? { asked: forms } : isRefused ? { refused: true } : { value: reading }
    return { text, certainty, forms, isRefused, answer }
  })

/** The soak plays every text at every entrance. */
const share = process.env.SOAK_ROUNDS === undefined ? 3 : 1

test.each(Object.entries(entrances))('a price means the same for each text: %s', async (name, entrance) => {
  const at = Object.keys(entrances).indexOf(name)
  const read: unknown[] = []
  const played = rows.filter((_, index) => (index + at) % share === 0)
  for (const { text, forms, isRefused } of played)
    read.push([text, await entrance({ field: 'cost', heading: 'cost', option: '--cost', text, forms, isRefused })])
  expect(read).toEqual(played.map(({ text, answer }) => [text, answer]))
})

test('a sure text has one meaning, a doubtful one several, and each form reads back as the same price', () => {
  for (const { text, certainty, forms } of rows) {
    const reading = readPrice(text)
    expect(['value' in reading, 'doubt' in reading, 'refused' in reading], text).toEqual(
      ['sure', 'doubt', 'no'].map(kind => kind === certainty),
    )
    if ('value' in reading && !reading.value.words) expect(readPrice(priceText(reading.value)), text).toEqual(reading)
    if ('doubt' in reading)
      expect(reading.doubt.map(({ form }) => readPrice(form))).toEqual(reading.doubt.map(({ value }) => ({ value })))
    for (const form of forms) expect('value' in readPrice(form), form).toBe(true)
  }
})
