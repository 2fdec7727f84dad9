import type { CostDetails } from '../dialect.ts'

const amount = /\d+(?:[.,]\d+)*/g

/** Reads `15`, `20 €`, `€20`, `10 - 20`, `12,50`; a text without amounts is its own value: `free`. */
export function costDetails(cost: string): CostDetails {
  const text = cost.replace(/<[^<>]*>/g, '').trim()
  const values = [...new Set(text.match(amount)?.map(plainAmount))]
  if (values.length === 0) return { ...unpriced, values: text === '' ? [] : [unaccented(text)] }
  const symbol = /\p{Sc}|\b[A-Z]{3}\b/u.exec(text)
  if (!symbol) return { ...unpriced, values }
  return {
    currency_symbol: symbol[0],
    currency_code: '',
    currency_position: symbol.index < text.search(/\d/) ? 'prefix' : 'postfix',
    values,
  }
}

const unpriced = { currency_symbol: '', currency_code: '', currency_position: '' } as const

/** `12,50` and `1,234.56` with the point where the cents begin. */
const plainAmount = (text: string): string => {
  const [, whole = text, cents] = /^(.*)[.,](\d{1,2})$/.exec(text) ?? []
  const digits = whole.replace(/[.,]/g, '')
  return cents === undefined ? digits : `${digits}.${cents}`
}

const unaccented = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
