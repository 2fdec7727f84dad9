import { dayAfter } from '../../base/time/dates.ts'
import { clockText } from '../../base/time/hour-grammar.ts'
import type { Language } from '../../contract/languages.ts'
import builtIn from './built-in-formats.json' with { type: 'json' }
import type { RawCell } from './cell-values.ts'

/** What a number in a workbook means according to its number format: `46000.8125` is a date, a time or an amount. */
export type NumberKind = 'number' | 'percentage' | 'date' | 'dateTime' | 'time' | 'duration' | 'digits'

/** The format that workbooks only number (ECMA-376, 18.8.30), including the East Asian versions. */
export function builtInFormat(id: number): string {
  const isEastAsianTime = (id >= 32 && id <= 35) || id === 55 || id === 56
  if (isEastAsianTime) return 'h:mm'
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'yyyy/m/d'
  return (builtIn.formats as Readonly<Record<string, string>>)[id] ?? 'General'
}

/** The part of a format that shows digits, without quoted texts, colours, conditions and languages. */
const bareFormat = (format: string): string =>
  (format.split(';')[0] ?? '').replace(/"[^"]*"?|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')

export function numberKind(format: string): NumberKind {
  const bare = bareFormat(format)
  if (/^(general|@)?$/i.test(bare)) return 'number'
  if (/\[[hms]+\]/i.test(bare)) return 'duration'
  const hasDay = /[yd]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
  const hasTime = /[hs]/i.test(bare)
  if (hasDay) return hasTime ? 'dateTime' : 'date'
  if (hasTime) return 'time'
  if (bare.includes('%')) return 'percentage'
  return /^0{2,}$/.test(format.replace(/"[ ./-]"|\\[ ./-]|[ ()/-]/g, '')) ? 'digits' : 'number'
}

const secondsPerDay = 86_400

/** The text of a number as a CSV file would have it, but independent of language. */
export function numberText(value: number, kind: NumberKind, format: string): string {
  if (kind === 'percentage') return `${plainNumber(value * 100)}%`
  if (kind === 'digits') return paddedDigits(value, format)
  if (kind === 'number') return amountText(value, format)
  if (value < 0 || value >= 2_958_466) return plainNumber(value)
  const seconds = Math.round(value * secondsPerDay)
  if (kind === 'duration') return shortClock(seconds)
  if (kind === 'time' || (kind === 'dateTime' && value < 1)) return shortClock(seconds % secondsPerDay)
  const day = dayText(Math.floor(seconds / secondsPerDay))
  return kind === 'date' && seconds % secondsPerDay === 0 ? day : `${day} ${shortClock(seconds % secondsPerDay)}`
}

/** Programs store 12.3 as 12.300000000000001, but numbers have at most 15 digits. */
const plainNumber = (value: number): string => String(Number(value.toPrecision(15)))

/** The currency in a number format such as `#,##0.00 [$€-403]`; undefined if it has none. */
function currencyOfFormat(format: string) {
  const shown = (format.split(';')[0] ?? '')
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/["\\]/g, '')
  const [symbol] = /\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})/u.exec(shown) ?? []
  if (symbol === undefined || (symbol.length > 1 && !Intl.supportedValuesOf('currency').includes(symbol)))
    return undefined
  const isFirst = shown.indexOf(symbol) < shown.search(/[0#]/)
  return { symbol, isFirst, decimals: /\.([0#]+)/.exec(shown)?.[1]?.length ?? 0 }
}

/** An amount with its currency: `12.50 €`, `€12.50`. Zero is 0 in any currency. */
function amountText(value: number, format: string): string {
  const plain = plainNumber(value)
  const currency = value === 0 ? undefined : currencyOfFormat(format)
  if (!currency || plain.includes('e')) return plain
  const { symbol, isFirst, decimals } = currency
  const cents = plain.split('.')[1]?.length ?? 0
  const amount = cents === 0 ? plain : value.toFixed(Math.max(cents, decimals))
  return isFirst ? `${symbol}${amount}` : `${amount} ${symbol}`
}

/** Without seconds, if there are none. */
const shortClock = (seconds: number): string => clockText(seconds).replace(/(?<=:\d\d):00$/, '')

/** The date of a day number. Day 60 is 29 February 1900, which never existed: every day before it is one too early. */
const dayText = (day: number): string => dayAfter('1899-12-30', day < 60 ? day + 1 : day)

/** The number of a day and time, `YYYY-MM-DD HH:MM:SS`; undefined for days that workbooks do not have. */
export function serialOf(wall: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(wall)
  const time = match && Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`)
  if (!time || Number.isNaN(time) || time < Date.UTC(1900, 2, 1)) return undefined
  return (time - Date.UTC(1899, 11, 30)) / (secondsPerDay * 1000)
}

/** The numbers by which formats name languages, as in Windows. */
const localeCodes: Readonly<Record<Language, string>> = { ca: '403', en: '809', es: 'C0A' }

/** A cell that shows a day in words: `5 desembre 2027`; undefined for days that workbooks do not have. */
export function dayCell(day: string, language: Language): RawCell | undefined {
  const value = serialOf(day)
  return value === undefined ? undefined : { value, format: `[$-${localeCodes[language]}]d mmmm yyyy` }
}

/** Days between the beginnings of the two date systems of workbooks. */
export const daysTo1904 = 1462

/** `00000` shows 8001 as 08001, and `000 00 00 00` a telephone number in groups. */
function paddedDigits(value: number, format: string): string {
  if (!Number.isInteger(value) || value < 0) return plainNumber(value)
  const pattern = format.replace(/["\\]/g, '')
  const zeros = pattern.replace(/[^0]/g, '').length
  const digits = String(value).padStart(zeros, '0')
  // The first zero stands for all digits that have none of their own.
  const split = digits.length - zeros + 1
  const parts = [digits.slice(0, split), ...digits.slice(split)]
  return pattern.replace(/0/g, () => parts.shift() ?? '')
}
