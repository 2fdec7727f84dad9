/**
 * The only reader of repetitions as people write them: `cada dimarts fins al juny excepte festius`. Input: the text, the day of the first
 * event, and the clock. Output: the rule and its limits; or all meanings of a doubtful text, each in a form that reads back as exactly
 * this one; or what to write instead. `repetition-rules.ts` reads which days, this file from when until when, and what is left out.
 */

import type { Meaning, UnreadText } from '../meaning.ts'
import { phrase } from '../words/phrase.ts'
import { foldWords, months, numberCalled, unitsCalled, weekdays } from './calendar-words.ts'
import { type GrammarContext, readDays, readMonthOf } from './date-grammar.ts'
import { readDayPair } from './date-periods.ts'
import { dayAfter, dayText, firstOfMonth, longName } from './dates.ts'
import { areHolidays, holidayCalled } from './holidays.ts'
import { type DayRule, dayCodes, readDayRule, ruleText } from './repetition-rules.ts'
import { typedOrder } from './typed-order.ts'

/** How something repeats. */
export interface Repetition {
  /** `FREQ=WEEKLY;BYDAY=TU` */
  readonly rule: string
  /** The first day. */
  readonly from?: string
  /** The last day. */
  readonly until?: string
  /** Days or wall times to leave out, and ranges of days: `2026-12-22/2027-01-07`. */
  readonly except?: readonly string[]
  /** Whether there is a date on each public holiday as well, or on none. */
  readonly holidays?: 'besides' | 'without'
}

export type RepetitionReading = Meaning<Repetition>

export interface RepetitionContext {
  /** The day of the first event: dates without a year are the first such days from it on. */
  readonly start: string
  /** The wall time from which `next month` counts. */
  readonly now: string
}

/** What a part of the text says. */
interface Limits extends Partial<DayRule>, Pick<Repetition, 'from' | 'until' | 'except'> {
  readonly exceptMonths?: readonly number[]
  readonly exceptDays?: readonly string[]
}

/** What a part says; or if it is doubtful, one text for each of its meanings. */
type PartReading = Limits | readonly string[] | UnreadText

const isDoubt = (read: PartReading): read is readonly string[] => Array.isArray(read)
const isUnread = (read: PartReading): read is UnreadText => 'refused' in read

/** Reads a repetition; `except` says which days are left out besides those of the text. */
export function readRepetition(text: string, context: RepetitionContext, except?: string): RepetitionReading {
  const { core, clauses } = coreFirst(divided(text))
  const parts = [core, ...clauses.map(({ word, rest }) => `${word} ${rest}`)]
  const limits: Limits[] = []
  for (const [index, read] of [readCore(core, context), ...clauses.map(one => readClause(one, context))].entries()) {
    if (isDoubt(read))
      return readForms(
        read.map(form => parts.with(index, form).join(' ')),
        context,
      )
    if (isUnread(read)) return index === 0 ? read : { ...read, write: `${core} ${read.write}` }
    limits.push(read)
  }
  const leftOut = except === undefined ? {} : readExcept(foldWords(tidied(except)), context)
  const read = 'refused' in leftOut ? leftOut : repetitionOf([...limits, leftOut])
  return 'refused' in read && except !== undefined ? { ...read, write: aSpan() } : read
}

/** The last day of a series, of a text that says only this: `30 de juny`, `before August`. */
export function readLastDay(text: string, context: RepetitionContext): Meaning<string> {
  const { core, clauses } = divided(text)
  const [{ kind, rest } = { kind: 'until', rest: core }, ...others] = clauses
  const isEnd = others.length === 0 && (clauses.length === 0 || core === '') && /until|through|before/.test(kind)
  const [value, ...more] = isEnd ? lastDays(kind, foldWords(rest), context) : []
  if (value === undefined) return { ...dayExpected(), write: '2027-06-30' }
  return more.length > 0 ? { doubt: [value, ...more].map(form => ({ value: form, form })) } : { value }
}

const tidied = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[!()]|\.$/g, '')
    .trim()
    .replace(/\s+/g, ' ')

function readForms(forms: readonly string[], context: RepetitionContext): RepetitionReading {
  const readings = forms.map(form => ({ form, reading: readRepetition(form, context) }))
  const doubt = readings.flatMap(({ form, reading }) => {
    if ('doubt' in reading) return reading.doubt
    return 'value' in reading ? { form, value: reading.value } : []
  })
  return doubt.length > 0 ? { doubt } : (readings[0]?.reading ?? unknown())
}

