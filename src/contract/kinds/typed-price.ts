import type { Meaning } from '../../base/meaning.ts'
import { isObject } from '../../base/text/json.ts'
import type { Shown } from '../field.ts'
import { type Money, type Price, priceText, readPrice } from '../price.ts'
import { type Currency, costText, costWith, isAfter, isOwnCost, type OwnCost, partsOf, storedCost } from './currency.ts'
import { equal } from './kind-values.ts'

/** A price as a person wrote it, in the form that reads back as it. */
export function readTypedPrice(text: string): Meaning<string> {
  const reading = readPrice(text)
  return 'value' in reading ? { value: priceForm(reading.value) } : withForms(reading)
}

/** Words that could mean an amount keep their quotation marks, until they are the value of a record. */
const priceForm = (price: Price): string => {
  const text = priceText(price)
  return price.words === undefined || isEqualReading(text) ? text : `"${text}"`
}

const isEqualReading = (text: string): boolean => {
  const reading = readPrice(text)
  return 'value' in reading && reading.value.words === text
}

const withForms = (reading: Exclude<Meaning<Price>, { readonly value: unknown }>): Meaning<string> =>
  'refused' in reading ? reading : { doubt: reading.doubt.map(({ form }) => ({ form, value: form })) }

/** A price in a record, as its calendar takes it: what is stored or shown there stays as it is. */
export function priceFor(value: unknown, { name, answer }: Shown, takesEveryText: boolean): Meaning<unknown> {
  const stored = (answer.raw as Record<string, unknown> | undefined)?.[name]
  const text = costText(value).trim()
  const isKept = text === answer[name] || (stored !== undefined && text === costText(stored))
  if (isOwnCost(value) || isKept || text === '') return { value: isKept && stored !== undefined ? stored : value }
  const reading = readPrice(text)
  if (!('value' in reading)) return reading
  return { value: inCurrency(reading.value, currencyOfRecord(stored, answer[`${name}_details`]), takesEveryText) }
}

/** A price in its own currency, else in that of the record. */
function inCurrency({ money, words, amounts: exact }: Price, own: Currency, takesEveryText: boolean): string | OwnCost {
  const amounts = exact.map(amount => amount.replace(/(\.\d{3})0$/, '$1'))
  if (words !== undefined || equal(amounts, ['0'])) return words ?? '0'
  const named = money && currencyFrom(money)
  const code = named && named.symbol !== own.symbol ? '' : own.code
  const { symbol, position } = named ?? own
  const text = priceText({ amounts, money: symbol === '' ? undefined : { symbol, isBefore: !isAfter({ position }) } })
  if (takesEveryText) return text
  return costWith(amounts.length > 1 && symbol !== '' ? amounts.join(' - ') : text, { symbol, position, code })
}

const currencyFrom = ({ symbol, isBefore }: Money): Currency => ({
  symbol,
  position: isBefore ? 'prefix' : 'postfix',
  code: '',
})

/** The currency of a record; without a symbol if it is that of the calendar. */
function currencyOfRecord(stored: unknown, details: unknown): Currency {
  if (stored !== undefined) return partsOf(storedCost(stored))
  if (!isObject(details)) return { symbol: '', position: '', code: '' }
  const [symbol = '', position = '', code = ''] = ['symbol', 'position', 'code'].map(key =>
    String(details[`currency_${key}`] ?? ''),
  )
  return { symbol, position, code }
}
