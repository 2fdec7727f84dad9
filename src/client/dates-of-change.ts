import { type Failure, forExample, misread, usage } from '../base/failure.ts'
import { memoizeByObject } from '../base/memoize.ts'
import { asOption, listOf } from '../base/text/sentence-parts.ts'
import {
  type DateMistake,
  dayAfter,
  dayLength,
  isEveryDay,
  momentOf,
  msWall,
  readDate,
  wallInRange,
  wallMs,
} from '../base/time/dates.ts'
import { readSpan, readStartAndEnd, readTyped } from '../base/time/typed-dates.ts'
import { readWhen, sharedHalf, unreadableWhen } from '../base/time/when.ts'
import { clockChange, hasClocks, momentIn, wallAt, withOffsetIfAmbiguous } from '../base/time/zone.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { namedRecord, theRecord } from '../contract/resource-words.ts'
import type { Change, ChangeContext } from './change.ts'
import type { Values } from './client.ts'

const ends = ['start_date', 'end_date'] as const

/** The values of a change, with the dates that an event then has. */
export async function datesOfChange(resource: Resource, before: Answer, change: Change, context: ChangeContext) {
  const wanted = { ...movedDates(before, change, context), ...change.values }
  await noticeKeptWallTime(before, change, context)
  const zone = String(wanted.timezone || before.timezone || context.zone)
  const values = withBothEnds(wanted, { ...context, zone })
  const { duration = staysWithoutEnd(before, values) ? 0 : undefined } = change
  if (readsClocks(resource, values, duration)) checkZone(zone, context, before)
  const ended = await withDates(resource, values, { zone, before, duration }, context)
  const whole = await asWholeDays(before, { ...change, values: { ...change.values, ...endsIn(ended) } }, ended, context)
  const dated = change.moveTo === undefined && change.shift === undefined ? whole : asMoved(whole, context)
  checkOrder({ ...before, ...dated }, hasBothEnds(change.values), context)
  return dated
}

/** Whether an event without an end, which ends when it starts, gets only another start. */
const staysWithoutEnd = ({ start_date: start, end_date: end, all_day: isWholeDay }: Answer, values: Values): boolean =>
  start === end && !isWholeDay && !values.all_day && 'start_date' in values && !('end_date' in values)

/** The values of a new record with its dates, and the time zone to send because a date was given with an offset. */
export async function datesOfCreation(resource: Resource, given: Values, context: ChangeContext, duration?: number) {
  const values = withBothEnds(given, context)
  const hasOffset = ends.some(name => readDate(String(values[name]))?.offset !== undefined)
  const needsZone = duration !== undefined || ends.some(name => name in values && !isWallTime(String(values[name])))
  const zone = String(values.timezone || (needsZone && (await context.siteZone?.())) || context.zone)
  if (readsClocks(resource, values, duration)) checkZone(zone, context)
  const ended = await withDates(resource, values, { zone, duration }, context)
  const wanted = { ...values, ...endsIn(ended), ...('all_day' in ended && { all_day: ended.all_day }) }
  const dated = await asWholeDays(undefined, { values: wanted }, ended, context)
  checkOrder(dated, hasBothEnds(values), context)
  return { dated, timezone: hasOffset ? { timezone: zone } : {} }
}

/** Checked here because some services change the end of an event that ends before its start, instead of refusing it. */
function checkOrder(
  { start_date: start, end_date: end }: Values,
  areBothGiven: boolean,
  { fieldLabel }: ChangeContext,
): void {
  if (typeof start !== 'string' || typeof end !== 'string' || !endsBefore(start, end)) return
  const message = phrase('the event would end ({end}) before it starts ({start})', {
    end: end.slice(0, 16),
    start: start.slice(0, 16),
  })
  throw usage(message, (fieldLabel ? undefined : nightHint(start, end)) ?? orderHint(areBothGiven, fieldLabel))
}

const endsIn = (values: Values): Values =>
  Object.fromEntries(ends.flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]])))

const hasBothEnds = (values: Values): boolean => ends.every(name => name in values)

