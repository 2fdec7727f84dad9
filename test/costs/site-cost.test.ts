import { expect, test } from 'vitest'
import { costInstead, writtenCost } from '../../src/contract/kinds/cost-kind.ts'

test.each([
  '15',
  '12,50',
  '1,000',
  '20 €',
  '€20',
  '12,50 €',
  '20 EUR',
  '10 - 20',
  '10–20',
  '10 € - 20 €',
  '-5',
  '0',
  'Free',
  'Gratuït',
  '',
  [10, 20],
])('a site shows the cost %j as it was meant', cost => {
  expect(costInstead(cost)).toBeUndefined()
})

test.each([
  ['1.234,56', '1234.56'],
  ['1,234.56 €', '1234.56'],
  ['5, 10, 15', '5 - 15'],
  ['Free - 10', '0 - 10'],
  ['12,50 - 15', '12.50 - 15'],
  ['de 5 a 10 €', '5 - 10'],
  ['20 € / 15 € socis', '15 - 20'],
  ['Entrada 10 €, gratuït per a socis', '0 - 10'],
])('instead of %s a site takes %s', (cost, instead) => {
  expect(costInstead(cost)).toBe(instead)
  expect(costInstead(instead)).toBeUndefined()
})

const details = (values: string[], currency_symbol = '') => ({ currency_symbol, values })

test.each([
  ['$15', details(['15']), '15'],
  ['$12,50', details(['12.50']), '12,50'],
  ['$1,000', details(['1000']), '1,000'],
  ['$12.5', details(['12.5']), '12.5'],
  ['$10 – $20', details(['10', '20']), '10 - 20'],
  ['Free', details(['0']), '0'],
  ['Free – $10', details(['0', '10']), '0 - 10'],
  ['Gratis', details(['gratis']), 'Gratis'],
  ['15€', details(['15'], '€'), '15€'],
  ['$1.234', details(['.56', '1.234']), '$1.234'],
  ['', details([]), ''],
])('the cost that a site shows as %s is sent back as it was written', (shown, site, written) => {
  expect(writtenCost(shown, site)).toBe(written)
})
