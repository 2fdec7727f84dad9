/**
 * The only reader of repetitions as people write them: `cada dimarts fins al juny excepte festius`. Input: the text, the day of the first
 * event, and the clock. Output: the rule and its limits; or all meanings of a doubtful text, each in a form that reads back as exactly
 * this one; or what to write instead. `repetition-rules.ts` reads which days, this file from when until when, and what is left out.
 */

import { interfaceLanguage, phrase } from '../words/phrase.ts'
import { foldWords, months, numberCalled, unitsCalled, weekdays } from './calendar-words.ts'
import { type GrammarContext, readDays, readMonthOf } from './date-grammar.ts'
import { readDayPair } from './date-periods.ts'
import { dayAfter, dayText, firstOfMonth } from './dates.ts'
import { holidayCalled } from './holidays.ts'
import {
  type Candidate,
  type Candidates,
  type DayRule,
  dayCodes,
  type Refusal,
  readDayRule,
  ruleText,
} from './repetition-rules.ts'
import { typedOrder } from './typed-order.ts'

export interface Repetition {
  /** `FREQ=WEEKLY;BYDAY=TU` */
  readonly rule: string
  readonly from?: string
  /** The last day. */
  readonly until?: string
  /** Days to leave out, and ranges of days: `2026-12-22/2027-01-07`. */
  readonly except?: readonly string[]
  readonly holidays?: 'besides' | 'without'
}

/** A `Meaning` of the contract. */
export type RepetitionReading =
  | { readonly value: Repetition }
  | { readonly doubt: readonly Candidate<Repetition>[] }
  | Refusal

export interface RepetitionContext {
  /** The day of the first event: dates without a year are the first such days from it on. */
  readonly start: string
  /** The wall time from which `next month` counts. */
  readonly now: string
}

/** What a part of the text says: limits, and what is left out. */
interface Limits {
  readonly from?: string
  readonly until?: string
  readonly except?: readonly string[]
  readonly months?: readonly number[]
  readonly exceptMonths?: readonly number[]
  readonly exceptDays?: readonly number[]
  readonly holidays?: 'without'
}

const isRefusal = (read: object): read is Refusal => 'refused' in read

/** Reads a repetition. */
export function readRepetition(text: string, context: RepetitionContext): RepetitionReading {
  const original = text
    .normalize('NFC')
    .replace(/[!()]|\.$/g, '')
    .trim()
    .replace(/\s+/g, ' ')
  const folded = foldWords(original)
  const said = folded.length === original.length ? original : folded
  const { core, clauses } = divided(said, folded.slice(0, 200))
  const found = readCore(core, context)
  const limits = clauses.map(clause => readClause(clause, context))
  const refusal = limits.find(isRefusal)
  if (isRefusal(found)) return found
  if (refusal) return { ...refusal, write: `${core} ${refusal.write}` }
  const all = [found, ...(limits as readonly (readonly Candidate<CoreMeaning>[])[])]
  const combined = all.reduce((texts, some) => texts.flatMap(one => some.map(other => joined(one, other))))
  const meanings = combined.flatMap(({ value, form }) => {
    if (value.from !== undefined && value.until !== undefined && value.until < value.from) return []
    return { value: repetitionOf(value), form: form + unsaidIn(value) }
  })
  const [first = { value: dayExpected() }] = meanings
  const broken = [first, ...meanings].map(({ value }) => value).find(isRefusal)
  if (broken) return broken
  const isDoubtful = all.some(some => some.length > 1 || some.some(({ value }) => value.isDoubtful))
  return isDoubtful ? { doubt: meanings as readonly Candidate<Repetition>[] } : { value: first.value as Repetition }
}

const joined = (one: Candidate<CoreMeaning>, other: Candidate<CoreMeaning>): Candidate<CoreMeaning> => ({
  value: merged(one.value, other.value),
  form: `${one.form} ${other.form}`.trim(),
})

/** Working days are without holidays; their form is weekdays. */
const unsaidIn = ({ rule }: CoreMeaning): string =>
  typeof rule === 'object' && rule.holidays === 'without' ? ` ${phrase('except holidays')}` : ''

const unknown = (): Refusal => ({
  refused: phrase('a repetition, such as "{example}"', { example: phrase('every Tuesday until 30 June') }),
  write: phrase('every Tuesday'),
})

/** A rule with its limits, or a part of both. `isDoubtful` if it is to be asked about although only one meaning can be carried out. */
interface CoreMeaning extends Limits {
  readonly rule?: DayRule | string
  readonly isDoubtful?: boolean
  readonly count?: number
}

