import type { UnreadText } from '../meaning.ts'
import { listOf } from '../text/sentence-parts.ts'
import { phrase } from '../words/phrase.ts'
import { months, numberCalled, ordinals, unitsCalled, weekdays } from './calendar-words.ts'
import { dayText, exists, expectedDay, longName, weekdayOf } from './dates.ts'
import { holidayCalled } from './holidays.ts'
import words from './repetition-words.json' with { type: 'json' }

/** Which days a repetition has: the parts of an RRULE by their names, and whether holidays are among them. */
export interface DayRule {
  readonly rule: Readonly<Record<string, string>>
  readonly holidays?: 'besides' | 'without'
}

/** The codes of the weekdays from Monday on. */
export const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export const ruleText = (rule: DayRule['rule']): string =>
  [...new Set(['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', ...Object.keys(rule)])]
    .flatMap(name => (rule[name] && `${name}=${rule[name]}` !== 'INTERVAL=1' ? `${name}=${rule[name]}` : []))
    .join(';')

/** What is written in several words as one, and signs as words. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:caps? de setmana|fin(?:es)? de semana)\b/g, 'weekend'],
  [/\b(?:un[ao]? )?([a-z]+) si,?(?: [iy])?(?: un[ao]?)?(?: altr[ea]| otr[oa]| \1)? no\b/, 'alternate $1'],
  [/\b(?:primers|primeros) (?:di[ae]s )?del? mes\b/, 'vaguely'],
  [/\bentre (?:setmana|semana)\b/, 'weekdays'],
  [/\b[ld]'/g, ' '],
  [/([,&+/–—-])/g, ' $1 '],
]

/** Words that are neither names nor numbers, by the tokens that they mean; `q` is a quantifier, and `w0` Monday. */
const vocabulary = new Map(
  Object.entries(words).flatMap(([tokens, words]) => words.split(' ').map(word => [word, tokens] as const)),
)

/** Abbreviations that are read as weekdays only here. */
const shortNames = ['l lu mo', 'm ma tu', 'x mi we', 'j ju th', 'v vi fr', 's sa', 'd do su'].map(one => one.split(' '))

/** The names that a word can be: as it is, and without the ending of a plural. */
const indexIn = (names: readonly (readonly string[])[], word: string): number =>
  names.findIndex(one => one.includes(word) || one.includes(word.replace(/s$/, '')))

const weekdayCalled = (word: string): number => {
  const short = shortNames.findIndex(names => names.includes(word))
  return short >= 0 ? short : indexIn(weekdays, word)
}

const unitTokens = { year: 'y', month: 'M', week: 'k', day: 'd', hour: undefined, minute: undefined }

function tokensOfWord(word: string): string | undefined {
  const known = vocabulary.get(word) ?? /^(\d{1,2})(?:r|er|n|t|e|º|ª|st|nd|rd|th)$/.exec(word)?.[1]?.replace(/^/, 'o')
  if (known !== undefined) return known
  const [weekday, ordinal, month] = [weekdayCalled(word), indexIn(ordinals, word), indexIn(months, word)]
  if (weekday >= 0) return `w${weekday}`
  if (ordinal >= 0) return `o${ordinal + 1}`
  if (month >= 0) return `m${month + 1}`
  const [unit] = unitsCalled(word)
  const number = numberCalled(word)
  if (unit) return unitTokens[unit]
  return number === undefined ? undefined : `n${number}`
}

/** The tokens of a text; undefined if it has other words. */
function tokensOf(said: string): string | undefined {
  const words = idioms.reduce((text, [idiom, word]) => text.replace(idiom, word), said).split(/[\s.]+/)
  const tokens = words.map(word => (word === '' ? '' : tokensOfWord(word)))
  if (tokens.includes(undefined)) return undefined
  return (tokens.filter(token => token !== '').join(' ') as string)
    .replace(/\b[dD] (?=[hb]\b)|(?<=\bb) [dD]\b|(?<=\b[dD]) k$|\bn1 (?=t\b)|(?<=\bt) [qQ]\b/g, '')
    .replace(/\b[qQ] q n2\b/, 'q n2')
    .replace(/^(?:[qQ] )?(.+) q n2$/, 'q n2 $1')
    .replace(/\bo(-?\d+) d(?= (?:[qQ] )?M|$)|\bo(1)(?= M$)/, 'n$1$2')
    .replace(/\bQ o(\d)(?= [dkMy]\b)/, 'q n$1')
    .replace(/\b(?:half|biweekly)(?= w\d)|(?<=w\d )(?:half|biweekly)\b/, 'q n2 k')
}

/**
 * Reads which days a repetition has, without its ends and exceptions, of a folded text: a rule; or for a doubtful text, one for each
 * meaning; undefined for any other text.
 */