const unknown = (): UnreadText => ({
  refused: phrase('a repetition, such as "{example}"', { example: phrase('every Tuesday until 30 June') }),
  write: phrase('every Tuesday'),
})

const nothingLeft = (): UnreadText => ({ ...unknown(), refused: phrase('exceptions that leave at least one date') })

/** Puts the limits together; whole months and weekdays that are left out go into the rule. */
function repetitionOf(limits: readonly Limits[]): RepetitionReading {
  const { rule = {}, from, until, holidays }: Limits = Object.assign({}, ...limits)
  const except = limits.flatMap(one => one.except ?? [])
  const exceptDays = limits.flatMap(one => one.exceptDays ?? [])
  const exceptMonths = limits.flatMap(one => one.exceptMonths ?? [])
  const { FREQ, INTERVAL = '1', BYDAY = FREQ === 'DAILY' && INTERVAL === '1' ? dayCodes.join() : '' } = rule
  const days = BYDAY.split(',').filter(day => !exceptDays.includes(day))
  const inMonths = (rule.BYMONTH || '1,2,3,4,5,6,7,8,9,10,11,12').split(',').map(Number)
  const keptMonths = inMonths.filter(month => !exceptMonths.includes(month))
  if (days.length === 0 || keptMonths.length === 0) return nothingLeft()
  if (exceptDays.length > 0 && !/^(?:[A-Z]{2},)*[A-Z]{2}$/.test(BYDAY)) return unknown()
  if (from !== undefined && until !== undefined && until < from) return dayExpected()
  const changed = {
    ...rule,
    ...(exceptDays.length > 0 && { FREQ: 'WEEKLY', BYDAY: days.join() }),
    ...(exceptMonths.length > 0 && { BYMONTH: keptMonths.join() }),
  }
  const value: Repetition = {
    rule: ruleText(changed),
    ...(from && { from }),
    ...(until && { until }),
    ...(except.length > 0 && { except }),
    ...(holidays && { holidays }),
  }
  return { value }
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
    "excepte|tret de(?:l|ls)?|tret d(?=')|llevat del?|menys|exceptuant|salvo|excepto|menos|exceptuando|except(?: for| on| in)?|but not|pero no|sense|sin|without",
  length: 'durant|durante|for',
  days: "del(?= \\d{1,2}\\b)|de(?= l'\\d)|entre(?= (?:el |l')\\d)|between(?= )",
}

const clauseKinds = Object.entries(clauseWords).map(([kind, words]) => `(?<${kind}>${words})`)
const beginning = new RegExp(`(?:^|,? )(?:${clauseKinds.join('|')})(?=[ '])`, 'g')

const aWeekday = `(?:(?:${weekdays.flat().join('|')})s?|[lmxjvsd](?!'))`
const opening = 'from|del?|des del?|desde(?: el)?'
/** `de dilluns a divendres`; `fins` and the like only with a word before the first day, as they also say when a series ends. */
const weekdayRange = new RegExp(
  String.raw`\b(?:(?:${opening}) )?(${aWeekday}) (?:al?|to|through|(?<=\b(?:${opening}) ${aWeekday} )(?:until|till|fins(?: al?)?|hasta(?: el)?)) (${aWeekday})\b(?! \d)`,
  'g',
)

/** The text before the first clause, and the clauses. */
function divided(text: string): { readonly core: string; readonly clauses: readonly Clause[] } {
  const whole = tidied(text)
  const folded = foldWords(whole)
  const said = folded.length === whole.length ? whole : folded
  // A range of weekdays has the words of clauses.
  const marks = [...folded.replace(weekdayRange, range => '_'.repeat(range.length)).matchAll(beginning)]
  const clauses: Clause[] = []
  for (const [index, { 0: mark, index: at, groups = {} }] of marks.entries()) {
    const [kind = ''] = Object.keys(groups).filter(name => groups[name] !== undefined)
    const part = {
      kind,
      word: mark.replace(/^,? /, ''),
      rest: said.slice(at + mark.length, marks[index + 1]?.index).trim(),
    }
    const last = clauses.at(-1)
    // `excepte del 22 al 7`: the days are those of the exception.
    if (last?.kind === 'except' && /^$|^(?:els|los) di[ae]s$|[,&]$|(?:^|\s)(?:i|y|and)$/i.test(last.rest))
      clauses.splice(-1, 1, { ...last, rest: `${last.rest} ${part.word} ${part.rest}`.trim() })
    else clauses.push(part)
  }
  return { core: said.slice(0, marks[0]?.index).trim(), clauses }
}

