import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { pricesIn, priceText, readPrice } from '../price.ts'
import type { Restriction } from '../site-field.ts'
import { costText, costWith, isOwnCost, siteAmount, siteAmounts } from './currency.ts'

/**
 * How The Events Calendar treats a cost: it keeps the text, and shows the lowest and highest amount in it with the site's currency.
 * Other text is not shown, and some notations are misread.
 */

/** A comma before three digits separates thousands; any other is a decimal comma. */
export const numeric = (amount: string): string => amount.replace(/,(?=\d{3}$)/, '').replace(',', '.')

const currency = String.raw`[^\d\s.,–—-]{1,4}`
const price = String.raw`(?:${currency}\s?)?\d+(?:[.,]\d+)?(?:\s?${currency})?`
const pointPrice = String.raw`(?:${currency}\s?)?\d+(?:\.\d+)?(?:\s?${currency})?`

/** One amount with or without currency, or two with a hyphen. The site misreads two amounts with commas. */
const faithfulCost = new RegExp(String.raw`^(?:-?${price}|${pointPrice}\s?[–—-]\s?${pointPrice})$`, 'u')

/** One amount with any currency on one side, which is all that a site reads there. */
const singleCost = new RegExp(String.raw`^(?:(?:${currency}\s?)?\d+(?:\.\d+)?|\d+(?:\.\d+)?\s?${currency})$`, 'u')

/** Whether a site shows a cost as it was written: from the lowest to the highest, and in the currency of both. */
function isFaithful(text: string): boolean {
  if (singleCost.test(text)) return true
  const reading = readPrice(text)
  return faithfulCost.test(text) && !('value' in reading && reading.value.words !== undefined)
}

/** The cost to write instead of one that the site would show wrong, or no cost; undefined if the cost is fine. */
export function costInstead(cost: unknown): string | undefined {
  const text = (isOwnCost(cost) ? cost.cost : costText(cost)).trim()
  if (!/\d/.test(text) || isFaithful(text)) return undefined
  const prices = pricesIn(text)
  return prices ? priceText(prices) : ''
}

/** Whether a site derived the values of a cost from this text: it shows `1.234,56` as `$1.234`, with the values 1.234 and .56. */
export function isReadFrom(text: string, details: unknown): boolean {
  if (!isObject(details) || !Array.isArray(details.values)) return false
  const amounts = new Set(siteAmounts(text).map(numeric))
  return (
    amounts.size > 0 &&
    amounts.size === details.values.length &&
    details.values.every(value => amounts.has(String(value)))
  )
}

/** Whether only `wp/v2` stores a cost: the events API derives a currency from a single amount, and no code. */
export const needsPatch = (cost: unknown): boolean => isOwnCost(cost) && isOwnCost(costWith(costText(cost), cost))

/**
 * The text behind a shown cost. A site adds its currency symbol to a cost without one, and shows a word instead of 0; sent back,
 * both would be stored with the event.
 */
export function writtenCost(cost: unknown, details: unknown): unknown {
  if (!isObject(details) || details.currency_symbol !== '' || !Array.isArray(details.values)) return cost
  const values = details.values.map(String)
  const shown = String(cost)
  const hasZero = values.some(isZero)
  const added = shown
    .replace(siteAmount, ' ')
    .split(/[\s–-]+/)
    .filter(word => word !== '')
  if (added.length === 0 || !added.every(word => word.length <= 3 || hasZero)) return cost
  const amounts = siteAmounts(shown)
  const written = values.map(value => amounts.find(one => numeric(one) === value) ?? (isZero(value) ? '0' : undefined))
  return written.includes(undefined) ? cost : written.join(' - ')
}

export const isShownFree = (shown: string, details: unknown): boolean =>
  !/\d/.test(shown) && isObject(details) && Array.isArray(details.values) && details.values.map(String).join() === '0'

const isZero = (value: string): boolean => value !== '' && Number(value) === 0

/** A cost that the site would show differently from what was written. */
export const costAsShown: Restriction = {
  forbids: value => costInstead(value) !== undefined,
  reason: (calendar, value) =>
    needsPatch(value)
      ? phrase('{calendar} takes the currency of {value} only through wp/v2, which it does not offer to this user', {
          calendar,
          value: JSON.stringify(costText(value)),
        })
      : phrase(
          '{calendar} would not show {value} as it is written: it shows one amount, or the lowest and the highest',
          { calendar, value: JSON.stringify(value) },
        ),
  wayOut(value) {
    if (needsPatch(value)) return phrase('log in as an editor, or write one amount')
    const cost = costInstead(value)
    return cost
      ? phrase('write: {cost}; put other details into the description', { cost })
      : phrase('put it into the description')
  },
  fileOption: value => (needsPatch(value) ? undefined : '--cost-in-description'),
  shownWrong: value => !needsPatch(value),
  needsPatch,
}
