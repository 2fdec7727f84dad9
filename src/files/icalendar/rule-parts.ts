import { readDate } from '../../time/dates.ts'

/** A rule that cannot be expanded. The message completes "expected …" with what was expected instead. */
export class InvalidRule extends Error {
  constructor(
    readonly expected: string,
    readonly rule: string,
  ) {
    super(`expected ${expected}, got "${rule}"`)
  }
}

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const

export type Frequency = (typeof frequencies)[number]

/** `-1SU` is the last Sunday of a period; an ordinal of 0 means every Sunday. Sunday is 0. */
export interface Weekday {
  readonly ordinal: number
  readonly weekday: number
}

/** The wall time of an UNTIL. */
interface RuleEnd {
  readonly wall: string
  readonly isUtc: boolean
  readonly isDay: boolean
}

/** The parts of a recurrence rule (RFC 5545, 3.3.10). Missing lists are undefined. */
export interface RuleParts {
  readonly frequency: Frequency
  readonly interval: number
  readonly count?: number
  readonly until?: RuleEnd
  readonly weekStart: number
  readonly byMonth?: readonly number[]
  readonly byWeekNo?: readonly number[]
  readonly byYearDay?: readonly number[]
  readonly byMonthDay?: readonly number[]
  readonly byDay?: readonly Weekday[]
  readonly byHour?: readonly number[]
  readonly byMinute?: readonly number[]
  readonly bySecond?: readonly number[]
  readonly bySetPos?: readonly number[]
}

const aRule = 'a rule such as FREQ=WEEKLY;COUNT=10'

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Parses a rule. Throws `InvalidRule`. */
export function parseRule(rule: string): RuleParts {
  const parts = new Map<string, string>()
  for (const part of rule
    .replace(/^\s*RRULE:/i, '')
    .replace(/\s/g, '')
    .toUpperCase()
    .split(';')) {
    if (part === '') continue
    const [name = '', value = '', ...rest] = part.split('=')
    if (name === '' || value === '' || rest.length > 0) throw new InvalidRule(aRule, rule)
    if (parts.has(name)) throw new InvalidRule(`${name} only once`, rule)
    if (!readers.has(name)) throw new InvalidRule(`a rule without ${name}, which is not part of RFC 5545`, rule)
    parts.set(name, value)
  }
  if (!parts.has('FREQ')) throw new InvalidRule(aRule, rule)
  const read: Partial<RuleParts> = {}
  for (const [name, value] of parts) {
    const [field, reader, expected] = readers.get(name) ?? []
    const parsed = reader?.(value)
    if (parsed === undefined) throw new InvalidRule(`${name} to be ${expected}`, rule)
    Object.assign(read, { [field ?? '']: parsed })
  }
  return checked({ frequency: 'YEARLY', interval: 1, weekStart: 1, ...read }, rule)
}

/** Refuses rules that programs read in different ways. */
function checked(parts: RuleParts, rule: string): RuleParts {
  const { frequency, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = parts
  const hasOnlyDaysOfMonth = byMonthDay !== undefined && (byMonth ?? byWeekNo ?? byYearDay ?? byDay) === undefined
  if (frequency === 'YEARLY' && hasOnlyDaysOfMonth)
    throw new InvalidRule('BYMONTH next to BYMONTHDAY, as programs disagree about the months', rule)
  if (byWeekNo !== undefined && frequency !== 'YEARLY') throw new InvalidRule('BYWEEKNO only with FREQ=YEARLY', rule)
  const hasOrdinals = byDay?.some(({ ordinal }) => ordinal !== 0)
  if (hasOrdinals && (byWeekNo !== undefined || (frequency !== 'YEARLY' && frequency !== 'MONTHLY')))
    throw new InvalidRule(
      `BYDAY without numbers in a ${byWeekNo ? 'rule with BYWEEKNO' : `rule that is ${frequency}`}`,
      rule,
    )
  return parts
}

type Reader = (value: string) => unknown

const positive: Reader = value => (/^\+?0*[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined)

/** A list of whole numbers from `least` to `most`, negative ones included if `isSigned`. */
const numbers =
  (least: number, most: number, isSigned = false): Reader =>
  value => {
    const list = value.split(',').filter(item => item !== '')
    const isValid = list.every(item => {
      const size = Number(item.replace(/^[+-]/, ''))
      return /^[+-]?\d+$/.test(item) && size >= least && size <= most && (isSigned || !item.startsWith('-'))
    })
    return isValid && list.length > 0 ? sorted(list.map(Number)) : undefined
  }

const sorted = (list: readonly number[]): number[] => [...new Set(list)].toSorted((one, other) => one - other)

const readWeekday: Reader = value => {
  const weekday = weekdays.indexOf(value)
  return weekday === -1 ? undefined : weekday
}

const readWeekdays: Reader = value => {
  const list = value
    .split(',')
    .filter(item => item !== '')
    .map(item => {
      const [, ordinal = '', name = ''] = /^([+-]?0*(?:[1-9]|[1-4]\d|5[0-3]))?([A-Z]{2})$/.exec(item) ?? []
      return { ordinal: Number(ordinal), weekday: weekdays.indexOf(name) }
    })
  return list.length > 0 && list.every(({ weekday }) => weekday !== -1) ? list : undefined
}

/** A date without a time includes the whole day. */
const readUntil: Reader = text => {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})(Z?))?$/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute = '59', second = '59', utc] = match
  const wall = readDate(`${year}-${month}-${day} ${hour ?? '23'}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : { wall, isUtc: utc === 'Z', isDay: hour === undefined }
}

/** Of each part: the field that it becomes, how it is read, and what is expected. */
const readers = new Map<string, readonly [keyof RuleParts, Reader, string]>([
  ['FREQ', ['frequency', value => frequencies.find(name => name === value), `one of ${frequencies.join(', ')}`]],
  ['INTERVAL', ['interval', positive, '1 or more']],
  ['COUNT', ['count', positive, '1 or more']],
  ['UNTIL', ['until', readUntil, 'a date such as 20271231']],
  ['WKST', ['weekStart', readWeekday, `one of ${weekdays.join(', ')}`]],
  ['BYMONTH', ['byMonth', numbers(1, 12), 'months from 1 to 12']],
  ['BYWEEKNO', ['byWeekNo', numbers(1, 53, true), 'weeks from 1 to 53 or -53 to -1']],
  ['BYYEARDAY', ['byYearDay', numbers(1, 366, true), 'days from 1 to 366 or -366 to -1']],
  ['BYMONTHDAY', ['byMonthDay', numbers(1, 31, true), 'days from 1 to 31 or -31 to -1']],
  ['BYDAY', ['byDay', readWeekdays, 'weekdays such as MO or -1SU']],
  ['BYHOUR', ['byHour', numbers(0, 23), 'hours from 0 to 23']],
  ['BYMINUTE', ['byMinute', numbers(0, 59), 'minutes from 0 to 59']],
  ['BYSECOND', ['bySecond', numbers(0, 60), 'seconds from 0 to 60']],
  ['BYSETPOS', ['bySetPos', numbers(1, 1_000_000, true), 'positions such as 1 or -1']],
])
