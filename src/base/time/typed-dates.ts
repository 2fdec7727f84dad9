import { phrase } from '../words/phrase.ts'
import { type GrammarContext, type Reading, readDayAndTime, readMonthOf } from './date-grammar.ts'
import { type Period, readPeriod } from './date-periods.ts'
import { type DateMistake, doubtful, isEveryDay, momentOf, msWall, type WallSpan } from './dates.ts'
import { endOfDay, wallOn } from './hour-grammar.ts'
import { typedOrder } from './typed-order.ts'
import { clockChange, fromUtc } from './zone.ts'

/** The wall time in a zone, with a note if it was converted; or what is wrong with the text. */
export type TypedDate =
  | { readonly ok: true; readonly wall: string; readonly dayOnly: boolean; readonly note?: string }
  | DateMistake

export type TypedSpan = { readonly ok: true; readonly span: WallSpan } | DateMistake

export type TypedDay = { readonly ok: true; readonly day: string } | DateMistake

/** Message and hint for a text of the wrong kind. */
type Expected = (text: string) => { readonly message: string; readonly hint: string }

const aDate: Expected = text => ({
  message: phrase('expected a date and time, got "{text}"', { text }),
  hint: phrase('for example: 2026-12-05 19:00, tomorrow 19:00, 5 December 19:00 or +3d'),
})
/** In a file, which may be read on another day. */
const aDateInFile: Expected = text => ({
  message: aDate(text).message,
  hint: phrase('for example: 2026-12-05 19:00, 5 December 2026, 19:00 or 90 min'),
})
const aTime: Expected = text => ({
  message: phrase('expected a date, got "{text}"', { text }),
  hint: phrase('for example: 2026-12-05, today, saturday, tomorrow 19:00 or +3d'),
})
const aDay: Expected = text => ({
  message: phrase('expected a day, got "{text}"', { text }),
  hint: phrase('for example: 2026-12-05, today, saturday, 5 December or +3d'),
})
const aWeek: Expected = text => ({
  message: phrase('expected a day, or a week, got "{text}"', { text }),
  hint: phrase('for example: 2026-12-05, next week, 5 December or +7d'),
})
const aMonth: Expected = text => ({
  message: phrase('expected a month, got "{text}"', { text }),
  hint: phrase('for example: 2026-12, december or next month'),
})

/**
 * Reads a date as people type it, for an event in a zone. A time alone is on `day`, if there is one. A wall time that does not exist or exists twice there is refused unless an
 * offset decides.
 */
export function readTyped(text: string, zone: string, now: Date, day?: string): TypedDate {
  const reading = readDayAndTime(text, { ...typedContext(now, zone), isOfDay: day !== undefined })
  if (!reading?.ok) return mistakeIn(text, reading, aDate)
  const { day: ownDay = day, time, offset } = reading
  if (ownDay === undefined) return withoutDay(text)
  const dayOnly = time === undefined
  const wall = wallOn(ownDay, time ?? '00:00:00')
  if (offset === undefined) return clockChange(wall, zone) ?? { ok: true, wall, dayOnly }
  const converted = fromUtc(msWall(momentOf({ wall, offset, dayOnly })), zone)
  if (converted === wall) return { ok: true, wall, dayOnly }
  return {
    ok: true,
    wall: converted,
    dayOnly,
    note: phrase('{text} is {time} in {zone}', { text, time: converted.slice(0, 16), zone }),
  }
}

/** How a person in a zone reads what was typed just now. */
export const typedContext = (now: Date, zone: string): GrammarContext => asTyped(localTime(now, zone))

/** What is wrong with a date and time that was read as this, and what to write instead. */
export const typedMistake = (text: string, reading: Period | undefined, isInFile = false): DateMistake =>
  reading?.ok && reading.day === undefined ? withoutDay(text) : mistakeIn(text, reading, isInFile ? aDateInFile : aDate)

const asTyped = (now: string) => ({ now, order: typedOrder(), isTyped: true })

let latest = { ms: Number.NaN, zone: '', wall: '' }

/** The wall time of a moment in a zone: the same for all dates of a file. */
function localTime(now: Date, zone: string): string {
  const ms = now.getTime()
  if (latest.ms !== ms || latest.zone !== zone) latest = { ms, zone, wall: fromUtc(msWall(ms), zone) }
  return latest.wall
}

/** What is wrong with a date in any zone; undefined if it can be read. */
export function unreadableDate(text: string, zone: string, now: Date): DateMistake | undefined {
  const reading = readDayAndTime(text, typedContext(now, zone))
  return reading?.ok ? undefined : mistakeIn(text, reading, aDate)
}

/** Reads a day as people type it; `now` is the wall time from which relative days count. */
export const readDay = (text: string, now: string): TypedDay => asDay(text, readDayAndTime(text, asTyped(now)), aDay)

