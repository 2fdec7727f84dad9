import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Restriction } from '../site-field.ts'
import { isOwnCost } from './currency.ts'

/**
 * How The Events Calendar treats a cost: it keeps the text, and shows the lowest and highest amount in it with the site's currency.
 * Other text is not shown, and some notations are misread.
 */

/** An amount as the plugin reads it, with at most one point or comma: `1,234.56` is read as `1,234` and `.56`. */
const siteAmount = /[.,]?\d+[.,]?\d*/g

export const siteAmounts = (cost: string): readonly string[] => cost.match(siteAmount) ?? []

/** A comma before three digits separates thousands; any other is a decimal comma. */
export const numeric = (amount: string): string => amount.replace(/,(?=\d{3}$)/, '').replace(',', '.')

const currency = String.raw`[^\d\s.,–—-]{1,4}`
const price = String.raw`(?:${currency}\s?)?\d+(?:[.,]\d+)?(?:\s?${currency})?`
const pointPrice = String.raw`(?:${currency}\s?)?\d+(?:\.\d+)?(?:\s?${currency})?`

/** One amount with or without currency, or two with a hyphen. The site misreads two amounts with commas. */
const faithfulCost = new RegExp(String.raw`^(?:-?${price}|${pointPrice}\s?[–—-]\s?${pointPrice})$`, 'u')

/** The cost to write instead of one that the site would show wrong; undefined if the cost is fine. */
export function costInstead(cost: unknown): string | undefined {
  const text = costText(cost).trim()
  if (!/\d/.test(text) || faithfulCost.test(text)) return undefined
  const amounts = (text.match(/\d+(?:[.,]\d+)*/g) ?? []).map(plainAmount)
  if (amounts.length === 2 && /^\D*[\d.,]+\s?\p{Sc}?\s*\+\s*\p{Sc}?\s?\d/u.test(text))
    return String(Number((Number(amounts[0]) + Number(amounts[1])).toFixed(2)))
  if (freeWord.test(text)) amounts.push('0')
  const sorted = [...new Set(amounts)].toSorted((one, other) => Number(one) - Number(other))
  const [lowest = '', highest = ''] = [sorted.at(0), sorted.at(-1)]
  return lowest === highest ? lowest : `${lowest} - ${highest}`
}

const freeWord = /(?<!\p{L})(?:free|gratis|gratu\p{L}*|lliure|libre)/iu

/** Whether a cost is words other than "free": `to be announced`. */
export const hasNoAmount = (cost: string): boolean => /\p{L}/u.test(cost) && !/\d/.test(cost) && !freeWord.test(cost)

/** Whether a cost is a word for 0: `Free`. */
export const isFree = (cost: string): boolean => !/\d/.test(cost) && freeWord.test(cost)

/**
 * Whether the site would replace the currency in a cost by its own: it reads a currency only beside a single amount without a
 * comma.
 */
export const losesCurrency = (cost: string): boolean =>
  /[\p{L}\p{Sc}]/u.test(cost) && (siteAmounts(cost).length > 1 || /\d,\d/.test(cost))

/** Simplifies amounts with both separators, which are unambiguous, to a decimal point: `1.250,50` and `1,250.50`. */
export const withPlainAmounts = (text: string): string =>
  text
    .replace(/(?<![\d.,'])\d{1,3}(?:\.\d{3})+,\d+(?![\d.,])/g, amount => amount.replaceAll('.', '').replace(',', '.'))
    .replace(/(?<![\d.,'])\d{1,3}(?:,\d{3})+\.\d+(?![\d.,])/g, amount => amount.replaceAll(',', ''))

/** The amount in a typed cost: `12,50 euros` is `12.50 €`; undefined for amounts in words. */
export function typedCost(text: string): string | undefined {
  if (isAmountInWords(text)) return undefined
  const plain = text.replace(/(?<=\d)\s*(?:euros?|eur)(?!\p{L})/giu, ' €')
  return keepsWithPoint(plain) ? plain.replace(',', '.') : plain
}

/** `dotze euros` */
export const isAmountInWords = (text: string): boolean =>
  !/\d/.test(text) && !freeWord.test(text) && currencyWord.test(text.normalize('NFC'))

const currencyWord = /(?<!\p{L})(?:euros?|eur|dollars?|d[oòó]lars?|d[oó]lar(?:es)?|pounds?|libras?)(?!\p{L})/iu

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

/** Whether the site would keep the currency with a decimal point instead of the comma: `12,50 €`. */
export const keepsWithPoint = (cost: unknown): boolean =>
  typeof cost === 'string' && losesCurrency(cost) && amountWithCents.test(cost.trim())

const amountWithCents = new RegExp(String.raw`^(?:${currency}\s?)?\d+,\d{1,2}(?:\s?${currency})?$`, 'u')

/** The cost that a file means, with plain amounts and its own currency, if the site shows that correctly. */
function readCost(cost: unknown): string | undefined {
  const plain = withPlainAmounts(String(cost))
  if (keepsWithPoint(plain)) return plain.replace(',', '.')
  return costInstead(plain) === undefined ? plain : undefined
}

/** `1.234,56` and `1,234.56` with only a decimal point. */
function plainAmount(text: string): string {
  const [, whole = text, cents] = /^(.*)[.,](\d{1,2})$/.exec(text) ?? []
  const digits = whole.replace(/[.,]/g, '')
  return cents === undefined ? digits : `${digits}.${cents}`
}

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
    phrase('{calendar} would not show {value} as it is written: it shows one amount, or the lowest and the highest', {
      calendar,
      value: JSON.stringify(value),
    }),
  wayOut: value =>
    phrase('write: {cost}; put other details into the description', { cost: String(costInstead(value)) }),
  shownWrong: true,
  misleads: keepsWithPoint,
  readAs: readCost,
}

/** A cost as one text; a single amount is joined with the currency stored beside it. */
export function costText(value: unknown): string {
  if (!isOwnCost(value)) return [value ?? ''].flat().join(' - ')
  const [amount, ...others] = siteAmounts(value.cost)
  if (amount === undefined || others.length > 0) return value.cost
  return /^(post|suf)fix$/.test(value.position) ? amount + value.symbol : value.symbol + amount
}
