import { listOf } from '../text/sentence-parts.ts'
import { interfaceLanguage, phrase } from '../words/phrase.ts'
import { months, numberCalled, unitsCalled, weekdays } from './calendar-words.ts'
import { ordinals } from './date-grammar.ts'
import { dayText, exists, expectedDay, plusDays, weekdayOf } from './dates.ts'
import { holidayCalled } from './holidays.ts'

/** Which days a repetition has: what its rule says, in the parts of RFC 5545, and whether holidays are among them. */
export interface DayRule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  readonly interval?: number
  readonly months?: readonly number[]
  readonly monthDays?: readonly number[]
  /** `TU`, `-1FR` */
  readonly days?: readonly string[]
  readonly holidays?: 'besides' | 'without'
}

/** One of several meanings, in a form that has only this one. */
export interface Candidate<T> {
  readonly value: T
  readonly form: string
}

/** `refused` completes "expected …"; `write` is a text that would be read. */
export interface Refusal {
  readonly refused: string
  readonly write: string
}

export type Candidates<T> = readonly Candidate<T>[] | Refusal

/** The codes of the weekdays from Monday on. */
export const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export function ruleText({ frequency, interval = 1, months = [], monthDays = [], days = [] }: DayRule): string {
  const parts = [
    ['FREQ', [frequency]],
    ['INTERVAL', interval === 1 ? [] : [interval]],
    ['BYMONTH', months],
    ['BYMONTHDAY', monthDays],
    ['BYDAY', days],
  ] as const
  return parts.flatMap(([name, values]) => (values.length > 0 ? `${name}=${values.join(',')}` : [])).join(';')
}

/** What is written in several words, or attached to others, as one word of the vocabulary. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:caps? de setmana|fin(?:es)? de semana|findes?|weekends?)\b/g, 'weekend'],
  [/\b(?:un[ao]? )?([a-z]+) si,?(?: [iy])?(?: un[ao]?)?(?: altr[ea]| otr[oa]| \1)? no\b/, 'alternate $1'],
  [/\b(?:primers|primeros|principis|principios) del? mes\b/, 'vaguely'],
  [/\b[ld]'/g, ' '],
  [/\bweekdays?\b|\bentre (?:setmana|semana)\b/, 'monday – friday'],
  [/\b(?:(?:dia|dies|dias|public|bank|national) )?(?:festius?|festivos?|holidays?)\b/g, 'holidays'],
  [/\b(?:(?:dia|dies|dias) )?(?:laborables?|feiners?|habil(?:es)?)\b|\b(?:working|business) days?\b/, 'workdays'],
  [/\b(?:un|una|one) (?:cop|vegada|vez|time)\b|\bonce(?= (?:an?|per|every|each)\b)/, 'onetime'],
  [/\b[a-z\d]+ (?:cops|vegades|veces|times)\b|\btwice\b/, 'often'],
  [/\b(?:daily|diari[ao]?|diariament|diariamente)\b/, 'every day'],
  [/\b(?:weekly|setmanal|setmanalment|semanal|semanalmente)\b/, 'every week'],
  [/\b(?:fortnightly|every fortnight)\b/, 'every 2 weeks'],
  [/\b(?:monthly|mensual|mensualment|mensualmente)\b/, 'every month'],
  [/\b(?:bimestral|bimestralment|bimestralmente)\b/, 'every 2 months'],
  [/\b(?:quarterly|trimestral\w*|(?:cada|every) (?:trimestre|quarter))\b/, 'every 3 months'],
  [/\b(?:semestral\w*|(?:cada|every) semestre)\b/, 'every 6 months'],
  [/\b(?:yearly|annually|anual|anualment|anualmente)\b/, 'every year'],
  [/([,&+/–—-])/g, ' $1 '],
]

/** The words that are neither names nor numbers, by their tokens. */
const vocabulary = new Map(
  Object.entries({
    '': 'el la els les los las the on de del dels of in en per por para al als a an',
    q: 'cada tots totes todos todas',
    Q: 'every each all',
    alt: 'other alternate altern alterns alterna alternes alterno alternos alternas altre',
    '&': 'i y e and & , + /',
    '–': '– —',
    '-': '-',
    'o-1': 'ultim ultima ultims ultimo last darrer darrera',
    'o-2': 'penultim penultimo penultimate',
    t: 'onetime',
    many: 'often',
    h: 'holidays',
    b: 'workdays',
    e: 'weekend',
    fortnight: 'quinzenal quinzenalment quincenal quincenalmente quinzena quincena',
    bimensual: 'bimensual bimensualment bimensualmente',
    biweekly: 'biweekly bisetmanal bisemanal',
    bimonthly: 'bimonthly',
  }).flatMap(([token, words]) => words.split(' ').map(word => [word, token] as const)),
)