export function readDayRule(said: string, start: string): DayRule | readonly string[] | UnreadText | undefined {
  const letters = /^(?:cada |de )?([lmxjvsd]) ?- ?([lmxjvsd])$/.exec(said)?.slice(1)
  const names = letters?.map(letter => weekdayName(weekdayCalled(letter)))
  if (names) return [names.join(' – '), listOf(names)]
  if (/^(?:durant )?(?:tot l'any|todo el ano|all year(?: round)?)$/.test(said)) return [phrase('every day')]
  const tokens = tokensOf(said)
  const yearly = readYearlyHoliday(said)
  if (yearly || tokens === undefined) return yearly
  if (/\bmany\b/.test(tokens))
    return { refused: phrase('the days of the week or month'), write: phrase('every Monday and Thursday') }
  const plain = tokens
    .replace(/^exactly /, '')
    .replaceAll('D', 'd')
    .replace(/^t /, 'q ')
  return doubtIn(tokens, start) ?? ruleOf(plain)
}

/** The meanings of words that have several. */
function doubtIn(tokens: string, start: string): readonly string[] | undefined {
  const [, place, nth] = /^Q o([2-5]) w(\d)$/.exec(tokens) ?? []
  const onDay = phrase('on {weekday}', { weekday: weekdayName(Number(nth ?? 0)) })
  if (place) return [`${everyWeeks(Number(place))} ${onDay}`, nthWeekday(Number(place), Number(nth))]
  const [, weekday, number] = /^[qQ] w(\d) (?:& )?n(\d+)$/.exec(tokens) ?? []
  if (number) return [ruleText({ FREQ: 'MONTHLY', BYMONTHDAY: number, BYDAY: codeOf(weekday) })]
  const date = Number(start.slice(8))
  const exactly = (count: number) => phrase('exactly every {count} days', { count })
  const twoMonths = phrase('every 2 months')
  const twice = phrase('on days 1 and 15 of each month')
  const working = (last: number) =>
    phrase('{first} – {last}, not holidays', { first: weekdayName(0), last: weekdayName(last) })
  const doubts: Readonly<Record<string, readonly string[]>> = {
    't M': [phrase('on day {day} of each month', { day: date }), nthWeekday(Math.ceil(date / 7), weekdayOf(start))],
    'n8 D': [everyWeeks(1), exactly(8)],
    'n15 D': [everyWeeks(2), exactly(15)],
    b: [working(4), working(5)],
    half: [everyWeeks(2), twice],
    bimensual: [twoMonths, everyWeeks(2), twice],
    biweekly: [everyWeeks(2)],
    bimonthly: [twoMonths],
  }
  return new Map(Object.entries(doubts)).get(tokens.replace(/^[qQ] /, ''))
}

const weekdayName = (day: number): string => longName('weekday', Date.UTC(2024, 0, 1 + day))

const everyWeeks = (count: number): string =>
  phrase('{count, plural, one {every week} other {every # weeks}}', { count })

const nthWeekday = (place: number, weekday: number): string =>
  phrase('the {place, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {weekday} of each month', {
    place,
    weekday: weekdayName(weekday),
  })

const codeOf = (day: number | string | undefined): string => dayCodes[Number(day)] ?? ''

const frequencies = new Map([...'dkMy'].map((unit, at) => [unit, ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'][at] ?? '']))

function ruleOf(tokens: string): DayRule | UnreadText | undefined {
  const [every, count = '1', unit = ''] = /(?:^| )[qQ] (?:n(\d+) )?(d(?! [no]\d)|[kMy])(?= |$)/.exec(tokens) ?? []
  const rest = tokens.replace(every ?? '', '').replace(/^[& ]+|[& ]+$/g, '')
  if (rest !== '') return whichRule(rest, unit, count)
  return every === undefined ? undefined : { rule: { FREQ: frequencies.get(unit) ?? '', INTERVAL: count } }
}

/** The rule of what stands beside a frequency. */
function whichRule(rest: string, unit: string, count: string): DayRule | UnreadText | undefined {
  const [, times = '1', which = ''] = /^(?:[qQ] )?(?:(?<=[qQ] )n(\d+) (?=[we]))?(.+)$/.exec(rest) ?? []
  const days = weekdaySet(which.replace(/ & h$|^h & | (?:& )?no h$/, ''))
  if (!days && (times !== '1' || unit === 'd' || unit === 'k')) return undefined
  if (!days) return readNth(which, unit, count) ?? readNumbered(which, unit, count, /^[qQ](?= )/.exec(rest)?.[0])
  const weeks = new Map([
    ['', times],
    ['k', count],
    ['M1', times],
    ['d8', '1'],
    ['d15', '2'],
  ]).get(unit === '' || unit === 'k' ? unit : unit + count)
  if (weeks === undefined) return undefined
  const rule = { FREQ: 'WEEKLY', INTERVAL: weeks, BYDAY: days.map(codeOf).join() }
  if (!/\bh\b/.test(which)) return { rule }
  return { rule, holidays: /h &|& h$/.test(which) ? 'besides' : 'without' }
}

/** The weekdays in a list with ranges, in order; several hyphens make a list, too. */
function weekdaySet(tokens: string): number[] | undefined {
  if (!/^(?:w\d|e)(?: (?:[&–-] )?(?:w\d|e))*$/.test(tokens)) return undefined
  const sign = tokens.split('-').length > 2 ? '&' : '–'
  const days = tokens
    .replaceAll('-', sign)
    .split(/(?<!–) (?:& )?(?=[we])/)
    .flatMap(span => {
      const [first = 5, last = span === 'e' ? 6 : first] = [...span.matchAll(/\d/g)].map(Number)
      return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7)
    })
  return [...new Set(days)].toSorted()
}

/** The nth weekdays of a month, in each month or in some: `o1 & o3 w5 m6`. */
function readNth(tokens: string, unit: string, count: string): DayRule | undefined {
  const nth = /^((?:o-?\d(?: & o-?\d)* w\d(?: & )?)+)(?<=\d)(?: M)?((?: (?:& )?m\d+)*)$/.exec(tokens)
  if (!nth) return undefined
  const days = [...(nth[1] ?? '').matchAll(/((?:o-?\d(?: & )?)+) w(\d)/g)].flatMap(([, places = '', day]) =>
    [...places.matchAll(/-?\d/g)].map(([place]) => place + codeOf(day)),
  )
  const BYMONTH = numbersIn(nth[2] ?? '').join()
  if (unit === 'y' && BYMONTH === '') return undefined
  return { rule: { FREQ: BYMONTH ? 'YEARLY' : 'MONTHLY', INTERVAL: count, BYMONTH, BYDAY: days.join() } }
}

const numbersIn = (tokens: string): number[] => [...tokens.matchAll(/(?<=[nom])-?\d+/g)].map(Number)

/** Days of the month by their numbers, or a day of the year: `d n1 & n15 M`, `n12 m10`. */
function readNumbered(tokens: string, unit: string, count: string, every = ''): DayRule | UnreadText | undefined {
  const [month] = numbersIn(/m\d+/.exec(tokens)?.[0] ?? '')
  const numbers = numbersIn(tokens.replace(/m\d+/, ''))
  const of = { INTERVAL: count, BYMONTHDAY: numbers.join() }
  if (month !== undefined && /^(?:[no]\d+(?: & [no]\d+)* m\d+|m\d+ [no]\d+)$/.test(tokens)) {
    const impossible = numbers.map(number => dayText(leapYear, month, number)).find(day => !exists(day))
    if (impossible)
      return { refused: expectedDay(impossible) ?? phrase('a date'), write: phrase('every year on 23 April') }
    return unit === 'y' || every !== '' ? { rule: { FREQ: 'YEARLY', BYMONTH: String(month), ...of } } : undefined
  }
  const isOfMonth = unit === 'M' || / M$|^d /.test(tokens) || every === 'Q'
  const isRight = /^(?:d )?[no]-?\d+(?: & (?:d )?[no]-?\d+)*(?: M)?$/.test(tokens) && Math.max(...numbers) <= 31
  return isOfMonth && isRight ? { rule: { FREQ: 'MONTHLY', ...of } } : undefined
}

const leapYear = 2028

/** A holiday that is on the same day each year: `cada any per Sant Jordi`, `every Christmas`. */
function readYearlyHoliday(said: string): DayRule | readonly string[] | UnreadText | undefined {
  const name = said
    .replace(/\b(?:(?:cada|every|each) (?:any|ano|year)|yearly|annually),? ?|^(?:cada|every|each) /, '')
    .trim()
  const holiday = name === said ? undefined : holidayCalled(name)
  if (holiday === undefined) return undefined
  const [days = [], others] = [leapYear, leapYear + 1].map(year => holiday.daysIn(year).map(day => day.slice(5)))
  if (String(days) !== String(others))
    return { refused: phrase('a holiday that is on the same day each year'), write: phrase('every year on 23 April') }
  const rules = days.map(day => {
    const [month, date] = day.split('-').map(Number)
    return { FREQ: 'YEARLY', BYMONTH: String(month), BYMONTHDAY: String(date) }
  })
  const [rule, ...more] = rules
  return rule && more.length === 0 ? { rule } : rules.map(ruleText)
}