const merged = (one: CoreMeaning, other: CoreMeaning): CoreMeaning => ({
  ...one,
  ...other,
  except: [...(one.except ?? []), ...(other.except ?? [])],
  exceptMonths: [...(one.exceptMonths ?? []), ...(other.exceptMonths ?? [])],
  exceptDays: [...(one.exceptDays ?? []), ...(other.exceptDays ?? [])],
})

/** Puts limits that are whole months and weekdays into the rule. */
function repetitionOf(meaning: CoreMeaning): Repetition | Refusal {
  const { rule = '', from, until, except = [], holidays } = meaning
  const limits = { ...(from && { from }), ...(until && { until }), ...(except.length > 0 && { except }) }
  const without = holidays && { holidays }
  const { months: only, exceptMonths = [], exceptDays = [] } = meaning
  if (typeof rule === 'string') {
    if (only || exceptMonths.length > 0 || exceptDays.length > 0)
      return { refused: phrase('an RRULE that has the months and weekdays in it'), write: rule }
    return { rule, ...limits, ...without }
  }
  const { months: inMonths = only, days = rule.frequency === 'DAILY' ? dayCodes : undefined } = rule
  const allMonths = inMonths ?? Array.from({ length: 12 }, (_, index) => index + 1)
  const isDailyByMonth = exceptDays.length > 0 && ((rule.interval ?? 1) > 1 || rule.frequency === 'MONTHLY')
  const left = days?.filter(day => !exceptDays.includes(dayCodes.indexOf(day)))
  if (isDailyByMonth || (exceptDays.length > 0 && !left?.length) || (only && rule.frequency === 'YEARLY'))
    return unknown()
  const changed: DayRule = {
    ...rule,
    ...(exceptDays.length > 0 && left && { frequency: 'WEEKLY', days: left }),
    ...((inMonths || exceptMonths.length > 0) && { months: allMonths.filter(month => !exceptMonths.includes(month)) }),
  }
  const besides = rule.holidays ?? holidays
  const counted = meaning.count === undefined ? '' : `;COUNT=${meaning.count}`
  return { rule: ruleText(changed) + counted, ...limits, ...(besides && { holidays: besides }) }
}

interface Clause {
  readonly kind: string
  /** The word that begins it. */
  readonly word: string
  readonly rest: string
}

const clauseWords = {
  before: "abans de(?:l|ls)?|abans d(?=')|antes del?|before",
  until: 'fins(?: al?s?| el)?|hasta(?: el)?|until|till?|up to',
  through: 'through',
  from: "a partir del?|a partir d(?=')|des del?|des d(?=')|desde(?: el)?|starting(?: on| from)?|from",
  except:
    "excepte|tret del?|tret dels|tret d(?=')|llevat del?|menys|exceptuant|salvo|excepto|menos|exceptuando|except(?: for| on| in)?|but not|pero no|sense|sin|without",
  for: 'durant|durante|for',
  days: "del(?= \\d{1,2}\\b)|de(?= l'\\d)|entre(?= (?:el |l')\\d)|between(?= )",
}

const begins = new RegExp(
  `(?:^|,? )(?:${Object.entries(clauseWords)
    .map(([kind, words]) => `(?<${kind}>${words})`)
    .join('|')})(?=[ '])`,
  'g',
)

const aWeekday = `(?:(?:${weekdays.flat().join('|')})s?|[lmxjvsd](?!'))`
const opening = 'from|del?|des del?|desde(?: el)?'
/** `de dilluns a divendres`; `fins` and the like only with a word before the first day, as they also say when a series ends. */
const weekdayRange = new RegExp(
  String.raw`\b(?:(?:${opening}) )?(${aWeekday}) (?:al?|to|through|(?<=\b(?:${opening}) ${aWeekday} )(?:until|till|fins(?: al?)?|hasta(?: el)?)) (${aWeekday})\b(?! \d)`,
  'g',
)

