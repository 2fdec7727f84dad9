import type { Meaning } from '../base/meaning.ts'
import { interfaceLanguage, phrase } from '../base/words/phrase.ts'
import type { Language } from './languages.ts'

/**
 * The only reader of prices as people write them, in three languages: amounts with a currency, or words. `12,50 euros` is `12.50 €`,
 * `entre 8 i 12 €` is `8 € - 12 €`, and `8 €, socis gratis` stays as it is, because no amount alone says it.
 */

/** A currency as it is written: `€` after an amount, `£` before it. */
export interface Money {
  readonly symbol: string
  readonly isBefore: boolean
}

/** One amount, or the lowest and the highest, with a decimal point; without them, words. */
export interface Price {
  readonly amounts: readonly string[]
  readonly money?: Money | undefined
  readonly words?: string
}

export interface PriceContext {
  /** The decimal separator of the column, if its other cells show it. */
  readonly decimal?: '.' | ',' | undefined
  /** The language of the text, if it is not that of the interface. */
  readonly language?: Language | undefined
}

/** A price in the form that reads back as this price; words that could mean an amount are in quotation marks. */
export const priceText = ({ amounts, money, words }: Price): string =>
  words ?? amounts.map(amount => withMoney(amount, money)).join(' - ')

/** A cost for readers of a language: in Catalan and Spanish, cents stand behind a comma. */
export const costFor = (language: Language, cost: string): string =>
  language === 'en' ? cost : cost.replace(/(?<![\d.,])(\d+)\.(\d\d)(?![\d.,])/g, '$1,$2')

const withMoney = (amount: string, money: Money | undefined): string => {
  if (!money) return amount
  return money.isBefore ? money.symbol + amount : `${amount} ${money.symbol}`
}

/** Reads a price, with its words if no amounts alone say it. */
export function readPrice(given: string, context: PriceContext = {}): Meaning<Price> {
  const text = given.normalize('NFC').replace(/\s+/g, ' ').trim()
  const [, quoted] = /^["“«](.+)["”»]$/.exec(text) ?? []
  if (quoted !== undefined) return { value: { amounts: [], words: quoted.trim() } }
  return /\d/.test(text) ? readAmounts(text, context) : readWords(text)
}

function readWords(text: string): Meaning<Price> {
  if (!/\p{L}/u.test(text)) return refused(phrase('a price, or 0'), '0')
  if (relativeWord.test(text)) return refused(phrase('an amount, not a part of one'), '6 €')
  if (isAmountInWords(text)) return refused(phrase('an amount in digits, such as 12 €'), '12 €')
  if (invitation.test(text)) return doubt({ amounts: ['0'] }, asWords(text))
  return { value: { amounts: [], words: text } }
}