/** Abbreviations that are read as weekdays only here. */
const shortNames = ['l lu mo', 'm ma tu', 'x mi we', 'j ju th', 'v vi fr', 's sa', 'd do su'].map(one => one.split(' '))

/** 0 for Monday, also of a plural. */
function weekdayCalled(word: string): number {
  const short = shortNames.findIndex(names => names.includes(word))
  return short >= 0
    ? short
    : weekdays.findIndex(names => names.includes(word) || names.includes(word.replace(/s$/, '')))
}

const unitTokens = { year: 'y', month: 'M', week: 'k', day: 'd', hour: '', minute: '' }

function tokenOf(word: string): string | undefined {
  const known = vocabulary.get(word)
  if (known !== undefined) return known
  const weekday = weekdayCalled(word)
  if (weekday >= 0) return `w${weekday}`
  const [, digits] = /^(\d{1,2})(?:r|er|n|t|e|º|ª|st|nd|rd|th)$/.exec(word) ?? []
  if (digits !== undefined) return `o${digits}`
  const ordinal = ordinals.findIndex(words => words.includes(word.replace(/s$/, '')))
  if (ordinal >= 0) return `o${ordinal + 1}`
  const month = months.findIndex(names => names.includes(word))
  if (month >= 0) return `m${month + 1}`
  const [unit] = unitsCalled(word)
  if (unit !== undefined) return unitTokens[unit] || undefined
  const number = numberCalled(word)
  return number === undefined ? undefined : `n${number}`
}

/** The tokens of a text; undefined if it has other words. */
function tokensOf(said: string): string | undefined {
  const whole = idioms.reduce((text, [idiom, word]) => text.replace(idiom, word), said)
  const tokens = whole.split(/[\s.]+/).map(word => (word === '' ? '' : tokenOf(word)))
  if (tokens.includes(undefined)) return undefined
  return tokens
    .filter(token => token !== '')
    .join(' ')
    .replace(/\bo(-?\d+) d(?= (?:[qQ] )?M|$)/, 'n$1')
    .replace(/\bo1 M$/, 'n1 M')
    .replace(/\bd k$/, 'd')
    .replace(/\b([dk]) alt\b/, 'alt $1')
    .replace(/\b(?:fortnight|biweekly)(?= w\d)|(?<=w\d )(?:fortnight|biweekly)\b/, 'q n2 k')
}

const everyUnit =
  /(?:^| )(?:[qQ] (?:(?<count>n\d+|alt|(?<=Q )o\d) )?|(?<once>t )(?:[qQ] )?|(?<alternate>alt ))(?<unit>d(?! [no]\d)|[kMy])(?= |$)/

const frequencies = { d: 'DAILY', k: 'WEEKLY', M: 'MONTHLY', y: 'YEARLY' } as const

