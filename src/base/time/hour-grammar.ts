import { foldWords, numberCalled, partsOfDay } from './calendar-words.ts'
import { dayAfter } from './dates.ts'

/**
 * Hours as people write and say them in English, Catalan and Spanish: `19.30 h`, `a les 8 del vespre`, `half past eight`, `de 18 a
 * 20 h`. An hour that can be in the morning or in the evening has two readings. Times are `HH:MM:SS`; from 24:00:00 on, they belong
 * to the next day.
 */

/** Midnight at the end of a day: 0:00 of the next one. */
export const endOfDay = '24:00:00'

/** A wall time on a day; from `24:00:00` on, it is on the next day. */
export const wallOn = (day: string, time: string): string =>
  time < endOfDay ? `${day} ${time}` : `${dayAfter(day)} ${ofDay(time)}`

/** The time of day without overflow: `02:00:00` for `26:00:00`. */
export const ofDay = (time: string): string => clockText(secondsOf(time) % dayLength)

const hour = 3600
const dayLength = 24 * hour

const secondsOf = (time: string): number =>
  time.split(':').reduce((seconds, part, index) => seconds + Number(part) * hour * 60 ** -index, 0)

/** `HH:MM:SS`, also beyond a day. */
export const clockText = (seconds: number): string =>
  [seconds / hour, (seconds / 60) % 60, seconds % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')

/** Reads a time of day, `HH:MM:SS` up to `24:00:00`; undefined for any other text, and if it is ambiguous. */
function readClock(text: string): string | undefined {
  const [time, ...others] = timesAlone(readHours(text))
  return others.length === 0 ? time : undefined
}

/** Times without a day: an hour of the night is on the same day, and midnight is the end of the day. */
export function timesAlone(times: readonly string[]): readonly string[] {
  const [first, second] = times
  if (first === undefined || second === undefined || ofDay(second) !== ofDay(first)) return times
  return second === endOfDay ? [second] : [first]
}

/** `19:30`, `7:30:00 PM`, `19.30 h`, `21h30`, `19 h`, `7 pm`; Catalan and Spanish sheets have points, and an h behind. */
const clock =
  /^(?:(?:at|a) )?(?:(?:les|las|la) )?(\d{1,2})(?:\s*([:.,;h'’])\s*(\d{1,2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:(h|hs|hrs?|hores|horas|hours?)\.?|([ap])\.?\s?m\.?|min\.?)?$/i

const before = '(?:(?:at|a|al|a la) )?(?:(?:(?:les|las|the) )?12 (?:del? (?:la )?)?)?'
const noon = new RegExp(`^${before}(?:noon|midday|migdia|mediodia)$`)
const midnight = new RegExp(`^${before}(?:midnight|mitja ?nit|medianoche)$`)

/** All times that a text can mean, with a part of the day from elsewhere in the sentence; none if it is not an hour. */
export function readHours(text: string, part?: string, isRange = false): readonly string[] {
  const phrase = foldWords(text)
  if (noon.test(phrase)) return ['12:00:00']
  if (midnight.test(phrase)) return ['00:00:00', endOfDay]
  const [, doors = '', show] = doorsAndShow.exec(phrase) ?? []
  if (show !== undefined) return [readClock(show), readClock(doors)].flatMap(time => time ?? [])
  const [, hours = '', sign, minutes, seconds = '00', unit, half] = clock.exec(text.trim().replace(/\s+/g, ' ')) ?? []
  if (part !== undefined || hours === '' || (minutes === undefined && !unit && !half))
    return readSpoken(phrase, part, isRange)
  const minute = minutes === undefined ? '00' : wholeMinutes(minutes, hours, sign)
  const read = half ? hourInHalf(Number(hours), half) : Number(hours)
  return minute === undefined || read === undefined ? [] : clockTimes(read, minute, seconds)
}

/** `doors 7pm, show 8pm`: people mean either when they say when an event starts. */
const doorsAndShow =
  /^(?:doors|portes|puertas|obertura de portes|apertura de puertas)(?: open)?:? (?:a les |a las |at )?([^,;/]+?)[,;/]? ?(?:show|concert|concierto|inici|inicio|music|funcio|funcion|start)s?:? (?:a les |a las |at )?(.+)$/

/** A number as an hour: to 12 it can be in the morning or in the evening. */
export const hoursOfNumber = (text: string): readonly string[] =>
  hoursAlone(Number(text)).map(hours => clockText(hours * hour))

/** An hour with am or pm in 24-hour form. */
function hourInHalf(hours: number, half: string): number | undefined {
  if (hours < 1 || hours > 12) return undefined
  return (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function clockTimes(hours: number, minutes: string, seconds: string): readonly string[] {
  if (hours === 24 && Number(minutes) === 0 && Number(seconds) === 0) return [endOfDay]
  if (hours > 23 || Number(minutes) > 59 || Number(seconds) > 59) return []
  return [`${String(hours).padStart(2, '0')}:${minutes}:${seconds}`]
}

const partNames = Object.values(partsOfDay).join(' ').split(' ')
const anyPart = new RegExp(partNames.join('|'))
const named = `(?<part>${partNames.join('|')})(?=,? |$)`
const partForms = [
  // del vespre, al matí, por la tarde, in the evening
  `(?:^|,? )(?:del?|de la|de l'|al|a la|per la|por la|in the|at)(?: the)? ${named}`,
  // aquest vespre, esta noche, this evening, tonight
  `(?:^|,? )(?<today>(?:this|aquest|aquesta|est[ea]) |to(?=night))${named}`,
  // tomorrow evening, lunes noche, nine pm; a lone `mañana` is tomorrow
  `,? (?!manana)${named}`,
].map(form => new RegExp(form))

/** A phrase without its part of the day (`del vespre`), which can stand anywhere; undefined if it has none. */
export function withoutPart(phrase: string): { rest: string; part: string; isToday: boolean } | undefined {
  const match = anyPart.test(phrase) && partForms.map(form => form.exec(phrase)).find(found => found !== null)
  if (!match) return undefined
  const { part = '', today } = match.groups ?? {}
  const [before, after] = [phrase.slice(0, match.index), phrase.slice(match.index + match[0].length)]
  return {
    rest: `${before} ${after}`
      .trim()
      .replace(/ ?, ?/g, ', ')
      .replace(/^, |,? ?,$/g, ''),
    part,
    isToday: today !== undefined,
  }
}

const lead = '(?<lead>(?:(?:at|a) )?(?:les |las |la )|at |a (?=\\w+(?: |\\/4)))?'
const word = String.raw`\d{1,2}|[a-z]+`
const spokenForms = [
  // dos quarts de nou
  String.raw`(?:(?<quarters>[123]|un|dos|tres)(?:\/4| quarts?) (?:de |d'))(?:la )?(?<hour>${word})`,
  // half past eight, half eight, quarter to nine, ten to nine
  `(?:(?<half>half)(?: past)?|(?:a )?(?<minutes>quarter|five|ten|twenty|\\d{1,2}(?= minutes ))(?: minutes)? (?<side>past|to)) (?<hour>${word})`,
  // les vuit, 8, 8.30, vuit i mitja, ocho menos cuarto, ocho y diez, 8 o'clock
  String.raw`(?<hour>${word})(?:[:.,h' ]{1,3}(?<digits>\d{2}))?(?<unit> ?h\.?| hores| horas| ?o'? ?clock| en punto?)?(?: (?<side>i|y|menys|menos) (?<minutes>tres quarts|${word}))?`,
].map(form => new RegExp(`^${lead}${form}$`))

/** `les vuit del vespre`, `dos quarts de nou`, `half past eight`: two readings unless a part of the day decides. */
function readSpoken(phrase: string, given: string | undefined, isRange: boolean): readonly string[] {
  const split = given === undefined ? withoutPart(phrase) : undefined
  if (split?.isToday) return []
  const { rest = phrase, part = given } = split ?? {}
  for (const form of spokenForms) {
    const groups = form.exec(rest)?.groups
    const spokenHour = groups && numberCalled(groups.hour ?? '')
    const minutes = groups && minutesIn(groups)
    if (!groups || spokenHour === undefined || minutes === undefined) continue
    const isBare =
      groups.lead === undefined && minutes === 0 && groups.digits === undefined && groups.unit === undefined
    if (isBare && part === undefined && !isRange) return []
    return hoursIn(spokenHour, part)
      .map(read => read * hour + minutes * 60)
      .filter(seconds => seconds >= 0)
      .map(clockText)
  }
  return []
}

type Groups = Readonly<Record<string, string | undefined>>

/** Minutes after the hour, negative before it; undefined if the word is not a number. */
function minutesIn({ quarters, half, digits, side, minutes }: Groups): number | undefined {
  if (quarters !== undefined) return (numberCalled(quarters) ?? 0) * 15 - 60
  if (half !== undefined) return 30
  if (minutes === undefined) return digits === undefined ? 0 : Number(digits) > 59 ? undefined : Number(digits)
  const count = minutesNamed(minutes)
  return count !== undefined && /menys|menos|to/.test(side ?? '') ? -count : count
}

function minutesNamed(name: string): number | undefined {
  if (/^(mitja|media)$/.test(name)) return 30
  if (/^(quart|cuarto|quarter)$/.test(name)) return 15
  return name === 'tres quarts' ? 45 : numberCalled(name)
}

/** The 24-hour forms of an hour within a part of the day. */
function hoursIn(hour: number, part: string | undefined): readonly number[] {
  if (part === undefined) return hoursAlone(hour)
  const [name] = Object.entries(partsOfDay).find(([, words]) => words.split(' ').includes(part)) ?? []
  if (hour < 1 || hour > 12) return isLate(hour, name) ? [hour] : []
  if (name === 'early') return [hour % 12]
  if (name === 'noon') return [hour < 5 ? hour + 12 : hour]
  if (name === 'late') return [(hour % 12) + 12]
  return hour < 6 || hour === 12 ? [hour % 12, (hour % 12) + 24] : [hour + 12]
}

/** The 24-hour forms of an hour, in the morning and in the evening. */
function hoursAlone(hour: number): readonly number[] {
  if (hour < 1 || hour > 24) return []
  if (hour === 12) return [12, 24]
  return hour > 12 ? [hour] : [hour, hour + 12]
}

const isLate = (hour: number, name: string | undefined): boolean =>
  hour < 24 && ((hour > 13 && name === 'late') || (hour > 19 && name === 'night'))

/** `de 18 a 20 h`, `6-8 pm`, `entre las 5 y las 7 de la tarde` */
const openingWord = /^(?:de|des de|desde|from|entre|between) /
const betweenHours = / (?:a|fins a|fins|hasta|to|until|till) | ?[-–—] ?|(?<=^(?:entre|between) .*) (?:y|i|and) /g
const unitBehind = /\d( ?(?:h|hs|hrs?|hores|horas|hours?|[ap]\.? ?m\.?)\.?)$/

/** All pairs of hours that a text can mean, the second up to twelve hours after the first; none if it is not such a text. */
export function readHourRanges(phrase: string, part?: string): readonly (readonly [from: string, to: string])[] {
  const opening = openingWord.exec(phrase)?.[0] ?? ''
  for (const { 0: sign, index } of phrase.matchAll(betweenHours)) {
    const [left, right] = [phrase.slice(opening.length, index), phrase.slice(index + sign.length)]
    // `10-12` can be days.
    if (left === '' || (opening === '' && part === undefined && /^[\d\s]+$/.test(left + right))) continue
    const ends = timesAlone(readHours(right, part, true))
    const pairs = startsOf(left, right, part).flatMap(starts => pairsOf(timesAlone(starts), ends))
    if (pairs.length > 0) return pairs
  }
  return []
}

/** All times that the first hour can mean: with the unit and part of the day of the second, or else on its own. */
function startsOf(left: string, right: string, part: string | undefined): readonly (readonly string[])[] {
  const own = readHours(left, part, true)
  if (withoutPart(left) || unitBehind.test(left)) return [own]
  const shared = part ?? withoutPart(right)?.part
  const unit = unitBehind.exec(right)?.[1] ?? (/\d[:.]\d\d$/.test(right) ? ' h' : '')
  const inherited = readHours(`${left}${unit}`, unit ? undefined : shared, true)
  const ends = timesAlone(readHours(right, part, true))
  if (inherited.length === 1 && pairsOf(inherited, ends).length > 0) return [inherited]
  // `11-1 pm` begins in the morning.
  return ends.length === 1 ? [own.filter(time => time < (ends[0] ?? '')).slice(-1)] : [own]
}

function pairsOf(starts: readonly string[], ends: readonly string[]): (readonly [string, string])[] {
  return starts.flatMap(start => {
    const from = secondsOf(start)
    const later = ends.flatMap(end => [secondsOf(end), secondsOf(end) + dayLength]).filter(to => to > from)
    const to = Math.min(...later)
    const isCertain = starts.length === 1 && ends.length === 1 && to <= dayLength
    return isCertain || to - from <= dayLength / 2 ? [[start, clockText(to)] as const] : []
  })
}

/** Both meanings of `19.5`, half past or 19.50 (as a spreadsheet program writes it); undefined for any other text. */
export function halfHours(text: string): readonly [half: string, fifty: string] | undefined {
  const [, hours, unit = ''] = /^(\d{1,2})[.,]5(?:\s*([ap]\.?\s?m\.?|h))?$/i.exec(text.trim()) ?? []
  const half = `${hours}:30${unit && ` ${unit}`}`
  return Number(hours) > 0 && readClock(half) !== undefined ? [half, half.replace(':30', ':50')] : undefined
}

/**
 * Spreadsheet programs read `19.30` as a number and write `19.3` or `19,3`. `19.5` may be half past, and a number that begins with
 * 0 may be a part of a day (`0.5` is noon): these stay unread.
 */
function wholeMinutes(minutes: string, hours: string, sign = ':'): string | undefined {
  if (minutes.length === 2) return minutes
  return /[.,]/.test(sign) && Number(hours) > 0 && minutes !== '5' ? `${minutes}0` : undefined
}