/** The text before the first clause, and the clauses; what follows a comma after a clause at the beginning comes first. */
function divided(said: string, folded: string): { readonly core: string; readonly clauses: readonly Clause[] } {
  // A range of weekdays has the words of clauses.
  const masked = folded.replace(weekdayRange, range => '_'.repeat(range.length))
  const marks = [...masked.matchAll(begins)]
  const clauses: Clause[] = []
  for (const [index, mark] of marks.entries()) {
    const kind = Object.entries(mark.groups ?? {}).find(([, word]) => word !== undefined)?.[0] ?? ''
    const end = marks[index + 1]?.index ?? said.length
    const part = { kind, word: mark[0].replace(/^,? /, ''), rest: said.slice(mark.index + mark[0].length, end).trim() }
    const last = clauses.at(-1)
    // `excepte del 22 al 7`: the days are those of the exception.
    const isOfLast = last?.kind === 'except' && /^$|^(?:els|los) di[ae]s$|[,&]$|(?:^|\s)(?:i|y|and)$/i.test(last.rest)
    if (last && isOfLast) clauses.splice(-1, 1, { ...last, rest: `${last.rest} ${part.word} ${part.rest}`.trim() })
    else clauses.push(part)
  }
  const core = said.slice(0, marks[0]?.index ?? said.length).trim()
  const [first, ...others] = clauses
  if (core !== '' || !first) return { core, clauses }
  const [, rest = first.rest, after = ''] = /^(.+?), (.+)$/.exec(first.rest) ?? []
  return { core: after, clauses: [{ ...first, rest }, ...others] }
}

const monthNames = months.flat().join('|')
const monthList = String.raw`(?:${monthNames})(?:(?:, ?| ?[-–&] ?| (?:i|y|e|and|a|al|to) (?:l'|d')?)(?:${monthNames}))*`
const inMonths = new RegExp(
  String.raw`^(.+?),? (?:(?:en|a|al|in|during|durant|durante|de|del|of|els|los|el|mes|mesos|meses) |d'|a l')+(${monthList})(?: (?:del? |of )?(20\d\d))?( (?:de |of |en )?(?:cada any|cada ano|each year|every year))?$`,
)

function readCore(text: string, context: RepetitionContext): Candidates<CoreMeaning> {
  if (/^freq=\S+$/i.test(text)) return [{ value: { rule: text.toUpperCase() }, form: text }]
  const [, counted, count] = /^(.+?),? (\S+) (?:vegades|veces|times|cops|sessions|sesiones)$/i.exec(text) ?? []
  if (counted !== undefined && numberCalled(foldWords(count ?? ''))) {
    const read = readCore(counted, context)
    if (isRefusal(read)) return read
    return read.map(({ value, form }) => ({
      value: { ...value, count: numberCalled(foldWords(count ?? '')) ?? 1 },
      form: text.replace(counted, form),
    }))
  }
  const folded = foldWords(text).replace(weekdayRange, '$1 – $2')
  const read = readDayRule(folded, context.start)
  if (read) return isRefusal(read) ? read : withRule(read, folded, text)
  const [, which = '', names = '', year, isYearly] = inMonths.exec(folded) ?? []
  const rule = which === '' ? undefined : readDayRule(which, context.start)
  if (!rule || isRefusal(rule)) return rule ?? unknown()
  const ofMonths = readMonths(monthsIn(names), { year, isYearly: isYearly !== undefined }, context)
  return rule.flatMap(one =>
    ofMonths.map(other => ({
      value: { rule: one.value, isDoubtful: one.form !== which, ...other.value },
      form: ofMonths.length > 1 || rule.length > 1 ? `${one.form} ${other.form}` : text,
    })),
  )
}

const withRule = (
  read: readonly Candidate<DayRule>[],
  folded: string,
  text: string,
): readonly Candidate<CoreMeaning>[] =>
  read.map(({ value, form }) => ({
    value: { rule: value, isDoubtful: form !== folded },
    form: form === folded ? text : form,
  }))

/** Months by their numbers: a list, or a range. */
function monthsIn(names: string): number[] {
  const numbers = names.split(/[^a-z]+/).flatMap(word => months.findIndex(one => one.includes(word)) + 1 || [])
  const [first = 0, last = first] = numbers
  const isRange = numbers.length === 2 && !/(?:,|&| (?:i|y|e|and)) /.test(names)
  return isRange
    ? Array.from({ length: ((last - first + 12) % 12) + 1 }, (_, at) => ((first + at - 1) % 12) + 1)
    : numbers
}

const monthName = (number: number): string =>
  new Intl.DateTimeFormat(interfaceLanguage(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, number - 1))

/** `in January`: the next one, or each year. */
function readMonths(
  numbers: readonly number[],
  { year, isYearly }: { readonly year: string | undefined; readonly isYearly: boolean },
  { start }: RepetitionContext,
): readonly Candidate<Limits>[] {
  const isOneSpan = numbers.every((month, index) => index === 0 || month === ((numbers[index - 1] ?? 0) % 12) + 1)
  const thisYear = Number(start.slice(0, 4))
  const years = year === undefined ? [thisYear - 1, thisYear, thisYear + 1] : [Number(year)]
  const spans = years.map(one => {
    const from = dayText(one, numbers[0] ?? 1, 1)
    return { from, until: dayAfter(firstOfMonth(from, numbers.length) ?? from, -1) }
  })
  const value = spans.find(({ until }) => until >= start) ?? { from: start, until: start }
  const once = { value, form: phrase('from {from} until {until}', value) }
  if (year !== undefined && isOneSpan) return [once]
  const names = [numbers.at(0), numbers.at(-1)].map(number => monthName(number ?? 1))
  const list = isOneSpan && numbers.length > 2 ? names.join(' – ') : numbers.map(monthName).join(', ')
  const form = phrase('in {months} of each year', { months: list })
  const yearly = { value: { months: numbers.toSorted((one, other) => one - other) }, form }
  return isYearly || !isOneSpan ? [yearly] : [once, yearly]
}