function readAmounts(text: string, context: PriceContext): Meaning<Price> {
  if (/%/.test(text)) return refused(phrase('an amount, not a part of one'), '6 €')
  if (/^[-–—−]/.test(text)) return refused(phrase('a price that is not below 0'), text.replace(/^[-–—−]+\s*/, ''))
  const found = amountsIn(text)
  const [first, last] = [found.at(0), found.at(-1)]
  if (!first || !last) return { value: { amounts: [], words: text } }
  const frame = frameOf(text, found)
  const money = commonMoney(found)
  if (money === 'several' || found.length > 2) return { value: { amounts: [], words: text } }
  if (found.length === 1 && frame === '#') return single(first.number, money, context)
  const amounts = found.map(({ number }) => plainAmount(number, context, true) ?? number)
  const priced = (...some: string[]): Price => ({ amounts: some, money })
  if (found.length === 1) return withWords(text, frame, priced(...amounts))
  const [one = '', other = ''] = amounts
  if (isRange.test(frame) && Number(one) < Number(other)) return { value: priced(one, other) }
  if (/^# ?\/ ?#$/.test(frame) && one !== other)
    return doubt(priced(one), priced(...lowToHigh(amounts)), ...fraction(one, other).map(part => priced(part)))
  if (/^# ?\+ ?#$/.test(frame)) return doubt(priced(sumOf(one, other)), priced(one))
  return { value: { amounts: [], words: text } }
}

function single(number: string, money: Money | undefined, context: PriceContext): Meaning<Price> {
  const amount = plainAmount(number, context, money !== undefined)
  if (amount !== undefined) return { value: { amounts: [amount], money } }
  return doubt({ amounts: [number.replace(/[.,]/, '')] }, { amounts: [inPoints(number)] })
}

/** `1.250` as `1.25`, and `1.234` as `1.2340`, so that it is not read as thousands again. */
const inPoints = (number: string): string => `${number.replace(',', '.')}0`.replace(/00$/, '')

/** One amount among words: `donatiu 5 €` may be the price, `gratuït per a menors de 12 anys` is not that of everybody. */
function withWords(text: string, frame: string, price: Price): Meaning<Price> {
  if (donation.test(frame)) return doubt(price, asWords(text))
  if (fromFree.test(frame)) return { value: { ...price, amounts: lowToHigh(['0', ...price.amounts]) } }
  if (isFreeText(frame) && !price.money) return doubt({ amounts: ['0'] }, asWords(text))
  return { value: { amounts: [], words: text } }
}

const asWords = (text: string): Price => ({ amounts: [], words: `"${text}"` })

const refused = (reason: string, write: string): Meaning<Price> => ({ refused: reason, write })

const doubt = (...prices: readonly Price[]): Meaning<Price> => ({
  doubt: prices.map(price => {
    const form = priceText(price)
    return { form, value: price.words === undefined ? price : { amounts: [], words: form.slice(1, -1) } }
  }),
})

/**
 * The prices in a text of words, from the lowest to the highest: what a site can show instead of it. Undefined if the text may mean other
 * amounts than those in it.
 */
export function pricesIn(text: string): Price | undefined {
  const found = amountsIn(text)
  const money = commonMoney(found)
  if (money === 'several' || otherAmount.test(frameOf(text, found))) return undefined
  // A number before a word is no price: `12 anys`.
  const isPrice = (one: Found) =>
    one.moneys.length > 0 || !/^ ?(?!(?:a|and|e|i|o|or|to|u|y)(?!\p{L}))\p{L}/iu.test(text.slice(one.end))
  const amounts = found.filter(isPrice).map(({ number }) => plainAmount(number, {}, true) ?? number)
  const isFree = amounts.length > 0 && isFreeText(text)
  return amounts.length === 0 ? undefined : { amounts: lowToHigh(isFree ? [...amounts, '0'] : amounts), money }
}

/** What makes other amounts of those in a text: `~ 10 €`, `12:30`, `1_000`, `5 € i mig`. */
const otherAmount = /[^\p{L}\s#.,;:()–—'’"!/-]|#[:'’]#|(?<!\p{L})(?:i|y|and a) (?:mi(?:g|tja)|medi[oa]|half)(?!\p{L})/u

/** The lowest and the highest amount, or the only one. */
function lowToHigh(amounts: readonly string[]): string[] {
  const sorted = amounts.toSorted((one, other) => Number(one) - Number(other))
  return [...new Set([sorted.at(0) ?? '', sorted.at(-1) ?? ''])]
}

const sumOf = (one: string, other: string): string => plainNumber(Number((Number(one) + Number(other)).toFixed(2)))

/** Half of 1 € and its quarters. */
const fraction = (one: string, other: string): string[] =>
  Number(one) < Number(other) && /^[24]$/.test(other) ? [plainNumber(Number(one) / Number(other))] : []

/** With cents in two digits. */
const plainNumber = (number: number): string => (Number.isInteger(number) ? String(number) : number.toFixed(2))

/** An amount in a text. */
interface Found {
  readonly number: string
  /** Its currency; two that were written on both sides of it: `$10 €`. */
  readonly moneys: readonly Money[]
  readonly start: number
  readonly end: number
}

const code = '(?:eur|usd|gbp|chf|aud|cad|jpy|sek|nok|dkk|pln|czk|huf|ron|mad|mxn|ars|clp|cop|brl|kr|kč|zł)'
const sign = String.raw`(?:(?<!\p{L})[A-Z]{1,2})?\p{Sc}|(?<!\p{L})${code}(?!\p{L})`
const name = String.raw`(?:euros?|quid|pounds?|lliures?|libras?|d[oòó]l+ars?|d[oó]lares)(?!\p{L})\.?`
const cents = String.raw`(?:cts?|c[eè]nts?|c[eè]ntims?|c[eé]ntimos?|pence|p)(?!\p{L})\.?`
const digits = String.raw`\d{1,3}(?<separator>[., '’])\d{3}(?:\k<separator>\d{3})*(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,'’]\d+)?`
const anAmount = new RegExp(
  String.raw`(?:(?<before>${sign})\s?)?(?<![\p{L}\d.,])(?<number>${digits})(?:[.,]-{1,2})?(?:\s?(?:(?<after>${sign}|(?:${name}))|(?<cents>${cents})))?`,
  'giu',
)

function amountsIn(text: string): Found[] {
  return [...inDigits(text).matchAll(anAmount)].map(match => {
    const { before, number = '', after, cents: inCents } = match.groups ?? {}
    const moneys = [moneyOf(before, true) ?? [], moneyOf(after, false) ?? []].flat()
    const [start, end] = [match.index, match.index + match[0].length]
    if (inCents === undefined) return { number, moneys, start, end }
    const isPence = /^p/i.test(inCents)
    const hundredth = (Number(number.replace(',', '.')) / 100).toFixed(2)
    return { number: hundredth, moneys: [{ symbol: isPence ? '£' : '€', isBefore: isPence }], start, end }
  })
}

/** `12€50` as `12,50€`, and with an apostrophe for the accents that people type instead: `8´50`. */
const inDigits = (text: string): string =>
  text.replace(/(\d)€(\d\d)(?!\d)/g, '$1,$2€').replace(/(?<=\d)[´`′‘](?=\d)/g, '’')

function moneyOf(text: string | undefined, isBefore: boolean): Money | undefined {
  if (text === undefined) return undefined
  const word = text.replace(/\.$/, '')
  if (/^eur/i.test(word)) return { symbol: '€', isBefore: false }
  if (/^(?:quid|pound|lliur|libra)/i.test(word)) return { symbol: '£', isBefore: true }
  if (/^d[oòó]l/i.test(word)) return { symbol: '$', isBefore: true }
  const isCode = /^[a-z]{3}$/i.test(word)
  return { symbol: isCode ? word.toUpperCase() : word, isBefore: isBefore && !isCode }
}

/** The currency of all amounts that have one: `8 - 12 €`. */
function commonMoney(found: readonly Found[]): Money | 'several' | undefined {
  const known = found.flatMap(({ moneys }) => moneys)
  const [money] = known
  return known.some(({ symbol }) => symbol !== money?.symbol) ? 'several' : money
}

/** A text with `#` for each amount. */
function frameOf(text: string, found: readonly Found[]): string {
  const spaced = inDigits(text)
  const between = [...found, undefined].map((one, index) =>
    spaced.slice(found[index - 1]?.end ?? 0, one?.start ?? spaced.length),
  )
  return between.join('#').toLowerCase().trim().replace(/\.$/, '')
}

const isRange =
  /^(?:# ?(?:-|–|—) ?#|(?:entre|between) # (?:i|y|e|and) #|(?:(?:de|des de|desde|del|from) )?# (?:a|fins a|al?|hasta|to|till|until) #)$/

/**
 * `1.250,50` as `1250.50`. Undefined for `1.250` without a currency in a language that does not group thousands like that: three decimals
 * are as rare.
 */
function plainAmount(text: string, { decimal, language }: PriceContext, hasMoney: boolean): string | undefined {
  const number = text.replace(/[ '’](?=\d{3}(?!\d))/g, '').replace(/['’]/g, ',')
  const [, whole = '', separator, group = ''] = /^(\d{1,3})([.,])(\d{3})$/.exec(number) ?? []
  if (separator === undefined || whole === '0') return withPoint(number)
  const usualGroup = (language ?? interfaceLanguage()) === 'en' ? ',' : '.'
  const isGroup = decimal === undefined ? hasMoney || separator === usualGroup : separator !== decimal
  if (isGroup) return whole + group
  return decimal === undefined ? undefined : inPoints(`${whole}.${group}`)
}

/** The last of several kinds of separators begins the decimals; one that is repeated separates thousands. */
function withPoint(number: string): string {
  const [, whole = number, cents] = /^(.*)[.,](\d+)$/.exec(number) ?? []
  const isGroups = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/.test(number)
  if (cents === undefined || isGroups) return number.replace(/[.,]/g, '')
  return `${whole.replace(/[.,]/g, '')}.${cents}`
}

/** The decimal separator that a text shows: `12,50`, `1.250,5`, `1.250.000`. */
export function decimalIn(text: string): '.' | ',' | undefined {
  const [, mark] = /\d([.,])\d{1,2}(?!\d)(?!.*[.,]\d)/.exec(text) ?? []
  if (mark === '.' || mark === ',') return mark
  const [, group] = /\d{1,3}([.,])\d{3}\1\d{3}(?!\d)/.exec(text) ?? []
  if (group === undefined) return undefined
  return group === '.' ? ',' : '.'
}

const freeWord = /(?<!\p{L})(?:free|gratis|gratu\p{L}*|lliure|libre|de franc)(?!\p{L})/iu

const fromFree = new RegExp(`^${freeWord.source} ?[-–—] ?#$`, 'iu')

const isFreeText = (text: string): boolean => freeWord.test(text.normalize('NFC'))

/** Whether a price is words for 0: `Free`. */
export const isFree = (price: string): boolean => !/\d/.test(price) && isFreeText(price)

const currencyWord = new RegExp(String.raw`(?<!\p{L})(?:${name}|eur(?!\p{L}))`, 'iu')

/** `dotze euros` */
const isAmountInWords = (text: string): boolean => !isFreeText(text) && currencyWord.test(text)

const relativeWord =
  /(?<!\p{L})(?:half(?:[ -]price)?|meitat|mitad|mig preu|medio precio|descompte|descuento|discount)(?!\p{L})/iu
const invitation = /(?<!\p{L})(?:invitaci[oóò]n?s?|invitaciones|invitations?|invitation only|by invitation)(?!\p{L})/iu
const donation = /(?<!\p{L})(?:donati[uv]\p{L}*|donaci\p{L}*|donations?|aportaci\p{L}*|suggested)(?!\p{L})/iu
