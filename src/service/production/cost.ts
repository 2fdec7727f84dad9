import { foldCase } from '../../base/text/similarity.ts'
import { numeric, siteAmounts } from '../../contract/kinds/cost-kind.ts'
import type { CostDetails } from '../dialect.ts'
import { withoutTags } from './wordpress-text.ts'

/** A single amount, without a comma, with a currency after it or anything before it, which counts as one: `Free -`. */
const withCurrency = /^([^\d.,]*[^\d\s.,])?\s*(\.?\d+\.?\d*)\s*([^\d\s.,]{1,4})?$/

const siteCurrency = '$'

/** With a currency; `Free` for 0; the lowest and highest of several amounts. */
export function renderCost(text: string): string {
  const { currency_symbol, currency_position } = costDetails(text)
  const renderPrice = (price: string): string => {
    if (Number(price) === 0) return 'Free'
    if (currency_position === 'postfix') return `${price}${currency_symbol}`
    return `${currency_symbol || siteCurrency}${price}`
  }
  const amounts = amountsIn(text)
  const [only] = amounts
  if (only === undefined) return escapeHtml(withoutTags(text))
  const numbers = amounts.length === 1 ? amounts : amounts.filter(price => !Number.isNaN(Number(price)))
  const [lowest, highest] = [numbers.at(0) ?? only, numbers.at(-1) ?? only].map(price => renderPrice(price))
  return lowest === highest ? `${lowest}` : `${lowest} – ${highest}`
}

/** The amounts of a cost, and its currency if it is a single amount that names one. */
export function costDetails(text: string): CostDetails {
  const plain = withoutTags(text)
  const amounts = amountsIn(text)
  const words = plain === '' ? [] : [foldCase(plain)]
  const [, before = '', , after = ''] = withCurrency.exec(plain) ?? []
  const positionAfter = after ? 'postfix' : ''
  return {
    currency_symbol: before || after,
    currency_code: '',
    currency_position: before ? 'prefix' : positionAfter,
    values: amounts.length > 0 ? amounts.map(numeric) : words,
  }
}

/** The lowest amount as it was written; undefined for a cost without any. */
export const priceOf = (text: string): string | undefined => amountsIn(text)[0] ?? costDetails(text).values[0]

const amountsIn = (text: string): string[] =>
  [...new Set(siteAmounts(withoutTags(text)))].sort((one, other) => Number(numeric(one)) - Number(numeric(other)))

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