/** Days from the start on; words such as `next month` count from today. */
const daysFrom = ({ start, now }: RepetitionContext): GrammarContext => ({
  now,
  from: start,
  order: typedOrder(),
  isTyped: true,
})

function readClause({ kind, word, rest }: Clause, context: RepetitionContext): Candidates<Limits> {
  const folded = foldWords(rest)
  if (kind === 'except')
    return readExcept(foldWords(`${word} ${rest}`).slice(word.length).trim(), `${word} ${rest}`, context)
  if (kind === 'days' || kind === 'from') {
    const pair = readDayPair(`${foldWords(word)} ${folded}`, daysFrom(context))
    if (pair) return [{ value: { from: pair.first, until: pair.last }, form: `${word} ${rest}` }]
  }
  if (kind === 'for') return readLength(folded, `${word} ${rest}`, context)
  const inMonths = kind === 'from' && new RegExp(`^${monthList}$`).test(folded) ? monthsIn(folded) : []
  if (inMonths.length > 1) return readMonths(inMonths, { year: undefined, isYearly: false }, context)
  const days = kind === 'from' ? firstDays(folded, context) : lastDays(kind, folded, context)
  if (isRefusal(days)) return days
  return days.map(day => ({
    value: kind === 'from' ? { from: day } : { until: day },
    form: days.length === 1 ? `${word} ${rest}` : kind === 'from' ? phrase('from {day}', { day }) : untilDay(day),
  }))
}

/** `durant 10 setmanes`, from the start on. */
function readLength(text: string, form: string, { start }: RepetitionContext): Candidates<Limits> {
  const [, size = '', word = ''] = /^(\S+) (\S+)$/.exec(text) ?? []
  const [count, unit] = [numberCalled(size), unitsCalled(word)[0]]
  const days = { day: 1, week: 7 }[String(unit)]
  const end = days === undefined ? monthsAfter(start, unit, count) : dayAfter(start, days * (count ?? 0))
  return count && end ? [{ value: { until: dayAfter(end, -1) }, form }] : dayExpected()
}

function monthsAfter(start: string, unit: string | undefined, count = 0): string | undefined {
  const inUnit = { month: 1, year: 12 }[String(unit)]
  const month = inUnit === undefined ? undefined : firstOfMonth(start, inUnit * count)
  return month && dayAfter(month, Number(start.slice(8)) - 1)
}