/** Reads which days a repetition has, without its ends and exceptions; undefined for any other text. */
export function readDayRule(said: string, start: string): Candidates<DayRule> | undefined {
  const letters = /^(?:cada |de )?([lmxjvsd]) ?- ?([lmxjvsd])$/.exec(said)
  if (letters) return listOrRange(letters.slice(1).map(weekdayCalled))
  if (/^(?:durant )?(?:tot l'any|todo el ano|all year(?: round)?)$/.test(said))
    return [{ value: { frequency: 'DAILY' }, form: phrase('every day') }]
  const yearly = readYearlyHoliday(said)
  if (yearly) return yearly
  const exact = said.replace(/^(?:exactly|exactament|exactamente) /, '')
  const tokens = tokensOf(exact)
  if (tokens === undefined) return undefined
  if (/\bmany\b/.test(tokens))
    return { refused: phrase('the days of the week or month'), write: phrase('every Monday and Thursday') }
  const doubt = doubtIn(tokens)
  if (doubt) return doubt
  const { count = '', once, alternate, unit } = everyUnit.exec(tokens)?.groups ?? {}
  const interval = alternate || count === 'alt' ? 2 : Number(count.slice(1) || 1)
  const rest = tokens.replace(everyUnit, '').replace(/^[& ]+|[& ]+$/g, '')
  if (once && unit === 'M' && rest === '') return onceAMonth(start)
  const weeks = { 8: 1, 15: 2 }[interval]
  if (unit === 'd' && rest === '' && weeks !== undefined && exact === said && /\bdi[ae]s\b/.test(said))
    return [
      { value: { frequency: 'WEEKLY', interval: weeks }, form: everyWeeks(weeks) },
      { value: { frequency: 'DAILY', interval }, form: phrase('exactly every {count} days', { count: interval }) },
    ]
  const value = ruleOf(rest, unit as keyof typeof frequencies | undefined, interval)
  if (value === undefined || 'refused' in value) return value
  return [{ value, form: said }]
}

/** The rule of which days, beside how often. */
function ruleOf(
  which: string,
  unit: keyof typeof frequencies | undefined,
  interval: number,
): DayRule | Refusal | undefined {
  if (which === '') return unit && { frequency: frequencies[unit], interval }
  const [, number = 'n1', named = which] = /^[qQ] (n\d+) (?=[we])(.+)$/.exec(which.replace(/ alt$|^alt /, '')) ?? []
  const isAlternate = /\balt\b/.test(which)
  const count = isAlternate ? 2 : Number(number.slice(1))
  const rest = named
    .replace(/\balt\b ?/, '')
    .replace(/^[qQ] /, '')
    .trim()
  const isWithHolidays = / & h$|^h & /.test(rest)
  const days = weekdaySet(rest.replace(/ & h$|^h & /, ''))
  if (days) {
    const weeks = unit === 'd' ? (interval % 7 === 1 ? (interval - 1) / 7 : undefined) : interval
    if (weeks === undefined || weeks === 0 || unit === 'y' || (unit === 'M' && interval > 1)) return undefined
    const holidays = isWithHolidays ? ({ holidays: 'besides' } as const) : {}
    return { frequency: 'WEEKLY', interval: Math.max(weeks, count), days: days.map(day => codeOf(day)), ...holidays }
  }
  if (count > 1 || isWithHolidays) return undefined
  return readNth(rest, unit, interval) ?? readNumbered(rest, unit, interval, /^[qQ](?= )/.exec(which)?.[0])
}

const codeOf = (day: number): string => dayCodes[day] ?? ''

/** The weekdays in a list with ranges, in order; several hyphens make a list, too. */
function weekdaySet(tokens: string): number[] | undefined {
  if (!/^(?:w\d|e)(?: (?:[&–-] )?(?:w\d|e))*$/.test(tokens)) return undefined
  const isList = tokens.split('-').length > 2
  const spans = (isList ? tokens.replaceAll('-', '&') : tokens.replaceAll('-', '–')).split(/ (?:& )?(?=[we])(?<!– )/)
  const days = spans.flatMap(span => {
    if (span === 'e') return [5, 6]
    const [first = 0, last = first] = [...span.matchAll(/\d/g)].map(Number)
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7)
  })
  return [...new Set(days)].toSorted()
}

/** The nth weekdays of a month, in each month or in some: `o1 & o3 w5 m6`. */
function readNth(tokens: string, unit: string | undefined, interval: number): DayRule | undefined {
  const nth = /^(?<days>(?:o-?\d(?: & o-?\d)* w\d(?: & )?)+)(?<=\d)(?: M)?(?<months>(?: (?:& )?m\d+)*)$/.exec(tokens)
  if (!nth || (unit !== undefined && unit !== 'M' && unit !== 'y')) return undefined
  const days = [...(nth.groups?.days ?? '').matchAll(/((?:o-?\d(?: & )?)+) w(\d)/g)].flatMap(([, places = '', day]) =>
    [...places.matchAll(/-?\d/g)].map(([place]) => `${place}${codeOf(Number(day))}`),
  )
  const inMonths = [...(nth.groups?.months ?? '').matchAll(/\d+/g)].map(Number)
  if (inMonths.length > 0) return { frequency: 'YEARLY', interval, months: inMonths, days }
  return unit === 'y' ? undefined : { frequency: 'MONTHLY', interval, days }
}

/** Days of the month by their numbers, or a day of the year: `d n1 & n15 M`, `n12 m10`. */
function readNumbered(
  tokens: string,
  unit: string | undefined,
  interval: number,
  isEvery: string | undefined,
): DayRule | Refusal | undefined {
  const numbers = [...tokens.matchAll(/[no](-?\d+)/g)].map(([, number]) => Number(number))
  if (/^(?:[no]\d+(?: & [no]\d+)* m\d+|m\d+ [no]\d+)$/.test(tokens)) {
    const month = Number(/m(\d+)/.exec(tokens)?.[1])
    const impossible = numbers.map(number => dayText(leapYear, month, number)).find(day => !exists(day))
    const write = phrase('every Tuesday')
    if (impossible) return { refused: expectedDay(impossible) ?? phrase('a day that exists'), write }
    if (unit !== 'y' && !isEvery) return undefined
    return { frequency: 'YEARLY', interval, months: [month], monthDays: numbers }
  }
  const isOfMonth = unit === 'M' || / M$|^d /.test(tokens) || isEvery === 'Q'
  if (!isOfMonth || !/^(?:d )?[no]-?\d+(?: & (?:d )?[no]-?\d+)*(?: M)?$/.test(tokens)) return undefined
  return numbers.some(number => number > 31) ? undefined : { frequency: 'MONTHLY', interval, monthDays: numbers }
}

const leapYear = 2028

/** A holiday that is on the same day each year: `cada any per Sant Jordi`, `every Christmas`. */
function readYearlyHoliday(said: string): Candidates<DayRule> | undefined {
  const yearly = /\b(?:(?:cada|every|each) (?:any|ano|year)|yearly|anualment|anualmente|annually)\b,? ?/
  const name = said
    .replace(yearly, '')
    .replace(/^(?:cada|every|each) /, '')
    .trim()
  const holiday = name === said ? undefined : holidayCalled(name)
  if (holiday === undefined) return undefined
  const [days, others] = [holiday.daysIn(leapYear), holiday.daysIn(leapYear + 1)]
  if (days.some((day, index) => day.slice(5) !== others[index]?.slice(5)))
    return { refused: phrase('a holiday that is on the same day each year'), write: phrase('every year on 23 April') }
  return days.map(day => {
    const [month, date] = [Number(day.slice(5, 7)), Number(day.slice(8))]
    const value = { frequency: 'YEARLY', months: [month], monthDays: [date] } as const
    return { value, form: days.length === 1 ? said : ruleText(value) }
  })
}

const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(interfaceLanguage(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + day))

const everyWeeks = (count: number): string =>
  phrase('{count, plural, one {every week} other {every # weeks}}', { count })
const everyMonths = (count: number): string =>
  phrase('{count, plural, one {every month} other {every # months}}', { count })

/** `L-V`: two days, or all of those between them. */
function listOrRange([first = 0, last = 0]: readonly number[]): Candidates<DayRule> {
  const names = [first, last].map(weekdayName)
  return [names.join(' – '), listOf(names)].map((form, index) => {
    const days = index === 0 ? weekdaySet(`w${first} – w${last}`) : [first, last]
    return { form, value: { frequency: 'WEEKLY', days: (days ?? []).map(codeOf) } }
  })
}

/** The nth weekday of the month that a day is, as a rule and in words. */
function nthWeekday(place: number, weekday: number): Candidate<DayRule> {
  const places = { place, weekday: weekdayName(weekday) }
  return {
    value: { frequency: 'MONTHLY', days: [`${place}${codeOf(weekday)}`] },
    form: phrase(
      'the {place, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {weekday} of each month',
      places,
    ),
  }
}

function onceAMonth(start: string): Candidates<DayRule> {
  const date = Number(start.slice(8))
  const place = plusDays(start, 7)?.slice(5, 7) === start.slice(5, 7) ? Math.ceil(date / 7) : -1
  const byNumber = phrase('on day {day} of each month', { day: date })
  return [
    { value: { frequency: 'MONTHLY', monthDays: [date] }, form: byNumber },
    nthWeekday(date <= 28 ? Math.ceil(date / 7) : place, weekdayOf(start)),
  ]
}

/** The meanings of words that have several. */
function doubtIn(tokens: string): Candidates<DayRule> | undefined {
  const weeks = { value: { frequency: 'WEEKLY', interval: 2 }, form: everyWeeks(2) } as const
  const twoMonths = { value: { frequency: 'MONTHLY', interval: 2 }, form: everyMonths(2) } as const
  const twice = {
    value: { frequency: 'MONTHLY', monthDays: [1, 15] },
    form: phrase('on days {one} and {other} of each month', { one: 1, other: 15 }),
  } as const
  const [, place, day] = /^Q o([2-5]) w(\d)$/.exec(tokens) ?? []
  if (place !== undefined) {
    const value = { frequency: 'WEEKLY', interval: Number(place), days: [codeOf(Number(day))] } as const
    const form = `${everyWeeks(Number(place))} ${phrase('on {weekday}', { weekday: weekdayName(Number(day)) })}`
    return [{ value, form }, nthWeekday(Number(place), Number(day))]
  }
  const [, weekday, number] = /^[qQ] w(\d) (?:& )?n(\d+)$/.exec(tokens) ?? []
  if (weekday !== undefined) {
    const value = { frequency: 'MONTHLY', monthDays: [Number(number)], days: [codeOf(Number(weekday))] } as const
    return [{ value, form: ruleText(value) }]
  }
  switch (tokens.replace(/^[qQ] /, '')) {
    case 'b':
      return [4, 5].map(last => ({
        value: { frequency: 'WEEKLY', days: dayCodes.slice(0, last + 1), holidays: 'without' },
        form: `${weekdayName(0)} – ${weekdayName(last)}`,
      }))
    case 'fortnight':
      return [weeks, twice]
    case 'bimensual':
      return [twoMonths, weeks, twice]
    case 'biweekly':
      return [weeks]
    case 'bimonthly':
      return [twoMonths]
    default:
      return undefined
  }
}
