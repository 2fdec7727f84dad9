import { attempt } from '../../../base/attempt.ts'
import { asFailure, excluding, Failure, misread, usage } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { asOption } from '../../../base/text/sentence-parts.ts'
import {
  type DayRange,
  foldWords,
  localeFor,
  monthOf,
  weekendOf,
  weekOf,
  writtenDay,
} from '../../../base/time/calendar-words.ts'
import { dayAfter, isEveryDay, readDate, type WallSpan } from '../../../base/time/dates.ts'
import { areHolidays, knownHolidays } from '../../../base/time/holidays.ts'
import { readDay, readDaysOf, readMonth, readSpan, readWeek, type TypedDay } from '../../../base/time/typed-dates.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import type { Reads, Values } from '../../../client/client.ts'
import { type Condition, conditionsIn, readCondition } from '../../../client/selection/condition.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { contentLanguage } from './language-options.ts'
import { type DayOptions, daysGiven } from './options.ts'
import { pathCalled } from './spoken-fields.ts'

/** Criteria as they were typed, besides the API's filters. */
export interface TypedCriteria extends DayOptions {
  readonly where?: readonly string[]
  readonly modifiedAfter?: string
}

/** What to search for: among which records, with which filters of the API, and with which other criteria. */
export interface TypedSearch<Options extends TypedCriteria = TypedCriteria> {
  readonly resources: readonly Resource[]
  readonly filters: Values
  readonly options: Options
  /** Whether what is found is to be changed: then doubtful days are not settled without asking. */
  readonly isForChange?: boolean
}

type Now = () => Promise<string>

/** Reads the criteria of a command line. Requests the time zone of the site only if a date is relative to today. */
export async function readTypedCriteria(app: App, client: Reads, search: TypedSearch): Promise<Criteria> {
  const { resources, filters, options } = search
  const now = () => siteTime(app, client)
  const conditions: Condition[] = []
  const reading = { resources, now, pathCalled: (name: string) => pathCalled(name, resources) }
  for (const text of (options.where ?? []).flatMap(conditionsIn)) conditions.push(await readCondition(text, reading))
  if (options.modifiedAfter !== undefined) conditions.push(await changedAfter(options.modifiedAfter, resources, now))
  return {
    filters: await withDates(resources, filters, now),
    days: await readDaysAloud(app, client, options, search.isForChange),
    conditions,
  }
}

/**
 * The days of the options, with a notice of the year for days without one, if it is not this year; undefined if they ask for none. A
 * doubtful text of which one meaning is not past means that one where nothing is changed, with a notice as well.
 */
export async function readDaysAloud(app: App, client: Reads, options: TypedCriteria, isForChange = false) {
  const settled = isForChange ? options : await comingDays(app, client, options)
  const days = await readDayOptions(app, client, settled)
  const typed = daysGiven(options).flatMap(name => options[name] ?? [])
  const texts = typed.filter(text => typeof text === 'string' && !/\d{4}/.test(text))
  const ends = [days?.first, days?.last].filter(day => day !== undefined)
  if (texts.length === 0) return days
  const thisYear = (await siteTime(app, client)).slice(0, 4)
  if (settled === options && ends.every(day => day.startsWith(thisYear))) return days
  const [first = '', last = first] = ends.map(day => writtenDay(day, interfaceLanguage()))
  const text = texts.join(' – ')
  await app.notice(
    first === last
      ? phrase('"{text}" is read as {day}', { text, day: first })
      : phrase('"{text}" is read as {first} to {last}', { text, first, last }),
  )
  return days
}

/** The options with the only meaning that is not past in place of a doubtful text. */
async function comingDays(app: App, client: Reads, options: TypedCriteria): Promise<TypedCriteria> {
  const failure = await readDayOptions(app, client, options).then(() => undefined, asFailure)
  const { option = '', readings = [] } = failure?.details.doubt ?? {}
  const today = readings.length > 0 ? (await siteTime(app, client)).slice(0, 10) : ''
  const [coming, ...others] = readings.filter(reading => reading.slice(-10) >= today)
  return coming === undefined || others.length > 0 ? options : { ...options, [option.slice(2)]: coming }
}

/** The time zone of a site; the user's if the site does not say. */
export const siteZone = async ({ world }: App, client: Reads): Promise<string> =>
  (await client.timezone()) ?? world.timeZone()

/** The wall time at a site. */
export const siteTime = async (app: App, client: Reads): Promise<string> =>
  wallAt(app.world.now().getTime(), await siteZone(app, client))

/** The locale for days and weeks, in the language of a calendar. */
const siteLocale = (app: App, client: Reads): string => localeFor(contentLanguage(app, client, []), app.world.env)

/** A condition on the last change, which only posts have a date for. */
async function changedAfter(text: string, resources: readonly Resource[], now: Now): Promise<Condition> {
  const posts = resources.filter(({ trashable }) => trashable).map(({ name }) => name)
  const span = await typedSpan('--modified-after', text, now)
  return {
    label: '--modified-after',
    path: 'modified',
    resources: new Set(posts),
    type: 'date',
    comparison: '>',
    value: text,
    span,
  }
}

