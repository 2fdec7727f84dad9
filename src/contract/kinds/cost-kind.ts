import { isObject } from '../../text/json.ts'
import { normalizeText } from '../../text/similarity.ts'
import { fieldOf, type Kind } from '../field.ts'
import { costInstead, isReadFrom, isShownFree, keepsWithPoint, writtenCost } from '../site-cost.ts'
import { equal, isPlainOrList, sameText, scalar } from './kind-values.ts'
import { base } from './text-kinds.ts'

/** An amount with its currency, or words: `15 €`, `10 - 20`, `Free`. */
const costKind: Kind<string> = {
  ...base,
  name: 'cost',
  shape: 'amount',
  placeholder: 'cost',
  expected: () => 'a cost',
  example: '15 €',
  text: costText,
  read: scalar(isPlainOrList),
  inFile: value => (typeof value === 'number' ? String(value) : value),
  schema: () => ({ type: ['string', 'number', 'array'] }),
  isShown: (asked, { name, answer }) => isSameCost(asked, String(answer[name] ?? ''), answer[`${name}_details`]),
  // A sheet may have a cost as the site shows it, `5€` for `5 €`, unless that is another one.
  isMeantBy(asked, stored, { name, answer }) {
    const isShownOtherwise = costInstead(stored) !== undefined || (keepsWithPoint(stored) && !keepsWithPoint(asked))
    return !isShownOtherwise && isSameCost(asked, String(answer[name] ?? ''), answer[`${name}_details`])
  },
  roundTrip: ({ name, answer }) => writtenCost(answer[name], answer[`${name}_details`]),
  column: value => value,
  patched: costText,
}

/** Several amounts as one text. */
export function costText(value: unknown): string {
  return [value ?? ''].flat().join(' - ')
}

/**
 * `20 €`, `20€` and `$20`, which production makes of `20`, are the same cost: the same numbers, or the same words. 0 is the same as
 * the word that a site shows instead.
 */
function isSameCost(asked: unknown, shown: string, details: unknown): boolean {
  const text = costText(asked)
  const [askedNumbers, numbers] = [numbersIn(text), numbersIn(shown)]
  if (askedNumbers.length === 0) return sameText(text, shown)
  if (equal(askedNumbers, numbers) || isReadFrom(text, details)) return !hasOtherCurrency(text, details)
  if (equal([0], askedNumbers)) return isShownFree(shown, details)
  return askedNumbers[0] === 0 && numbers.length === 1 && equal(askedNumbers.slice(1), numbers)
}

/** Whether both a cost and the one that a site stores name a currency, and not the same one. */
function hasOtherCurrency(text: string, details: unknown): boolean {
  const stored = isObject(details) ? String(details.currency_symbol ?? '') : ''
  const own = /\p{Sc}|\b[A-Z]{3}\b/u.exec(text)?.[0] ?? ''
  return stored !== '' && own !== '' && !sameText(stored, own)
}

const numbersIn = (cost: string): number[] =>
  [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))

export const cost = fieldOf(costKind)