function orderHint(areBothGiven: boolean, fieldLabel: ChangeContext['fieldLabel']): string {
  const fields = listOf(ends.map(fieldLabel ?? asOption))
  if (areBothGiven) return phrase('check the order of {fields}', { fields })
  return fieldLabel
    ? phrase('give both {fields}', { fields })
    : phrase('give both {fields}, or move both ends with --shift', { fields })
}

/** Compares moments if both have an offset, and wall times otherwise. */
function endsBefore(start: string, end: string): boolean {
  const [from, to] = [readDate(start), readDate(end)]
  if (from?.offset !== undefined && to?.offset !== undefined) return momentOf(to) < momentOf(from)
  return end.slice(0, 19) < start.slice(0, 19)
}

/** Whether a date is the same wall time in every zone: without an offset, and without words such as tomorrow. */
function isWallTime(text: string): boolean {
  const date = readDate(text)
  return date !== undefined && date.offset === undefined
}

/** The values with the end and the length that the text of a start may contain: `5 de desembre, de 18 a 20 h`, `5/12 tot el dia`. */
export function withBothEnds(
  given: Values,
  context: Pick<ChangeContext, 'now' | 'zone' | 'notice' | 'fieldLabel'>,
): Values {
  const { now, zone, notice, fieldLabel: label = asOption } = context
  if (typeof given.start_date !== 'string' || readDate(given.start_date)) return given
  const shared = sharedHalf(given.start_date, textOf(given.end_date) ?? '')
  if (shared) void notice(shared.said)
  const text = shared?.start ?? given.start_date
  const values: Values = { ...given, start_date: text, ...(shared && { end_date: shared.end }) }
  // A zone that does not exist is reported elsewhere.
  const own = [given.timezone, zone].find(one => typeof one === 'string' && hasClocks(one)) ?? 'UTC'
  const both = readStartAndEnd(text, String(own), now)
  if (both === undefined) return withDayAlone(values, readTyped(text, String(own), now))
  if (!both.ok) throw invalidDate('start_date', text, both, label)
  const { start, end, isAllDay } = both
  if (end !== undefined) checkOneEnd(given, text, label)
  return {
    ...values,
    start_date: start,
    ...(end !== undefined && { end_date: end }),
    ...((isAllDay || (end !== undefined && start.length === 10)) && { all_day: values.all_day ?? true }),
  }
}

function checkOneEnd(values: Values, text: string, label: (field: string) => string): void {
  const [start = '', end = ''] = ends.map(label)
  if (!('end_date' in values)) return
  throw usage(
    phrase('{start}: "{text}" already includes an end; {end} gives another', { start, text, end }),
    phrase('leave out {option}', { option: end }),
  )
}

/** What a day alone means is decided where all values are known. */
const withDayAlone = (values: Values, day: ReturnType<typeof readTyped>): Values =>
  day.ok && day.dayOnly ? { ...values, start_date: day.wall.slice(0, 10) } : values

/** Refuses dates that cannot be read, before anything is sent. The instant that they mean depends on the zone of the record. */
export function checkDates(resource: Resource, values: Values, now: Date, zone: string): void {
  for (const name of datesIn(resource, values)) {
    // The day of a time alone depends on the record, and an end with two readings on its start.
    const mistake = unreadableWhen(isEnd(name), String(values[name]), zone, now)
    if (mistake) throw invalidDate(name, String(values[name]), mistake)
  }
}

const dateFields = memoizeByObject(({ fields }: Resource) =>
  Object.keys(fields).filter(name => fields[name]?.kind.shape === 'moment'),
)

const datesIn = (resource: Resource, values: Values): string[] =>
  dateFields(resource).filter(name => typeof values[name] === 'string')

/** What the reading of dates depends on. */
interface Around {
  readonly zone: string
  /** The event before the change. */
  readonly before?: Answer
  readonly duration?: number | undefined
}

/** The dates of values as wall times in a zone, and what follows from them. */
async function withDates(resource: Resource, values: Values, around: Around, context: ChangeContext): Promise<Values> {
  const { zone } = around
  const dates = datesIn(resource, values)
  const others = dates.filter(name => !isEnd(name))
  const resolved = await withOtherDates(values, others, zone, context)
  if (!('end_date' in resource.fields)) return resolved
  const isDated = dates.some(isEnd) || around.duration !== undefined
  if (!isDated && around.before) return resolved
  return { ...resolved, ...(await readEvent(values, around, context)) }
}

