/**
 * When an event takes place. Input: what somebody wrote of its start, end and length, with what is known besides: the time zone, the clock,
 * and the event as it was. Output: both ends, what was assumed, and whether it lasts whole days; or all meanings of a doubtful text, or what
 * to write instead. Options, questions, files and the library ask here, so that a text means the same in all of them.
 */

import { forExample } from '../failure.ts'
import { phrase } from '../words/phrase.ts'
import { foldWords } from './calendar-words.ts'
import { type GrammarContext, phraseOf, readDayAndTime } from './date-grammar.ts'
import { type DateMistake, dayAfter, dayLength, doubtful, readDate, wallMs } from './dates.ts'
import { endAfter, lengthText, readLength, readLengths, shiftWall } from './durations.ts'
import { endOfDay, halfHours, hoursOfNumber, ofDay, readHourRanges, readHours, wallOn } from './hour-grammar.ts'
import { readStartAndEnd, readTyped, typedContext, typedMistake, unreadableDate } from './typed-dates.ts'
import { wallAt } from './zone.ts'

/** What was written; all of it may be missing. The length is in ms of wall time. */
export interface WhenTexts {
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly length?: number | undefined
  readonly isAllDay?: boolean | undefined
}

export interface WhenContext {
  readonly zone: string
  readonly now: Date
  /** The event before the change; a new event has none. */
  readonly before?:
    | { readonly start: string; readonly end?: string | undefined; readonly isAllDay: boolean }
    | undefined
}

/** A refusal or a doubt is about one of the texts. */
type WhenMistake = DateMistake & { readonly about: 'start_date' | 'end_date' | 'duration' }

export type WhenReading =
  | {
      readonly ok: true
      /** Wall times; undefined if nothing was written of this end, and nothing follows for it. */
      readonly start?: string | undefined
      readonly end?: string | undefined
      readonly isWholeDay: boolean
      /** What was assumed, in sentences. */
      readonly said: readonly string[]
    }
  | WhenMistake

/** Reads when an event takes place; in an update, what is not written stays. */
export function readWhen(texts: WhenTexts, context: WhenContext): WhenReading {
  const { zone, now, before } = context
  const start = texts.start === undefined ? undefined : readTyped(texts.start, zone, now, before?.start.slice(0, 10))
  if (start && !start.ok) return { ...start, about: 'start_date' }
  const isDay = start?.dayOnly === true
  const isWholeDay = isWhole(texts, isDay, context)
  const from = start && (isDay && !isWholeDay && before ? keepHour(start.wall, before.start) : start.wall)
  const isAssumed = isWholeDay && texts.isAllDay === undefined && before === undefined
  const said = [start?.note, isAssumed ? assumedWhole(String(texts.start)) : undefined].flatMap(note => note ?? [])
  const begun = {
    from,
    wall: from ?? startOf(before, isWholeDay),
    isWholeDay,
    lacksHour: isDay && !isWholeDay && !before,
    said,
  }
  return texts.end === undefined ? withLength(texts, begun, context) : withEnd(texts, texts.end, begun, context)
}

/** The start of an event, as far as it is known. */
interface Begun {
  /** As it was written. */
  readonly from: string | undefined
  /** As it was written, or as the event has it. */
  readonly wall: string | undefined
  readonly isWholeDay: boolean
  readonly lacksHour: boolean
  readonly said: readonly string[]
}

const startOf = (before: WhenContext['before'], isWholeDay: boolean): string | undefined =>
  isWholeDay && before ? `${before.start.slice(0, 10)} 00:00:00` : before?.start

/** The end that follows from a length, or from an event that lasts whole days. */
function withLength(texts: WhenTexts, begun: Begun, { zone, before }: WhenContext): WhenReading {
  const { from, wall, isWholeDay, lacksHour, said } = begun
  if (lacksHour) return withoutHour(texts)
  const { length } = texts
  const read = { ok: true, start: length === undefined ? from : wall, isWholeDay, said } as const
  if (wall === undefined) return read
  if (length === undefined) return isWholeDay && before?.end === undefined ? { ...read, end: wall } : read
  if (!isWholeDay) return { ...read, end: endAfter(wall, length, zone) }
  if (length % dayLength === 0) return { ...read, end: shiftWall(wall.slice(0, 19), length - dayLength) }
  return {
    ok: false,
    about: 'duration',
    message: phrase('an all-day event lasts whole days'),
    hint: forExample(lengthText(dayLength * 2)),
  }
}

