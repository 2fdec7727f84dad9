import { isObject } from '../../base/text/json.ts'
import { normalizeText } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { fieldOf, type Kind } from '../field.ts'
import { costWith, currencyIn, currencyMeta, currencyOf, isOwnCost, partsOf } from './currency.ts'
import { equal, isPlainOrList, sameText, scalar } from './kind-values.ts'
import {
  costInstead,
  costText,
  isAmountInWords,
  isReadFrom,
  isShownFree,
  keepsWithPoint,
  typedCost,
  writtenCost,
} from './site-costs.ts'
import { base } from './text-kinds.ts'

/** An amount with its currency, or words: `15 €`, `10 - 20`, `Free`. */
const costKind: Kind<string> = {
  ...base,
  name: 'cost',
  shape: 'amount',
  placeholder: 'cost',
  expected: (_, value) =>
    isAmountInWords(costText(value)) ? phrase('an amount in digits, such as 12 €') : phrase('a cost'),
  example: '15 €',
  text: costText,
  read: scalar(value => isPlainOrList(value) || isOwnCost(value)),
  asTyped: typedCost,
  inFile: value => (typeof value === 'number' ? String(value) : value),
  schema: () => ({ type: ['string', 'number', 'array'], items: { type: ['string', 'number'] } }),
  isShown: (asked, { name, answer }) => isSameCost(asked, String(answer[name] ?? ''), answer[`${name}_details`]),
  // Sheets may have a cost in the site's spelling, `5€` for `5 €`.
  isMeantBy(asked, stored, { name, answer }) {
    if (isOwnCost(asked)) return false
    const isShownOtherwise = costInstead(stored) !== undefined || (keepsWithPoint(stored) && !keepsWithPoint(asked))
    return !isShownOtherwise && isSameCost(asked, String(answer[name] ?? ''), answer[`${name}_details`])
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
  sent: value => (isOwnCost(value) ? costText(value) : value),
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
  isDropped: value => costText(value) === '0',
}

/** The form of `wp/v2`: with its own currency, or one text. */
const storedText = (value: unknown) => (isOwnCost(value) ? value : costText(value))

/**
 * `20 €`, `20€` and `$20` (production's rendering of `20`) are the same cost: equal numbers or equal words. 0 equals the word that
 * a site shows for it.
 */
function isSameCost(asked: unknown, shown: string, details: unknown): boolean {
  const text = costText(asked)
  const [askedNumbers, numbers] = [numbersIn(text), numbersIn(shown)]
  if (askedNumbers.length === 0) return sameText(text, shown)
  if (equal(askedNumbers, numbers) || isReadFrom(text, details)) return !hasOtherCurrency(text, details)
  if (equal([0], askedNumbers)) return isShownFree(shown, details)
  return askedNumbers[0] === 0 && numbers.length === 1 && equal(askedNumbers.slice(1), numbers)
}

/** Whether a cost and a stored cost name different currencies. */
function hasOtherCurrency(text: string, details: unknown): boolean {
  const stored = isObject(details) ? String(details.currency_symbol ?? '') : ''
  const own = /\p{Sc}|\b[A-Z]{3}\b/u.exec(text)?.[0] ?? ''
  return stored !== '' && own !== '' && !sameText(symbolOf(stored), symbolOf(own))
}

const symbolOf = (currency: string): string => (/^eur$/i.test(currency) ? '€' : currency)

const numbersIn = (cost: string): number[] =>
  [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))

export const cost = fieldOf(costKind)