const article = /^(?:el |la |els |l'|d'|the |de |del |mes de |mes d'|in |on |en |al |a )+/

const untilDay = (day: string): string => phrase('until {day}', { day })

const dayExpected = (): Refusal => ({ refused: phrase('a day, such as 30 June 2027'), write: untilDay('2027-06-30') })

/** The days that a text means; a number is a day of the month. */
function daysCalled(text: string, context: RepetitionContext): Candidates<string> | undefined {
  const said = text.replace(article, '')
  const read =
    readDays(said, daysFrom(context)) ?? readDays(/^\d{1,2}$/.test(said) ? `dia ${said}` : text, daysFrom(context))
  if (read && 'expected' in read) return { refused: read.expected, write: untilDay('2027-06-30') }
  return read?.map(day => ({ value: day.slice(0, 10), form: day }))
}

/** The first day of a month or a year; undefined for any other text. */
function periodCalled(text: string, { start }: RepetitionContext): { first: string; last: string } | undefined {
  const said = text.replace(article, '')
  const [year] = /(?<=^(?:any |ano |year )?)20\d\d$/.exec(said) ?? []
  if (year !== undefined) return { first: `${year}-01-01`, last: `${year}-12-31` }
  const month = /[a-z]/.test(said) ? readMonthOf(said, start) : undefined
  if (!month?.ok || month.day === undefined) return undefined
  return { first: month.day, last: dayAfter(firstOfMonth(month.day, 1) ?? month.day, -1) }
}

function firstDays(text: string, context: RepetitionContext): readonly string[] | Refusal {
  const days = daysCalled(text, context)
  if (days) return isRefusal(days) ? days : days.map(({ value }) => value)
  const first = periodCalled(text.replace(/^(?:principis|principios|the beginning) (?:de |of )/, ''), context)?.first
  return first === undefined ? dayExpected() : [first]
}

const inclusive = / (?:inclos(?:a|os)?|inclusivament|inclusive|incluido|incluso|inclusivamente|included)$/
const endOf = /^(?:a |el |the )?(?:finals?|fi|fin|finales|final|end) (?:de |del |d'|of )(?:l'|the )?/

/** The last day: of a month, with it or before it; of a holiday, on it or before it. */
function lastDays(kind: string, text: string, context: RepetitionContext): readonly string[] | Refusal {
  const said = text.replace(inclusive, '').replace(endOf, '')
  const isSure = said !== text || kind === 'through'
  const days = daysCalled(said, context)
  if (days && isRefusal(days)) return days
  if (new RegExp(`^(?:el |the )?${aWeekday}$`).test(said)) return dayExpected()
  const year = /^(?:any|ano|year)$/.test(said) ? context.start.slice(0, 4) : said
  const isHoliday = holidayCalled(said) !== undefined
  const periods = days
    ? days.map(({ value }) => ({ first: value, last: value, isSure: !isHoliday }))
    : [periodCalled(year, context) ?? []].flat().map(period => ({ ...period, isSure }))
  const all = periods.flatMap(({ first, last, isSure: isLast }) => {
    const before = dayAfter(first, -1)
    if (kind === 'before') return [before]
    return isLast || isSure ? [last] : [last, before]
  })
  const possible = [...new Set(all)].filter(day => day >= context.start)
  return possible.length > 0 ? possible : dayExpected()
}

/** What is left out: days, ranges, months, weekdays, holidays, in a list. */
function readExcept(text: string, form: string, context: RepetitionContext): Candidates<Limits> {
  const said = text.replace(/^(?:en |in |on |a |al |for )?(?:els |los |the )?(?:(?:di[ae]s|days) )?/, '')
  const whole = readExceptOne(said, context)
  if (whole && !isRefusal(whole)) return [{ value: whole, form }]
  const items = said.split(/(?:,| (?:i|y|e|and|&)) /)
  const completed = items.map((item, index) => withMonthOf(item, [...items.slice(index + 1), ...items.slice(0, index)]))
  const limits = completed.map(item => readExceptOne(item, context) ?? exceptExpected())
  const refusal = limits.find(isRefusal)
  if (refusal) return refusal
  return [{ value: (limits as readonly Limits[]).reduce(merged), form }]
}

const exceptExpected = (): Refusal => ({
  refused: phrase('days to leave out, such as {example}', {
    example: phrase('24 and 31 December, August or holidays'),
  }),
  write: phrase('except {days}', { days: '2026-12-24' }),
})

/** `24` beside `31 de desembre` is `24 de desembre`. */
function withMonthOf(item: string, others: readonly string[]): string {
  const [number] = /(?<=^(?:el |the |dia |l')?)\d{1,2}$/.exec(item) ?? []
  const whole = others.find(other => /\d.*[a-z/]|[a-z].*\d/.test(other.replace(article, '')))
  return number === undefined || whole === undefined ? item : whole.replace(/\d{1,2}(?=\D|$)/, number)
}

function readExceptOne(item: string, context: RepetitionContext): Limits | Refusal | undefined {
  const said = item.replace(/^(?:en |in |on |a |al |a l'|l'|l )/, '').replace(article, '')
  if (/^(?:(?:en |els |los )?(?:dies |dias |public |bank )?)(?:festius?|festivos?|holidays?)$/.test(said))
    return { holidays: 'without' }
  const list = said.replace(/^(?:mes(?:os|es)? de )/, '')
  if (new RegExp(`^${monthList}$`).test(list)) return { exceptMonths: monthsIn(list) }
  const rule = readDayRule(said, context.start)
  if (rule && !isRefusal(rule)) {
    const { frequency, interval = 1, days = [], holidays } = rule[0]?.value ?? { frequency: 'DAILY' }
    const isPlain = rule.length === 1 && frequency === 'WEEKLY' && interval === 1 && !holidays && days.length > 0
    return isPlain ? { exceptDays: days.map(day => dayCodes.indexOf(day)) } : undefined
  }
  const pair = readDayPair(item, daysFrom(context))
  if (pair?.isSpan) return { except: [`${pair.first}/${pair.last}`] }
  const days = daysCalled(item, context)
  if (!days || isRefusal(days)) return days
  const [day, ...others] = days
  return day && others.length === 0 ? { except: [day.value] } : undefined
}