function withEnd(texts: WhenTexts, text: string, begun: Begun, { zone, now, before }: WhenContext): WhenReading {
  const { from, wall, isWholeDay, lacksHour, said } = begun
  const end = lacksHour
    ? unreadableEnd(text, zone, { now })
    : readEnd(text, { wall, isWholeDay, zone }, { now, hourOf: before?.end })
  if (!end) return withoutHour(texts)
  if (!end.ok) return { ...end, about: 'end_date' }
  const isMoment = isWholeDay && wall !== undefined && !end.dayOnly
  const last = isMoment ? lastDay(text, wall, end.wall) : { wall: end.wall, said: [] }
  return { ok: true, start: from, end: last.wall, isWholeDay, said: [...said, ...end.said, ...last.said] }
}

/** The end of an event that lasts whole days: one at 0:00 means the day before, as calendar programs write it. */
export function lastDay(text: string, start: string, wall: string): { readonly wall: string; readonly said: string[] } {
  if (!wall.endsWith(' 00:00:00') || wall.slice(0, 10) <= start.slice(0, 10)) return { wall, said: [] }
  const day = dayAfter(wall.slice(0, 10), -1)
  const said = phrase('lasts until {day}, because {text} ends at 0:00', { day, text })
  return { wall: `${day} 00:00:00`, said: [said] }
}

/** `5 Dec 7:30` to `9:30 pm`: the half of the day that the start lacks is that in which both fit. Undefined for other texts. */
export function sharedHalf(first: string, last: string) {
  const [hour = ''] = hourBehind.exec(first) ?? []
  // An hour with seconds, or in a complete date, is that of a program, which writes 24 hours.
  if (hour === '' || hasHalf(hour) || !hasHalf(last) || /:\d\d:/.test(last) || readDate(first)) return undefined
  const [hours, ...others] = readHourRanges(foldWords(`${hour}-${last}`))
  if (!hours || others.length > 0) return undefined
  const [start, end] = hours.map(time => ofDay(time).slice(0, 5)) as [string, string]
  const said = phrase('{first} to {last} is {start} to {end}', { first: hour, last, start, end })
  return { start: first.slice(0, -hour.length) + start, hour: start, end, said }
}

const hourBehind = /(?<=^|\s)\d{1,2}(?:[:.]\d\d)?(?:\s?(?:h|[ap]\.?\s?m\.?))?$/i

const hasHalf = (text: string): boolean => /\d\s?[ap]\.?\s?m\.?$/i.test(text)

/** A new event without any hour lasts whole days; one that exists stays as it is. */
function isWhole({ end, length, isAllDay }: WhenTexts, isDay: boolean, { zone, now, before }: WhenContext): boolean {
  if (isAllDay !== undefined || before) return isAllDay ?? before?.isAllDay === true
  if (!isDay || (length !== undefined && length % dayLength !== 0)) return false
  if (end === undefined) return true
  const read = readTyped(end, zone, now)
  const lasting = readLength(end)
  return (read.ok && read.dayOnly) || (!read.ok && lasting !== undefined && lasting % dayLength === 0)
}

const keepHour = (day: string, time: string): string => `${day.slice(0, 10)} ${time.slice(11, 19)}`

const assumedWhole = (text: string): string => phrase('"{text}" has no hour: the event lasts all day', { text })

function withoutHour({ start = '' }: WhenTexts): WhenMistake {
  return {
    ok: false,
    about: 'start_date',
    message: phrase('"{text}" has no hour', { text: start }),
    hint: phrase('add the hour, for example: {example}', { example: `${start} 19:00` }),
  }
}

type EndReading =
  | { readonly ok: true; readonly wall: string; readonly dayOnly: boolean; readonly said: readonly string[] }
  | DateMistake

interface EventStart {
  /** When the event starts; undefined if that is not known. */
  readonly wall: string | undefined
  readonly isWholeDay: boolean
  readonly zone: string
}

interface EndContext {
  readonly now?: Date
  /** The forms of a file. */
  readonly forms?: GrammarContext
  /** The start as it was written: after `22 h`, `1 h` is an hour, and no length. */
  readonly start?: string
  /** A date whose hour an end without one has; by default that of the start. */
  readonly hourOf?: string | undefined
}

/** An hour and a length of this many ms are equally usual; a longer one is a length only beside no hour. */
const longestUsual = dayLength / 2