/** What follows a comma after a clause at the beginning comes first: `from January, every Tuesday`. */
function coreFirst({ core, clauses }: ReturnType<typeof divided>): ReturnType<typeof divided> {
  const [first, ...others] = clauses
  if (core !== '' || !first) return { core, clauses }
  const [, rest = first.rest, after = ''] = /^(.+?), (.+)$/.exec(first.rest) ?? []
  return { core: after, clauses: [{ ...first, rest }, ...others] }
}

const aMonth = `(?:${months.flat().join('|')})`
const monthList = `${aMonth}(?:(?:, ?| ?[-–&] ?| (?:i|y|e|and|a|al|to) (?:l'|d')?)${aMonth})*`
const onlyMonths = new RegExp(`^(?:mes(?:os|es)? de )?${monthList}$`)
const inMonths = new RegExp(
  String.raw`^(.+?),? (?:(?:en|a|al|in|during|de|del|of|els|los|el|mes|mesos|meses) |d'|a l')+(${monthList})(?: (?:del? |of )?(20\d\d))?( (?:de |of |en )?(?:cada any|cada ano|each year|every year))?$`,
)
const counted = /^(.+?),? (\S+) (?:vegades|veces|times|cops|sessions|sesiones)$/i

function readCore(text: string, context: RepetitionContext): PartReading {
  const parts = text.toUpperCase().split(';')
  if (/^freq=\S+$/i.test(text)) return { rule: Object.fromEntries(parts.map(part => part.split('='))) }
  const folded = foldWords(text).replace(weekdayRange, '$1 – $2')
  const whole = readDayRule(folded, context.start)
  if (whole && !isUnread(whole)) return whole
  const [, repeated = '', number = ''] = counted.exec(folded) ?? []
  const [, which = repeated, names = '', year, yearly] = inMonths.exec(folded) ?? []
  const read = which === '' ? undefined : readDayRule(which, context.start)
  if (!read || isUnread(read)) return read ?? whole ?? unknown()
  if (isDoubt(read)) return read.map(form => `${form}${folded.slice(which.length)}`)
  if (names !== '') return withMonths(read, { which, numbers: monthsIn(names), year, yearly }, context)
  const COUNT = numberCalled(number)
  return COUNT === undefined ? unknown() : { ...read, rule: { ...read.rule, COUNT: String(COUNT) } }
}

interface InMonths {
  readonly which: string
  readonly numbers: readonly number[]
  readonly year: string | undefined
  readonly yearly: string | undefined
}

/** `in January`: the next one, or each year. */
function withMonths(
  read: DayRule,
  { which, numbers, year, yearly }: InMonths,
  context: RepetitionContext,
): PartReading {
  const isSpan = numbers.every((month, index) => index === 0 || month === ((numbers[index - 1] ?? 0) % 12) + 1)
  const isYearly = yearly !== undefined || !isSpan
  if (read.rule.FREQ === 'YEARLY') return unknown()
  if (isYearly && !read.rule.BYMONTH) return { ...read, rule: { ...read.rule, BYMONTH: inOrder(numbers) } }
  if (year !== undefined) return { ...read, ...spanOf(numbers, [Number(year)], context) }
  return formsOf(numbers, context).map(form => `${which} ${form}`)
}

/** Months by their numbers: a list, or a range. */
function monthsIn(names: string): number[] {
  const numbers = names.split(/[^a-z]+/).flatMap(word => months.findIndex(one => one.includes(word)) + 1 || [])
  const [first = 0, last = first] = numbers
  if (numbers.length !== 2 || /,|&| (?:i|y|e|and) /.test(names)) return numbers
  return Array.from({ length: ((last - first + 12) % 12) + 1 }, (_, at) => ((first + at - 1) % 12) + 1)
}

const inOrder = (numbers: readonly number[]): string => numbers.toSorted((one, other) => one - other).join()