/** The API's filters, with dates in the form of the API. */
async function withDates(resources: readonly Resource[], filters: Values, now: Now): Promise<Values> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filters)) {
    const isDate = resources.some(resource => resource.filters[name]?.kind.shape === 'moment')
    read[name] = isDate && !readDate(String(value)) ? await dateOf(asOption(name), String(value), now) : value
  }
  return read
}

async function dateOf(flag: string, text: string, now: Now): Promise<string> {
  const { from, until } = await typedSpan(flag, text, now)
  return from === until ? from : from.slice(0, 10)
}

/** The day or time in an option; a time alone means that time on every day. */
async function typedSpan(flag: string, text: string, now: Now): Promise<WallSpan> {
  const read = readSpan(text, readDate(text) ? '' : await now())
  if (!read.ok) throw misread(flag, text, read)
  if (!isEveryDay(read.span)) return read.span
  throw misread(flag, text, {
    message: phrase('"{text}" has no day', { text }),
    hint: phrase('add the day, for example: {example}', { example: `${flag} "${phrase('today')} ${text}"` }),
  })
}

/** The days of the options; undefined if they ask for none. Weeks begin as in the locale, like those of a drawn month. */
async function readDayOptions(app: App, client: Reads, options: DayOptions): Promise<DayRange | undefined> {
  const given = daysGiven(options)
  const [one, other] = given
  if (one === undefined) return undefined
  const isSpan = given.every(name => name === 'from' || name === 'to')
  if (other !== undefined && !isSpan) throw excluding(`--${one}`, `--${other}`)
  const isFixed = given.every(name => readDate(String(options[name])))
  const wall = isFixed ? '' : await siteTime(app, client)
  if (one === 'on' && areHolidays(foldWords(options.on ?? ''))) {
    const { has } = knownHolidays(await siteZone(app, client), '--on "25 December"')
    return { first: wall.slice(0, 10), last: dayAfter(wall.slice(0, 10), 364), has }
  }
  return isSpan ? spanOf(options, wall) : rangeOf(one, options[one], wall, siteLocale(app, client))
}

function spanOf({ from, to }: DayOptions, now: string): DayRange {
  const first = from === undefined ? undefined : checked('from', readDay(from, now), from)
  const last = to === undefined ? undefined : checked('to', readDay(to, now), to)
  if (first !== undefined && last !== undefined && last < first)
    throw usage(
      phrase('--to {last} is before --from {first}', { last, first }),
      phrase('swap them, or leave one of them out'),
    )
  return { first, last }
}

function rangeOf(name: keyof DayOptions, text: string | true | undefined, now: string, locale: string): DayRange {
  const today = now.slice(0, 10)
  if (name === 'on' && typeof text === 'string') return daysOf(text, now, locale)
  if (name === 'month') return monthOf(typeof text === 'string' ? checked(name, readMonth(text, now), text) : today)
  const read = name === 'week' ? readWeek : readDay
  const day = typeof text === 'string' ? checked(name, read(text, now), text) : today
  if (name === 'week') return weekOf(day, locale)
  return name === 'weekend' ? weekendOf(day) : { first: day, last: day }
}

/** A day, or the days of a weekend, a week, a month or a span. */
function daysOf(text: string, now: string, locale: string): DayRange {
  const day = readDay(text, now)
  if (day.ok) return { first: day.day, last: day.day }
  const isDoubtful = day.readings !== undefined
  if (!isDoubtful && readWeek(text, now).ok) return rangeOf('week', text, now, locale)
  if (!isDoubtful && flagForPeriod(text) === 'month') return rangeOf('month', text, now, locale)
  const days = readDaysOf(text, now)
  if (days.ok) return { first: days.first, last: days.last }
  const [, first = '', more = ''] = /^(\S+) (.+)$/.exec(text) ?? []
  const withMore = (option: string) => `--on ${first} ${option} ${shellWord(more)}`
  const hint = phrase('at a place: {options}; with a word of the title: {options2}', {
    options: withMore('--venue'),
    options2: withMore('--search'),
  })
  throw misread('--on', text, first !== '' && areDays(first) ? { ...days, hint } : days)
}

/** A time for texts of which only the kind counts. */
export const anyTime = '2026-01-01 00:00:00'

/** Whether a text says which days, with one meaning or several. */
export function areDays(text: string): boolean {
  const days = attempt(() => daysOf(text, anyTime, 'en'))
  return !(days instanceof Failure) || days.details.doubt !== undefined
}

function checked(name: keyof DayOptions, typed: TypedDay, text: string): string {
  if (typed.ok) return typed.day
  const other = flagForPeriod(text)
  const hint =
    other === undefined || other === name
      ? typed.hint
      : phrase('for more than a day, use {option}', { option: `--${other}` })
  throw misread(`--${name}`, text, { ...typed, hint })
}

/** The option for a text that names a week, a weekend or a month, but no day. */
function flagForPeriod(text: string): keyof DayOptions | undefined {
  if (/weekend|cap de setmana|fin de semana/i.test(text)) return 'weekend'
  if (/week|setmana|semana/i.test(text)) return 'week'
  const isMonth = /\D/.test(text) && readMonth(text, anyTime).ok && !readDay(text, anyTime).ok
  return isMonth || /\b(month|mes)\b/i.test(text) ? 'month' : undefined
}