/** The values with publication dates as wall times, or as moments in UTC. */
async function withOtherDates(values: Values, dates: readonly string[], zone: string, context: ChangeContext) {
  const resolved: Record<string, unknown> = { ...values }
  for (const name of dates) {
    const text = String(values[name])
    // A publication date is in the zone of the site, which is not known here: one with an offset is sent in UTC.
    const isMoment = name === 'date' && readDate(text)?.offset !== undefined
    if (isMoment) delete resolved.date
    const inUtc = name === 'date_utc' || isMoment
    const typed = readTyped(text, inUtc ? 'UTC' : zone, context.now)
    if (!typed.ok) throw invalidDate(name, text, typed, context.fieldLabel)
    if (typed.note) await context.notice(typed.note)
    resolved[inUtc ? 'date_utc' : name] = typed.wall
  }
  return resolved
}

async function readEvent(values: Values, { zone, before, duration }: Around, context: ChangeContext): Promise<Values> {
  const texts = { start: textOf(values.start_date), end: textOf(values.end_date), length: duration }
  const isAllDay = typeof values.all_day === 'boolean' ? values.all_day : undefined
  if (before && texts.start === undefined && duration !== undefined) dateOf(before, 'start_date', context)
  const start = before && textOf(before.start_date)
  const known = start !== undefined && readDate(start) ? { start, end: textOf(before?.end_date) } : undefined
  const read = readWhen(
    { ...texts, isAllDay },
    { zone, now: context.now, before: known && { ...known, isAllDay: before?.all_day === true } },
  )
  if (!read.ok) throw invalidDate(read.about, texts[whichText[read.about]] ?? '', read, context.fieldLabel)
  for (const note of read.said) await context.notice(note)
  const written = (wall: string | undefined, text: string | undefined) => {
    const date = wall === undefined || context.keepsOffsets === false ? undefined : readDate(text ?? '')
    return wall !== undefined && date?.offset !== undefined
      ? withOffsetIfAmbiguous(wall, msWall(momentOf(date)), zone)
      : wall
  }
  const [first, last] = [written(read.start, texts.start), written(read.end, texts.end)]
  return {
    ...(first !== undefined && { start_date: first }),
    ...(last !== undefined && { end_date: last }),
    ...(read.isWholeDay && !before && { all_day: true }),
  }
}

const whichText = { start_date: 'start', end_date: 'end', duration: 'start' } as const

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const isEnd = (name: string): boolean => ends.some(end => end === name)

const invalidDate = (name: string, text: string, mistake: DateMistake, label = asOption): Failure =>
  misread(label(name), text, mistake)

/** Both ends of an event on the day or at the time that was typed; what the text does not mention stays. */
export function movedTo(
  before: Answer,
  { moveTo: text = '', moveOption, values = {}, shift = 0 }: Pick<Change, 'moveTo' | 'moveOption'> & Partial<Change>,
  context: MovingContext,
): Values {
  const start = shifted(dateOf(before, 'start_date', context), shift)
  const zone = zoneOf(before, values, context)
  const refusal = (mistake: DateMistake) =>
    moveOption ? misread(moveOption, text, mistake) : usage(mistake.message, mistake.hint)
  const moved = movedWall(start, text, wallAt(context.now.getTime(), zone))
  if (typeof moved !== 'string') throw refusal(moved)
  const time = moved.slice(11, 16)
  if (before.all_day === true && moved.length > 10 && time !== '00:00')
    throw refusal({
      ok: false,
      message: phrase('{record} lasts all day: it cannot start at {time}', { record: recordName(before), time }),
      hint: phrase('give a date without a time, or first make it an event with times: {command}', {
        command: `calctl events update ${before.id} --no-all-day`,
      }),
    })
  return withOwnLength(before, { start: moved, zone, refusal }, context)
}

type MovingContext = Pick<ChangeContext, 'now' | 'zone' | 'fieldLabel'>