/** The first such months that are not over. */
function spanOf([first = 1, ...others]: readonly number[], years: readonly number[], { start }: RepetitionContext) {
  const spans = years.map(year => {
    const from = dayText(year, first, 1)
    return { from, until: dayAfter(firstOfMonth(from, others.length + 1) ?? from, -1) }
  })
  return spans.find(({ until }) => until >= start) ?? { from: start, until: start }
}

function formsOf(numbers: readonly number[], context: RepetitionContext): string[] {
  const thisYear = Number(context.start.slice(0, 4))
  const names = numbers.map(number => longName('month', Date.UTC(2024, number - 1)))
  const list = names.length > 2 ? [names.at(0), names.at(-1)].join(' – ') : names.join(', ')
  const once = spanOf(numbers, [thisYear - 1, thisYear, thisYear + 1], context)
  return [phrase('from {from} until {until}', once), phrase('in {months} of each year', { months: list })]
}

const readClause = ({ kind, word, rest }: Clause, context: RepetitionContext): PartReading => {
  const folded = foldWords(rest)
  if (kind === 'except') return readExcept(folded, context)
  if (kind === 'length') return readLength(folded, context)
  if (kind !== 'from' && kind !== 'days') return readEnd(kind, folded, context)
  const pair = readDayPair(`${foldWords(word)} ${folded}`, daysFrom(context))
  if (pair) return { from: pair.first, until: pair.last }
  if (onlyMonths.test(folded) && monthsIn(folded).length > 1) return formsOf(monthsIn(folded), context)
  const days = daysCalled(folded, context) ?? [periodCalled(folded, context)?.first ?? []].flat()
  if (isUnread(days)) return days
  const [from, ...others] = days
  if (others.length > 0) return days.map(day => phrase('from {day}', { day }))
  return from === undefined ? dayExpected() : { from }
}

/** Days from the start on; words such as `next month` count from today. */
const daysFrom = ({ start, now }: RepetitionContext): GrammarContext => ({
  now,
  from: start,
  order: typedOrder(),
  isTyped: true,
})

