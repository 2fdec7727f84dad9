import { isObject } from '../../base/text/json.ts'

/** The currency of an event's cost, which a site keeps beside its text. */
export interface Currency {
  readonly symbol: string
  /** `prefix`, `postfix`, `suffix`, or none. */
  readonly position: string
  /** `EUR` */
  readonly code: string
}

/** A single amount, without a comma, with a currency after it or anything before it, which counts as one: `Free -`. */
const withCurrency = /^([^\d.,]*[^\d\s.,])?\s*(\.?\d+\.?\d*)\s*([^\d\s.,]{1,4})?$/

/** The currency that The Events Calendar takes from the text of a cost which its events API is sent. */
export function currencyIn(text: string): Currency {
  const [, before = '', , after = ''] = withCurrency.exec(text.replace(/<[^<>]*>/g, '').trim()) ?? []
  const positionAfter = after ? 'postfix' : ''
  return { symbol: before || after, position: before ? 'prefix' : positionAfter, code: '' }
}

/**
 * A cost whose currency is not the one that its text says, as WordPress's own API and its editor store it: text and currency are one
 * value. A cost whose text says all is that text.
 */
export interface OwnCost extends Currency {
  readonly cost: string
}

/** The value of a cost that is stored with this currency. */
export function costWith(cost: string, { symbol, position, code }: Currency): string | OwnCost {
  const said = currencyIn(cost)
  if (said.symbol === symbol && said.position === position && code === '') return cost
  return { cost, symbol, position, code }
}

export const isOwnCost = (value: unknown): value is OwnCost =>
  isObject(value) &&
  Object.keys(value).length === 4 &&
  ['cost', 'symbol', 'position', 'code'].every(key => typeof value[key] === 'string')

/** Text and currency of a cost. */
export const partsOf = (value: string | OwnCost): OwnCost =>
  isOwnCost(value) ? value : { cost: value, ...currencyIn(value) }

/** The keys of `meta` that have the currency. */
const currencyKeys = {
  symbol: '_EventCurrencySymbol',
  position: '_EventCurrencyPosition',
  code: '_EventCurrencyCode',
} as const

/** A currency, or parts of one, as the `meta` of an event has it. */
export const currencyMeta = (currency: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(currencyKeys).flatMap(([name, key]) =>
      currency[name] === undefined ? [] : [[key, currency[name]]],
    ),
  )

/** The currency in the `meta` of an event; undefined if that does not have it. */
export function currencyOf(meta: Readonly<Record<string, unknown>>): Currency | undefined {
  const [symbol, position, code] = Object.values(currencyKeys).map(key => meta[key])
  if (typeof symbol !== 'string' || typeof position !== 'string') return undefined
  return { symbol, position, code: typeof code === 'string' ? code : '' }
}
