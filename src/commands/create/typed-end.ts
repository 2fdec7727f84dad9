import { lastDay } from '../../client/event-end.ts'
import { shortDate } from '../../terminal/readable.ts'
import { endAfter, readLength } from '../../time/durations.ts'
import { readTyped } from '../../time/typed-dates.ts'

/** When an event starts, as wall time. */
export interface EventStart {
  readonly wall: string
  readonly isWholeDay: boolean
  readonly zone: string
}

type TypedEnd = { readonly ok: true; readonly wall: string } | { readonly ok: false; readonly message: string }

const day = 86_400_000

/** Lengths up to this one are common; `21h` behind an evening is a time. */
const longestUsual = day / 2

/** Reads the end of an event as people type it after its start: a time of the same day, a length, or a date with a time. */
export function readEnd(text: string, start: EventStart, { now, year }: { now: Date; year: string }): TypedEnd {
  const { wall, isWholeDay, zone } = start
  if (isWholeDay && text.trim() === '') return { ok: true, wall: `${wall.slice(0, 10)} 00:00:00` }
  const length = readLength(text)
  const date = readTyped(text, zone, now, wall.slice(0, 10))
  if (isWholeDay && length !== undefined)
    return length % day === 0 ? { ok: true, wall: lastDay(wall, length) } : wrong('expected whole days, such as 2d')
  const isAfter = date.ok && (isWholeDay ? date.wall.slice(0, 10) >= wall.slice(0, 10) : date.wall > wall)
  if (length !== undefined) {
    const end = endAfter(wall, length, zone)
    if (!date.ok || !isAfter) return { ok: true, wall: end }
    if (length <= longestUsual)
      return wrong(`"${text}" can be read as ${clockOf(date.wall)} or as a length, until ${clockOf(end)}`)
  }
  if (!date.ok) return wrong(date.message)
  if (!isWholeDay && date.dayOnly) return wrong(`add the time, for example ${text.trim()} 21:00`)
  return isAfter
    ? { ok: true, wall: date.wall }
    : wrong(`that is before it starts, ${shortDate(wall, year, isWholeDay)}`)
}

const clockOf = (wall: string): string => wall.slice(11, 16)

const wrong = (message: string): TypedEnd => ({ ok: false, message })
