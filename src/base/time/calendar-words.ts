import { memoize } from '../memoize.ts'
import { foldCase } from '../text/folding.ts'
import words from './calendar-words.json' with { type: 'json' }
import { dayAfter, daysThrough, firstOfMonth, mondayOf, plusDays, weekdayOf } from './dates.ts'

/**
 * The words of dates and numbers in Catalan, Spanish and English, in the form of `foldWords`: without accents, in lower case. Those of the
 * days as they are written keep their accents.
 */

/** The names of the months from January on, with their abbreviations. */
export const months: readonly (readonly string[])[] = words.months

/** The days of the week from Monday on, with their abbreviations. */
export const weekdays: readonly (readonly string[])[] = words.weekdays

export const englishWeekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Numbers with the words that mean them. */
type NumberWords = Readonly<Record<string, string>>

/** The number that a word means; undefined for other words. */
export const numberMeant = (meanings: NumberWords, word: string): number | undefined => {
  const [number] = Object.entries(meanings).find(([, called]) => called.split('|').includes(word)) ?? []
  return number === undefined ? undefined : Number(number)
}

/** How many days from today. */
export const { daysFromToday } = words

/** Words beside `month`, by the number of months from this one. */
export const { monthsFromThis } = words

/** Units of time, from the longest to the shortest. `m` is both a month and a minute. */
const { units } = words

export type Unit = keyof typeof units

export const unitsCalled = (word: string): Unit[] =>
  (Object.keys(units) as Unit[]).filter(unit => units[unit].split(' ').includes(word))

/** Early, at noon, late and at night. */
export const { partsOfDay } = words

const { monthsInDates } = words

/** The names of weekdays (from Sunday on) and months, as the languages of the interface shorten them. */
export const { shortDays, shortMonths } = words

export const englishMonths = monthsInDates.en.split(',')

/**
 * A day, `YYYY-MM-DD`, as people write it, `5 de desembre de 2027`, in a form that `readDayAndTime` reads; in `knownYear` without
 * the year.
 */
export function writtenDay(day: string, language: keyof typeof monthsInDates, knownYear?: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const name = monthsInDates[language].split(',')[Number(month) - 1]
  if (name === undefined) return day
  if (year === knownYear) return `${Number(date)} ${name}`
  return `${Number(date)} ${name} ${language === 'en' ? '' : 'de '}${year}`
}

/** The same within a sentence: in Catalan with its article, which elides before some numbers (`l’1 de gener`). */
export function theDay(day: string, language: keyof typeof monthsInDates, knownYear?: string): string {
  const text = writtenDay(day, language, knownYear)
  if (language !== 'ca' || text === day) return text
  return /^11? /.test(text) ? `l’${text}` : `el ${text}`
}

/** The numbers from 1 on. */
const numbers: readonly (readonly string[])[] = words.numbers

/** `first`, `second` and so on. */
export const ordinals: readonly (readonly string[])[] = words.ordinals

/** Twenty, thirty and so on. */
const tens: readonly (readonly string[])[] = words.tens

/** The number of digits or a number word; undefined for other words. */
export function numberCalled(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word)
  const ten = tens.findIndex(words => words.includes(word))
  if (ten >= 0) return ten * 10 + 20
  if (/^(quaranta-cinc|cuarenta y cinco|forty-five)$/.test(word)) return 45
  const index = numbers.findIndex(words => words.includes(word))
  return index < 0 ? undefined : index + 1
}

/** Folds a text for word comparison: lower case, no accents, single spaces, plain apostrophes. */
export const foldWords = (text: string): string =>
  foldCase(text.trim())
    .replace(/[’ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')

/** Whole days, `YYYY-MM-DD`, both inclusive; unbounded where one is missing. */
export interface DayRange {
  readonly first?: string | undefined
  readonly last?: string | undefined
  /** Whether a day between them is meant; absent if all are. */
  has?(day: string): boolean
}

/** The week that contains a day, by the first weekday of a locale. */
export function weekOf(day: string, locale: string): DayRange {
  const first = weekStart(day, locale)
  return { first, last: plusDays(first, 6) }
}

export function weekendOf(day: string): DayRange {
  const monday = mondayOf(day)
  return { first: plusDays(monday, 5), last: plusDays(monday, 6) }
}

export function monthOf(day: string): DayRange {
  const next = firstOfMonth(day, 1)
  return { first: `${day.slice(0, 7)}-01`, last: next === undefined ? '9999-12-31' : plusDays(next, -1) }
}

/** Whether an event between two wall times takes place on one of these days. An end at midnight does not count for the new day. */
export function isOnDays(start: string, end: string, { first = '', last = '9999-12-31', has }: DayRange): boolean {
  const endsAtMidnight = end.slice(11) === '00:00:00' && end > start
  const isLateEnough = endsAtMidnight ? end.slice(0, 10) > first : end.slice(0, 10) >= first
  if (!isLateEnough || start.slice(0, 10) > last) return false
  const [from = '', until = ''] = [[start.slice(0, 10), first].toSorted()[1], [end.slice(0, 10), last].toSorted()[0]]
  return !has || daysThrough(from, until).some(has)
}

/** Regional locales for a language that is not the language of the user's own locale. */
const places: Readonly<Record<string, string>> = { ca: 'ca-ES', en: 'en-GB', es: 'es-ES' }

type Env = Readonly<Record<string, string | undefined>>

/** The locale for a language: the user's own (`LC_TIME=en_US.UTF-8`) if it is of this language. */
export function localeFor(language: string, { LC_ALL, LC_TIME, LANG }: Env): string {
  const [, spoken, place] = /^([a-z]{2})_([A-Z]{2})(?![A-Za-z])/.exec(LC_ALL || LC_TIME || LANG || '') ?? []
  return spoken === language && place !== undefined ? `${spoken}-${place}` : (places[language] ?? language)
}

/** The weekdays in the order of a locale, 0 for Sunday. A browser takes milliseconds to tell. */
export const weekdaysFrom = memoize((locale: string): readonly number[] => {
  // Node 20 and 22 have the property, later versions the method.
  const intl = new Intl.Locale(locale) as { weekInfo?: { firstDay: number }; getWeekInfo?(): { firstDay: number } }
  const first = (intl.getWeekInfo?.() ?? intl.weekInfo)?.firstDay ?? 1
  return Array.from({ length: 7 }, (_, index) => (first + index) % 7)
})

export function weekStart(day: string, locale: string): string {
  const sundayBased = (weekdayOf(day) + 1) % 7
  return dayAfter(day, -weekdaysFrom(locale).indexOf(sundayBased))
}
