import { isObject } from '../../base/text/json.ts'
import { normalizeText } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { fieldOf, type Kind, type Shown } from '../field.ts'
import { type Money, type Price, priceText, readPrice } from '../price.ts'
import type { Meaning } from '../reading.ts'
import {
  type Currency,
  costWith,
  currencyIn,
  currencyMeta,
  currencyOf,
  isOwnCost,
  type OwnCost,
  partsOf,
} from './currency.ts'
import { equal, isPlainOrList, sameText, scalar } from './kind-values.ts'
import { costInstead, costText, isReadFrom, isShownFree, needsPatch, sentCost, writtenCost } from './site-costs.ts'
import { base } from './text-kinds.ts'

/** An amount with its currency, or words: `15 €`, `10 - 20`, `Free`. */
const costKind: Kind<string> = {
  ...base,
  name: 'cost',
  shape: 'amount',
  placeholder: 'cost',
  expected: () => phrase('a cost'),
  example: '15 €',
  text: costText,
  read: scalar(value => isPlainOrList(value) || isOwnCost(value)),
  asTyped: readTypedPrice,
  forRecord: priceFor,
  // A fourth decimal, so that three are not read as thousands.
  inFile: value => (typeof value === 'number' ? String(value).replace(/\.\d{3}$/, '$&0') : value),
  schema: () => ({ type: ['string', 'number', 'array'], items: { type: ['string', 'number'] } }),
  isShown: (asked, { name, answer }) =>
    isSameCost(asked, String(answer[name] ?? ''), answer[`${name}_details`]) &&
    isSameCurrency(asked, String(answer[name] ?? ''), answer[`${name}_details`]),
  // `5€` is `5 €`, in the same currency at the same place.
  isMeantBy(asked, stored) {
    if (costInstead(stored) !== undefined || costInstead(asked) !== undefined) return false
    const [wanted, kept] = [asked, stored].map(value => partsOf(storedText(value)))
    if (!wanted || !kept || !/\d/.test(wanted.cost) || !/\d/.test(kept.cost)) return false
    const isSame = symbolOf(wanted.symbol) === symbolOf(kept.symbol) && isAfter(wanted) === isAfter(kept)
    return isSame && wanted.code === kept.code && equal(numbersIn(wanted.cost), numbersIn(kept.cost))
  },
  roundTrip: ({ name, answer }) => writtenCost(answer[name], answer[`${name}_details`]),
  // The site reads a currency only from the text of a single amount.
  losesPart({ name, answer }) {
    const { [name]: shown, [`${name}_details`]: details } = answer
    const symbol = isObject(details) ? String(details.currency_symbol ?? '') : ''
    return symbol !== '' && currencyIn(String(shown)).symbol !== symbol
  },
  column: value => value,
  patched: value => (isObject(value) ? String(value.cost) : costText(value)),
  sent: sentCost,
  beside: {
    join: (cost, meta) => {
      const currency = currencyOf(meta)
      return typeof cost === 'string' && currency ? costWith(cost, currency) : cost
    },
    split: value => currencyMeta(isObject(value) ? value : {}),
    change(wanted, before) {
      const [next, last] = [partsOf(storedText(wanted)), partsOf(storedText(before ?? wanted))]
      const isOwn = isOwnCost(before)
      return {
        cost: next.cost,
        ...((isOwn || next.symbol !== last.symbol) && { symbol: next.symbol }),
        ...((isOwn || next.position !== last.position) && { position: next.position }),
        ...(next.code !== last.code && { code: next.code }),
      }
    },
  },
  isDropped: value => costText(value) === '0' || needsPatch(value),
}

/** The form of `wp/v2`: with its own currency, or one text. */
const storedText = (value: unknown): string | OwnCost => (isOwnCost(value) ? value : costText(value))

/**
 * `20 €`, `20€` and `$20` (production's rendering of `20`) are the same cost: equal numbers or equal words. 0 equals the word that
 * a site shows for it.
 */
function isSameCost(asked: unknown, shown: string, details: unknown): boolean {
  const text = costText(asked)
  const [askedNumbers, numbers] = [numbersIn(text), numbersIn(shown)]
  if (askedNumbers.length === 0) return sameText(text, shown)
  if (equal(askedNumbers, numbers) || isReadFrom(text, details)) return true
  if (equal([0], askedNumbers)) return isShownFree(shown, details)
  return askedNumbers[0] === 0 && numbers.length === 1 && equal(askedNumbers.slice(1), numbers)
}

/** Whether a site shows a cost in the currency that was asked for, its own for one without, and at the same place. */
function isSameCurrency(asked: unknown, shown: string, details: unknown): boolean {
  if (!isObject(details) || typeof details.currency_symbol !== 'string') return true
  const wanted = partsOf(storedText(asked))
  const { currency_symbol: symbol, currency_position: position, currency_code: code } = details
  if (wanted.code !== '' && wanted.code !== code) return false
  if (!/\d/.test(shown)) return true
  if (symbolOf(wanted.symbol) !== symbolOf(symbol)) return false
  return symbol === '' || isAfter(wanted) === isAfter({ position: String(position) })
}

const isAfter = ({ position }: Pick<Currency, 'position'>): boolean => /^(post|suf)fix$/.test(position)

const symbolOf = (currency: unknown): string => (/^eur$/i.test(String(currency)) ? '€' : String(currency))

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
function priceFor(value: unknown, { name, answer }: Shown, takesEveryText: boolean): Meaning<unknown> {
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
  if (stored !== undefined) return partsOf(storedText(stored))
  if (!isObject(details)) return { symbol: '', position: '', code: '' }
  const [symbol = '', position = '', code = ''] = ['symbol', 'position', 'code'].map(key =>
    String(details[`currency_${key}`] ?? ''),
  )
  return { symbol, position, code }
}

const numbersIn = (cost: string): number[] =>
  [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))

export const cost = fieldOf(costKind)
