import { normalizeText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Kind } from '../field.ts'
import { base, fieldOf } from './base-kind.ts'
import {
  costText,
  costWith,
  currencyIn,
  currencyMeta,
  currencyOf,
  isAfter,
  isOwnCost,
  partsOf,
  sentCost,
  storedCost,
} from './currency.ts'
import { equal, isPlainOrList, sameText, scalar } from './kind-values.ts'
import { costInstead, isReadFrom, isShownFree, needsPatch, writtenCost } from './site-costs.ts'
import { priceFor, readTypedPrice } from './typed-price.ts'

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
    const [wanted, kept] = [asked, stored].map(value => partsOf(storedCost(value)))
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
      const [next, last] = [partsOf(storedCost(wanted)), partsOf(storedCost(before ?? wanted))]
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
  const wanted = partsOf(storedCost(asked))
  const { currency_symbol: symbol, currency_position: position, currency_code: code } = details
  if (wanted.code !== '' && wanted.code !== code) return false
  if (!/\d/.test(shown)) return true
  if (symbolOf(wanted.symbol) !== symbolOf(symbol)) return false
  return symbol === '' || isAfter(wanted) === isAfter({ position: String(position) })
}

const symbolOf = (currency: unknown): string => (/^eur$/i.test(String(currency)) ? '€' : String(currency))

const numbersIn = (cost: string): number[] =>
  [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))

export const cost = fieldOf(costKind)