/** The zone in which an event is moved. */
function zoneOf(before: Answer, { timezone }: Values, context: MovingContext): string {
  const zone = String(timezone || before.timezone || context.zone)
  checkZone(zone, context, before)
  return zone
}

/** A new start, with the end that keeps the length of the event. */
function withOwnLength(
  before: Answer,
  { start, zone, refusal }: { start: string; zone: string; refusal(mistake: DateMistake): Failure },
  context: MovingContext,
): Values {
  const [from, until] = [dateOf(before, 'start_date', context), dateOf(before, 'end_date', context)]
  const first = readTyped(start, zone, context.now)
  if (!first.ok) throw refusal(first)
  const date = readDate(start)
  const instant = date?.offset === undefined ? momentIn(first.wall, zone) : momentOf(date)
  const length = wallMs(until) - wallMs(from)
  const last = msWall(wallMs(first.wall) + length)
  // The end in an hour that is repeated or skipped follows from the length of the event.
  const isClear = clockChange(last, zone) === undefined
  const clear = (ms: number) => withOffsetIfAmbiguous(wallAt(ms, zone), msWall(ms), zone)
  return { start_date: clear(instant), end_date: isClear ? last : clear(instant + length) }
}

/** The dates of an event that was moved: a site that drops UTC offsets takes the end as a wall time, whichever instant it is. */
export const asMoved = (values: Values, { endsInWallTime }: ChangeContext): Values =>
  endsInWallTime && typeof values.end_date === 'string' ? { ...values, end_date: values.end_date.slice(0, 19) } : values

/** The start of an event on another day or at another time. */
function movedWall(start: string, text: string, now: string): string | DateMistake {
  if (readDate(text)?.offset !== undefined) return text
  const read = readSpan(text, now)
  if (!read.ok) return read
  const { from, until } = read.span
  const [day, time] = [start.slice(0, 10), start.slice(11, 19)]
  if (isEveryDay(read.span)) return `${day} ${from}`
  return from === until ? from : `${from.slice(0, 10)} ${time}`
}

function movedDates(before: Answer, change: Change, context: ChangeContext): Values {
  const { values, moveTo, shift } = change
  if (moveTo !== undefined) {
    const { end_date: end, ...start } = movedTo(before, change, context)
    return change.duration === undefined ? { ...start, end_date: end } : start
  }
  if (shift === undefined) return {}
  const start = shifted(dateOf(before, 'start_date', context), shift)
  shifted(dateOf(before, 'end_date', context), shift)
  return withOwnLength(before, { start, zone: zoneOf(before, values, context), refusal: unclearShift(before) }, context)
}

/** The failure of a shift to an hour that clocks repeat or skip. */
const unclearShift =
  ({ id }: Answer) =>
  ({ message, readings: [reading = '…'] = [] }: DateMistake): Failure =>
    usage(
      `--shift: ${message}`,
      phrase('choose its time: {command}', { command: `calctl events move ${id} ${reading}` }),
    )

/** The date to which a change is relative. Sites have events with invalid dates, such as 0000-00-00. */
function dateOf(
  before: Answer,
  name: (typeof ends)[number],
  { fieldLabel }: Pick<ChangeContext, 'fieldLabel'>,
): string {
  const text = String(before[name])
  if (readDate(text)) return text
  const message = phrase('{record} has no date to count from: its {field} is "{text}"', {
    record: namedRecord('events', before.id),
    field: name,
    text,
  })
  const command = `calctl events update ${before.id} ${ends.map(end => `${asOption(end)} …`).join(' ')}`
  throw usage(
    message,
    phrase('set its dates first: {fields}', { fields: fieldLabel ? listOf(ends.map(fieldLabel)) : command }),
  )
}

/** Whether the result of a change depends on a time zone. */
const readsClocks = (resource: Resource, values: Values, duration: number | undefined): boolean =>
  duration !== undefined || datesIn(resource, values).length > 0

const recordName = (before: Answer | undefined): string =>
  before ? namedRecord('events', before.id) : theRecord('events')