/** Reads whole days as people type them: a day, a weekend, a week, or a range. */
export function readDaysOf(
  text: string,
  now: string,
): { readonly ok: true; readonly first: string; readonly last: string } | DateMistake {
  const period = readPeriod(text, asTyped(now))
  if (!period?.ok || period.day === undefined || period.time !== undefined) return mistakeIn(text, period, aDay)
  const { day, end = {} } = period
  return { ok: true, first: day, last: end.day ?? day }
}

/**
 * Start and end of an event from one text, each in the form in which it would be typed alone; undefined if the text has only one
 * date.
 */
export function readStartAndEnd(
  text: string,
  zone: string,
  now: Date,
):
  | { readonly ok: true; readonly start: string; readonly end?: string; readonly isAllDay: boolean }
  | DateMistake
  | undefined {
  const context = typedContext(now, zone)
  if (readDayAndTime(text, context)?.ok) return undefined
  const period = readPeriod(text, context)
  if (!period?.ok) return period && 'readings' in period ? mistakeIn(text, period, aDate) : undefined
  const { day, time, end, isAllDay = false } = period
  if (day === undefined) return withoutDay(text)
  const written = (one: string, hour: string | undefined) => (hour === undefined ? one : `${one} ${hour}`)
  return {
    ok: true,
    start: written(day, time),
    ...(end && { end: written(end.day ?? day, end.time) }),
    isAllDay,
  }
}

/** Reads a week as people type it (`next week`, `next`, a day), and returns one of its days. */
export function readWeek(text: string, now: string): TypedDay {
  const week = /^(this|next|last)$/i.test(text) ? `${text} week` : text
  return asDay(text, readDayAndTime(`monday of ${week}`, asTyped(now)) ?? readDayAndTime(text, asTyped(now)), aWeek)
}

/** Reads a month as people type it, or a day in it, and returns its first day. */
export function readMonth(text: string, now: string): TypedDay {
  const reading = readMonthOf(text, now) ?? readDayAndTime(text, asTyped(now))
  if (reading && 'readings' in reading) {
    // Both readings of a day can be in one month, and `+1m` is not a minute here.
    const inMonths = reading.readings.filter(day => day.length === 10).map(day => day.slice(0, 7))
    const [month] = inMonths
    if (month !== undefined && inMonths.every(other => other === month)) return { ok: true, day: `${month}-01` }
  }
  const typed = asDay(text, reading, aMonth)
  return typed.ok ? { ok: true, day: `${typed.day.slice(0, 7)}-01` } : typed
}

function asDay(text: string, reading: Reading | undefined, expected: Expected): TypedDay {
  if (!reading?.ok || reading.day === undefined || reading.time !== undefined) return mistakeIn(text, reading, expected)
  return { ok: true, day: reading.day }
}

/** Reads a day, or a day and a time: `YYYY-MM-DD` with or without `HH:MM:SS`. */
export function readWall(text: string, now: string): TypedDay {
  const read = readSpan(text, now)
  if (!read.ok) return read
  const { from, until } = read.span
  if (isEveryDay(read.span)) return withoutDay(text)
  return { ok: true, day: from === until ? from : from.slice(0, 10) }
}

const withoutDay = (text: string): DateMistake => ({
  ok: false,
  message: phrase('"{text}" has no day', { text }),
  hint: phrase('add the day, for example: today {text}', { text }),
})

/** Reads a date for comparison: a day covers the whole day, a time its second, and a time without a day that time on every day. */
export function readSpan(text: string, now: string): TypedSpan {
  const reading = readDayAndTime(text, asTyped(now))
  if (!reading?.ok) return mistakeIn(text, reading, aTime)
  const { day, time, offset } = reading
  if (offset !== undefined) return mistakeIn(text, { ok: false, expected: 'a date without a UTC offset' }, aTime)
  if (day === undefined) {
    const ofDay = time === endOfDay ? '00:00:00' : `${time}`
    return { ok: true, span: { from: ofDay, until: ofDay } }
  }
  const [from, until] = time === undefined ? ['00:00:00', '23:59:59'] : [time, time]
  return { ok: true, span: { from: `${day} ${from}`, until: `${day} ${until}` } }
}

function mistakeIn(text: string, reading: Period | undefined, expects: Expected): DateMistake {
  if (reading && 'readings' in reading) return doubtful(text, reading.readings)
  const mistake = { ok: false, ...expects(text) } as const
  if (!reading || reading.ok) return mistake
  const { expected, instead } = reading
  return {
    ...mistake,
    message: phrase('expected {expected}, got "{text}"', { expected, text }),
    ...(instead && { hint: phrase('write: {text}', { text: instead }) }),
  }
}