/** `fins a les 2`, `hasta las 5`, `till 8`: what follows is no length. */
const untilWord = /^(?:fins (?:a |al )?(?=l|\d|el|mitja|migdia)|fins a |hasta (?:el )?|until |till |'?til |up to )/

/** Reads an end as people write it: an hour, a date or a length after the start; several meanings are a doubt. */
export function readEnd(text: string, start: EventStart, context: EndContext): EndReading {
  const { wall, isWholeDay, zone } = start
  const meant = asWrittenStart(text, context.start)
  const said = phraseOf(meant)
  const rest = said.replace(untilWord, '')
  const isUntil = rest !== said
  const isHour = isUntil || isClock.test(meant) || isDecimal.test(rest)
  const lengths = wall === undefined || isHour ? [] : readLengths(meant)
  const days = wall !== undefined && isWholeDay ? lastDays(lengths, wall) : undefined
  if (days) return days
  const reading = readDayAndTime(isUntil ? rest : meant, endGrammar(wall, zone, context))
  const hours = isNumber.test(rest)
    ? hoursOfNumber(rest)
    : isDecimal.test(rest)
      ? hoursOfDecimal(rest)
      : hoursIn(reading)
  if (wall === undefined || (hours.length === 0 && lengths.length === 0)) return endOnDay(text, reading, start, context)
  return onlyEnd(text, endsOf(meant, { hours, lengths }, { wall, zone }), wall, hours)
}

/** `22 h` and `1 h`, `19` and `21`: an end that is written like the start is an hour. */
const wholeHour = /^\s*(\d{1,2})(\s*h\.?)?\s*$/i

function asWrittenStart(end: string, start = ''): string {
  const [, hour] = wholeHour.test(start) ? (wholeHour.exec(end) ?? []) : []
  return hour !== undefined && Number(hour) <= 24 ? `${hour}:00` : end
}

const endGrammar = (wall: string | undefined, zone: string, { now, forms }: EndContext): GrammarContext => ({
  ...(forms ?? typedContext(now ?? new Date(), zone)),
  isOfDay: wall !== undefined,
  from: wall?.slice(0, 10),
})

/** An end that names its day, or an hour without a start. */
function endOnDay(
  text: string,
  reading: ReturnType<typeof readDayAndTime>,
  { wall, isWholeDay, zone }: EventStart,
  { now, hourOf, forms }: EndContext,
): EndReading {
  const typed = reading && !reading.ok && 'readings' in reading ? afterStart(reading.readings, wall) : undefined
  if (typed) return { ok: true, wall: typed, dayOnly: false, said: [] }
  if (!reading?.ok || reading.day === undefined) return typedMistake(text, reading, forms !== undefined)
  if (reading.time !== undefined || isWholeDay || wall === undefined) return moment(text, reading, { zone, now })
  return withHourOf(text, reading.day, hourOf ?? wall)
}

/** The only one of the possible ends after a start. */
function onlyEnd(text: string, ends: readonly string[], wall: string, hours: readonly string[]): EndReading {
  const [end, ...others] = ends
  if (end === undefined) return noEnd(text, wall, hours[0])
  const written = ends.map(one => one.slice(0, 16))
  if (others.length > 0) return doubtful(text, written)
  const isNextDay = hours.length > 0 && end.slice(0, 10) > wall.slice(0, 10)
  return { ok: true, wall: end, dayOnly: false, said: isNextDay ? [onNextDay(text, end, wall)] : [] }
}

/** What is wrong with a start or an end after any start; undefined if it can be read, or if only another start is needed. */
export function unreadableWhen(isEnd: boolean, text: string, zone: string, now: Date): DateMistake | undefined {
  const mistake = unreadableDate(text, zone, now)
  if (mistake === undefined) return undefined
  if (!isEnd) return readStartAndEnd(text, zone, now)?.ok ? undefined : mistake
  return unreadableEnd(text, zone, { now }) && mistake
}

/** What is wrong with an end after any start. */
export function unreadableEnd(text: string, zone: string, context: EndContext): DateMistake | undefined {
  const day = wallAt((context.now ?? new Date()).getTime(), zone).slice(0, 10)
  const [early, late] = ['08:00:00', '20:00:00'].map(hour =>
    readEnd(text, { wall: `${day} ${hour}`, isWholeDay: false, zone }, context),
  )
  return early?.ok || early?.readings || late?.ok || late?.readings ? undefined : early
}

/** `2:30`, `02h` and complete dates are no lengths. */
const isClock = /^\s*(?:\d{1,2}:\d|0\d|\d{4}-)/

const isNumber = /^\d{1,2}$/

/** A cell that is a number: `20.5` may be 20:30 or 20:50. */
const isDecimal = /^\d{1,2}[.,]\d$/

const hoursOfDecimal = (text: string): readonly string[] =>
  halfHours(text)?.map(one => `${one.padStart(5, '0')}:00`) ?? readHours(text)

/** The hours of a reading that has no day. */
function hoursIn(reading: ReturnType<typeof readDayAndTime>): readonly string[] {
  if (!reading) return []
  if (reading.ok) return reading.day === undefined && reading.time !== undefined ? [reading.time] : []
  if (!('readings' in reading) || reading.readings.some(one => one.length > 8)) return []
  return reading.readings.map(one => (one.length === 5 ? `${one}:00` : one))
}

/** All moments that hours and lengths can mean after a start. */
function endsOf(
  text: string,
  { hours, lengths }: { readonly hours: readonly string[]; readonly lengths: readonly number[] },
  { wall, zone }: { readonly wall: string; readonly zone: string },
): string[] {
  const isLengthWord = /\b(?:hores|horas?|hours?)\b/i.test(text) && !/^(?:a )?(?:les|las?|at) /i.test(text)
  const usual = lengths.filter(ms => hours.length === 0 || ms <= longestUsual || ms === dayLength)
  const byLength = usual.map(ms => endAfter(wall, ms, zone))
  if (isLengthWord && byLength.length > 0) return byLength
  const walls = hours.map(time => {
    const onDay = wallOn(wall.slice(0, 10), time === '00:00:00' ? endOfDay : time)
    return onDay > wall ? onDay : shiftWall(onDay, dayLength)
  })
  const distance = (end: string) => wallMs(end) - wallMs(wall)
  const near = walls.filter(end => distance(end) <= longestUsual || isSameDay(end, wall))
  // `10h` after 20:00 may also be the next morning, and `8` an hour of the other half of the day.
  const isEvening = wall.slice(11) >= '18:00:00'
  const isLoose = isEvening && byLength.length > 0
  const byHour =
    isNumber.test(text.trim()) && isEvening
      ? walls.filter(end => end !== near[0] && distance(end) < 15 * 3_600_000)
      : []
  const clear = near.length > 0 ? near : isLoose ? walls : []
  return [...new Set([...clear, ...byHour, ...byLength])].sort()
}

const isSameDay = (end: string, start: string): boolean =>
  end.slice(0, 10) === start.slice(0, 10) || end === `${dayAfter(start.slice(0, 10))} 00:00:00`

/** The only one of two readings with their days that is after the start. */
const afterStart = (readings: readonly string[], start: string | undefined): string | undefined => {
  const later = readings.filter(one => start !== undefined && one.length > 10 && one > start.slice(0, 16))
  return later.length === 1 ? `${later[0]}:00` : undefined
}

function lastDays(lengths: readonly number[], wall: string): EndReading | undefined {
  const [length] = lengths
  if (length === undefined) return undefined
  if (lengths.length === 1 && length % dayLength === 0)
    return { ok: true, wall: shiftWall(`${wall.slice(0, 10)} 00:00:00`, length - dayLength), dayOnly: true, said: [] }
  return { ok: false, message: phrase('expected whole days, such as 2d'), hint: forExample('2d') }
}

function moment(
  text: string,
  reading: { readonly day?: string; readonly time?: string; readonly offset?: number },
  { zone, now }: { readonly zone: string; readonly now: Date | undefined },
): EndReading {
  const written = reading.time === undefined ? `${reading.day}` : `${reading.day} ${reading.time}`
  const typed = readTyped(reading.offset === undefined ? written : text, zone, now ?? new Date())
  return typed.ok ? { ...typed, said: typed.note === undefined ? [] : [typed.note] } : typed
}

function withHourOf(text: string, day: string, time: string): EndReading {
  const wall = keepHour(day, time)
  return {
    ok: true,
    wall,
    dayOnly: true,
    said: [phrase('"{text}" has no hour: the event ends at {time}', { text, time: wall.slice(0, 16) })],
  }
}

const noEnd = (text: string, start: string, hour = start.slice(11)): DateMistake => ({
  ok: false,
  message: phrase('"{text}" is not after the start, {start}', { text, start: start.slice(0, 16) }),
  hint: phrase('write the day of the end as well, for example: {example}', {
    example: `${dayAfter(start.slice(0, 10))} ${ofDay(hour).slice(0, 5)}`,
  }),
})

const onNextDay = (text: string, end: string, start: string): string =>
  phrase('"{text}" after {start} is on the next day: {end}', {
    text,
    start: start.slice(11, 16),
    end: end.slice(0, 16),
  })