const article = /^(?:el |la |els |l'|d'|the |de |del |mes de |mes d'|in |on |en |al |a |any |ano |year )+/

const untilDay = (day: string): string => phrase('until {day}', { day })

const dayExpected = (): UnreadText => ({
  refused: phrase('a day, such as 30 June 2027'),
  write: untilDay('2027-06-30'),
})

/** The days that a text means; a number is a day of the month. */
function daysCalled(text: string, context: RepetitionContext): readonly string[] | UnreadText | undefined {
  const said = text.replace(article, '')
  const read =
    readDays(/^\d{1,2}$/.test(said) ? `dia ${said}` : said, daysFrom(context)) ?? readDays(text, daysFrom(context))
  if (read && 'expected' in read) return { refused: read.expected, write: untilDay('2027-06-30') }
  return read?.map(day => day.slice(0, 10))
}

/** The first and the last day of a month or a year; undefined for any other text. */
function periodCalled(text: string, { start }: RepetitionContext): { first: string; last: string } | undefined {
  const said = text.replace(article, '') || start.slice(0, 4)
  if (/^20\d\d$/.test(said)) return { first: `${said}-01-01`, last: `${said}-12-31` }
  const month = /[a-z]/.test(said) ? readMonthOf(said, start) : undefined
  if (!month?.ok || month.day === undefined) return undefined
  return { first: month.day, last: dayAfter(firstOfMonth(month.day, 1) ?? month.day, -1) }
}

/** `durant 10 setmanes`, from the start on. */
function readLength(text: string, { start }: RepetitionContext): PartReading {
  const [size = '', word = '', ...others] = text.split(' ')
  const [count = 0, unit = ''] = [numberCalled(size), unitsCalled(word)[0]]
  const days = new Map([
    ['day', count],
    ['week', 7 * count],
  ]).get(unit)
  const month = firstOfMonth(start, unit === 'year' ? 12 * count : Number(unit === 'month') * count)
  const end = days === undefined ? month && dayAfter(month, Number(start.slice(8)) - 1) : dayAfter(start, days)
  return others.length === 0 && end !== undefined && end > start ? { until: dayAfter(end, -1) } : dayExpected()
}

const inclusive = / (?:inclos(?:a|os)?|inclusivament|inclusive|incluido|incluso|inclusivamente|included)$/
const endOf = /^(?:a |el |the )?(?:finals?|fi|fin|finales|final|end) (?:de |del |d'|of )(?:l'|the )?/

function readEnd(kind: string, text: string, context: RepetitionContext): PartReading {
  const [until, ...others] = lastDays(kind, text, context)
  if (until === undefined) return dayExpected()
  return others.length > 0 ? [until, ...others].map(untilDay) : { until }
}

/** The possible last days: of a month, with it or before it; of a holiday, on it or before it. */
function lastDays(kind: string, text: string, context: RepetitionContext): string[] {
  const said = text
    .replace(inclusive, '')
    .replace(endOf, '')
    .replace(/^(?:any|ano|year)$/, context.start.slice(0, 4))
  const days = daysCalled(said, context)
  if ((days && isUnread(days)) || new RegExp(`^(?:el |the )?${aWeekday}$`).test(said)) return []
  const periods = days?.map(day => ({ first: day, last: day })) ?? [periodCalled(said, context) ?? []].flat()
  const isSure = said !== text || kind === 'through' || (days !== undefined && !holidayCalled(said))
  const all = periods.flatMap(({ first, last }) => {
    const before = dayAfter(first, -1)
    if (kind === 'before') return [before]
    return isSure ? [last] : [last, before]
  })
  // Only a day with a year can be past.
  const coming = all.filter(day => day >= context.start)
  return [...new Set(coming.length > 0 ? coming : all)]
}

/** What is left out: days, ranges, months, weekdays, holidays, in a list. */
function readExcept(text: string, context: RepetitionContext): Limits | UnreadText {
  const said = text.replace(/^(?:en |in |on |a |al |for )?(?:els |los |the )?(?:(?:di[ae]s|days) )?/, '')
  const whole = readExceptOne(said, context)
  if (whole && !isUnread(whole)) return whole
  const items = said.split(/(?:,| (?:i|y|e|and|&)) /)
  const limits = items.map((item, index) => {
    const completed = withMonthOf(item, [...items.slice(index + 1), ...items.slice(0, index)])
    return readExceptOne(completed, context) ?? exceptExpected()
  })
  const refusal = limits.find(isUnread)
  if (refusal) return refusal
  const known = limits as readonly Limits[]
  return {
    except: known.flatMap(one => one.except ?? []),
    exceptDays: known.flatMap(one => one.exceptDays ?? []),
    exceptMonths: known.flatMap(one => one.exceptMonths ?? []),
    ...(known.some(one => one.holidays) && { holidays: 'without' as const }),
  }
}

const exceptExpected = (): UnreadText => ({
  refused: phrase('days to leave out, such as {example}', {
    example: phrase('24 and 31 December, August or holidays'),
  }),
  write: phrase('except {days}', { days: aSpan() }),
})

const aSpan = (): string => phrase('from 22 December to 7 January')

/** `24` beside `31 de desembre` is `24 de desembre`. */
function withMonthOf(item: string, others: readonly string[]): string {
  const [number] = /(?<=^(?:el |the |dia |l')?)\d{1,2}$/.exec(item) ?? []
  const whole = others.find(other => /\d.*[a-z/]|[a-z].*\d/.test(other.replace(article, '')))
  return number === undefined || whole === undefined ? item : whole.replace(/\d{1,2}(?=\D|$)/, number)
}

function readExceptOne(item: string, context: RepetitionContext): Limits | UnreadText | undefined {
  const said = item.replace(article, '')
  if (areHolidays(said)) return { holidays: 'without' }
  if (onlyMonths.test(said)) return { exceptMonths: monthsIn(said) }
  const read = readDayRule(said, context.start)
  if (read && isDoubt(read)) return undefined
  const { FREQ, INTERVAL, BYDAY = '' } = read && !isUnread(read) && !read.holidays ? read.rule : {}
  if (FREQ === 'WEEKLY' && INTERVAL === '1' && BYDAY) return { exceptDays: BYDAY.split(',') }
  const pair = readDayPair(item, daysFrom(context))
  if (pair?.isSpan) return { except: [`${pair.first}/${pair.last}`] }
  const days = daysCalled(item, context)
  if (!days || isUnread(days)) return days
  const [day, ...others] = days
  return day && others.length === 0 ? { except: [day] } : undefined
}