/** Refuses to read dates for an event in an unknown zone: plugins and imports may have written anything. */
function checkZone(zone: string, { fieldLabel }: Pick<ChangeContext, 'fieldLabel'>, before?: Answer): void {
  if (hasClocks(zone)) return
  const message = phrase('{record} is in a time zone that does not exist: "{zone}"', {
    record: recordName(before),
    zone,
  })
  if (before && !fieldLabel)
    throw usage(message, forExample(`calctl events update ${before.id} --timezone Europe/Madrid`))
  const example = `${(fieldLabel ?? asOption)('timezone')} Europe/Madrid`
  throw usage(message, phrase('give it one as well, for example: {example}', { example }))
}

async function noticeKeptWallTime(before: Answer, { values }: Pick<Change, 'values'>, { notice }: ChangeContext) {
  const isNew = typeof values.timezone === 'string' && values.timezone !== before.timezone
  if (!isNew || ends.some(name => name in values)) return
  await notice(
    phrase('kept {time} as the wall time in {zone}', {
      time: String(before.start_date).slice(0, 16),
      zone: String(values.timezone),
    }),
  )
}

/** A date of an event, moved by `shift` ms. */
function shifted(date: string, shift: number): string {
  const wall = wallInRange(wallMs(date) + shift)
  if (wall !== undefined) return wall
  throw usage(
    phrase('--shift: {date} cannot move further than the years 1 to 9999', { date }),
    forExample('--shift +7d'),
  )
}

/** What to type for an event that ends after midnight, if its end was given the day of its start; undefined for other ends. */
function nightHint(start: string, end: string): string | undefined {
  const nextDay = dayAfter(start.slice(0, 10))
  const minutes = (wallMs(`${nextDay} ${end.slice(11, 19)}`) - wallMs(start.slice(0, 19))) / 60_000
  if (start.slice(0, 10) !== end.slice(0, 10) || minutes > longestNight) return undefined
  const length = minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`
  return phrase('if it ends on the next day: {endDate} or {duration}', {
    endDate: `--end-date "${nextDay} ${end.slice(11, 16)}"`,
    duration: `--duration ${length}`,
  })
}

const longestNight = 12 * 60

/** The first and last second of a day, with which services answer for an all-day event. */
const times = { start_date: '00:00:00', end_date: '23:59:59' } as const

type End = keyof typeof times

/**
 * The dates of an all-day event as whole days. Services drop the times without saying so, and a start or end that passes midnight moves by
 * a day: such a change is refused, unless it also makes the event an all-day one.
 */
async function asWholeDays(
  before: Answer | undefined,
  change: Pick<Change, 'values' | 'shift'>,
  dated: Values,
  { notice, fieldLabel = asOption }: ChangeContext,
): Promise<Values> {
  const { all_day: wanted } = change.values
  if (wanted === false || (wanted !== true && before?.all_day !== true)) return dated
  const { shift = 0 } = change
  const refusal = (reason: string, hint: string) =>
    usage(phrase('{record} lasts all day: {reason}', { record: recordName(before), reason }), hint)
  if (shift % dayLength !== 0) throw refusal(phrase('it moves by whole days only'), forExample('--shift +1d'))
  const days: Record<string, unknown> = { ...dated }
  for (const [name, time] of Object.entries(times) as [End, string][]) {
    if (!(name in change.values)) continue
    const wall = String(dated[name]).slice(0, 19)
    const typed = wall.slice(11)
    const isDay = typed === '00:00:00' || typed === time
    if (!isDay && wanted !== true)
      throw refusal(
        phrase('{field} cannot have the time {time}', { field: fieldLabel(name), time: shown(typed) }),
        wholeDaysHint(fieldLabel),
      )
    if (!isDay)
      await notice(
        phrase('an all-day event has no times: left out {time} of {field}', {
          time: shown(typed),
          field: fieldLabel(name),
        }),
      )
    days[name] = `${wall.slice(0, 10)} ${time}`
  }
  return days
}

const wholeDaysHint = (label: (field: string) => string): string =>
  label === asOption
    ? phrase('give a date without a time; or make it an event with times: --no-all-day')
    : phrase('give dates without times; or make it an event with times: {field} false', { field: label('all_day') })

const shown = (time: string): string => time.replace(/:00$/, '')
