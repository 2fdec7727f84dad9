import { endAfter, readLength } from '../../../base/time/durations.ts'
import { readTyped } from '../../../base/time/typed-dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { lastDay } from '../../../client/resolve-change.ts'
import { shortDate } from '../../../files/print/readable.ts'

/** When an event starts, as wall time. */
export interface EventStart {
  readonly wall: string
  readonly isWholeDay: boolean
  readonly zone: string
}

type TypedEnd =
  | { readonly ok: true; readonly wall: string }
  /** `readings` are all possible ends. */
  | { readonly ok: false; readonly message: string; readonly readings?: readonly string[] | undefined }

const day = 86_400_000

/** Events are rarely longer than this: `21h` after an evening start is a time. */
const longestUsual = day / 2

/** Reads the end of an event as people type it after its start: a time on the same day, a length, or a date with a time. */
export function readEnd(text: string, start: EventStart, { now, year }: { now: Date; year: string }): TypedEnd {
  const { wall, isWholeDay, zone } = start
  const date = readTyped(text, zone, now, wall)
  const isAfter = date.ok && (isWholeDay ? date.wall.slice(0, 10) >= wall.slice(0, 10) : date.wall > wall)
  const ofLength = isWholeDay
    ? lastDayByLength(text, wall)
    : endByLength(text, start, date.ok && isAfter ? date.wall : undefined)
  if (ofLength) return ofLength
  if (!date.ok) return wrong(date.message, endsIn(date.readings, wall))
  if (!isWholeDay && date.dayOnly)
    return wrong(phrase('add the time, for example {example}', { example: `${text.trim()} 21:00` }))
  return isAfter
    ? { ok: true, wall: date.wall }
    : wrong(phrase('that is before it starts, {date}', { date: shortDate(wall, year, isWholeDay) }))
}

/** The last day of an event, typed as a number of days, one if nothing is typed; undefined for other texts. */
function lastDayByLength(text: string, wall: string): TypedEnd | undefined {
  if (text.trim() === '') return { ok: true, wall: `${wall.slice(0, 10)} 00:00:00` }
  const length = readLength(text)
  if (length === undefined) return undefined
  return length % day === 0
    ? { ok: true, wall: lastDay(wall, length) }
    : wrong(phrase('expected whole days, such as 2d'))
}

/** The end of an event, typed as its length; undefined for other texts. `asTime` is the end if the text is also a time. */
function endByLength(text: string, { wall, zone }: EventStart, asTime: string | undefined): TypedEnd | undefined {
  const length = readLength(text)
  if (length === undefined) return undefined
  const end = endAfter(wall, length, zone)
  if (asTime === undefined) return { ok: true, wall: end }
  if (length > longestUsual) return undefined
  return wrong(
    phrase('"{text}" can be read as {time} or as a length, until {end}', {
      text,
      time: clockOf(asTime),
      end: clockOf(end),
    }),
    [asTime, end].map(one => one.slice(0, 16)),
  )
}

const clockOf = (wall: string): string => wall.slice(11, 16)

const wrong = (message: string, readings?: readonly string[]): TypedEnd => ({
  ok: false,
  message,
  ...(readings && { readings }),
})

/** Readings with their days, those that are hours too. */
const endsIn = (readings: readonly string[] | undefined, start: string): string[] | undefined =>
  readings?.map(one => (/^\d\d:/.test(one) ? `${start.slice(0, 10)} ${one}` : one))
