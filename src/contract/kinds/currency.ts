import { isObject } from '../../base/text/json.ts'

/** The currency of an event's cost, which a site keeps beside its text. */
export interface Currency {
  readonly symbol: string
  /** `prefix`, `postfix`, `suffix`, or none. */
  readonly position: string
  /** `EUR` */
  readonly code: string
}

/** A single amount without a comma, with a currency after it, or any text before it, which the plugin takes for one: `Free -`. */
const withCurrency = /^([^\d.,]*[^\d\s.,])?\s*(\.?\d+\.?\d*)\s*([^\d\s.,]{1,4})?$/

/** The currency that The Events Calendar derives from the text of a cost sent to its events API. */
export function currencyIn(text: string): Currency {
  const [, before = '', , after = ''] = withCurrency.exec(text.replace(/<[^<>]*>/g, '').trim()) ?? []
  const positionAfter = after ? 'postfix' : ''
  return { symbol: before || after, position: before ? 'prefix' : positionAfter, code: '' }
}

/**
 * A cost with a currency that differs from its text, as WordPress's own API and editor can store: both form one value. Otherwise
 * the cost is its text.
 */
export interface OwnCost extends Currency {
  readonly cost: string
}

/** A cost with its stored currency: plain text if the text already implies it. */
export function costWith(cost: string, { symbol, position, code }: Currency): string | OwnCost {
  const said = currencyIn(cost)
  if (said.symbol === symbol && said.position === position && code === '') return cost
  return { cost, symbol, position, code }
}

export const isOwnCost = (value: unknown): value is OwnCost =>
  isObject(value) &&
  Object.keys(value).length === 4 &&
  ['cost', 'symbol', 'position', 'code'].every(key => typeof value[key] === 'string')

export const partsOf = (value: string | OwnCost): OwnCost =>
  isOwnCost(value) ? value : { cost: value, ...currencyIn(value) }

/** The keys of `meta` with the currency. */
const currencyKeys = {
  symbol: '_EventCurrencySymbol',
  position: '_EventCurrencyPosition',
  code: '_EventCurrencyCode',
} as const

/** Writes a currency, or parts of it, as the `meta` of an event. */
export const currencyMeta = (currency: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(currencyKeys).flatMap(([name, key]) =>
      currency[name] === undefined ? [] : [[key, currency[name]]],
    ),
  )

/** Undefined if the `meta` of the event has none. */
export function currencyOf(meta: Readonly<Record<string, unknown>>): Currency | undefined {
  const [symbol, position, code] = Object.values(currencyKeys).map(key => meta[key])
  if (typeof symbol !== 'string' || typeof position !== 'string') return undefined
  return { symbol, position, code: typeof code === 'string' ? code : '' }
}

/** An amount as the plugin reads it, with at most one point or comma: `1,234.56` is read as `1,234` and `.56`. */
export const siteAmount = /[.,]?\d+[.,]?\d*/g

export const siteAmounts = (cost: string): readonly string[] => cost.match(siteAmount) ?? []

/** A cost as one text, with the currency stored beside it. */
export function costText(value: unknown): string {
  if (!isOwnCost(value)) return [value ?? ''].flat().join(' - ')
  const { cost, symbol } = value
  const inCurrency = siteAmounts(cost).map(amount => (isAfter(value) ? amount + symbol : symbol + amount))
  return inCurrency.length > 0 && inCurrency.length < 3 ? inCurrency.join(' - ') : cost
}

/** A cost as the events API takes it. */
export const sentCost = (value: unknown): unknown =>
  isOwnCost(value) && siteAmounts(value.cost).length === 1 ? costText(value) : isOwnCost(value) ? value.cost : value

/** The form of `wp/v2`: with its own currency, or one text. */
export const storedCost = (value: unknown): string | OwnCost => (isOwnCost(value) ? value : costText(value))

/** Whether a currency stands after the amount. */
export const isAfter = ({ position }: Pick<Currency, 'position'>): boolean => /^(post|suf)fix$/.test(position)
