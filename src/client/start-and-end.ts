import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { asOption } from '../text/words.ts'
import { dayAfter, wallInRange, wallMs } from '../time/dates.ts'
import { endAfter, shiftWall } from '../time/durations.ts'
import type { Values } from './client.ts'

const day = 86_400_000

/** The values of an event with the end that its length gives it; an all-day event without an end lasts one day. */
export function withEnd(values: Values, before: Values, duration: number | undefined, zone: string): Values {
  const start = values.start_date ?? before.start_date
  const isWholeDay = (values.all_day ?? before.all_day) === true
  if (typeof start !== 'string') return values
  if (duration !== undefined && isWholeDay) {
    // Hours that were typed are named in a notice; those that the event had before go without one.
    const first = values.start_date === undefined ? `${start.slice(0, 10)} 00:00:00` : start
    return { ...values, start_date: first, end_date: lastDay(first, duration) }
  }
  if (duration !== undefined) return { ...values, start_date: start, end_date: endAfter(start, duration, zone) }
  const isOpen = values.end_date === undefined && before.end_date === undefined
  return isOpen && isWholeDay ? { ...values, end_date: start } : values
}

/** The last day of an all-day event that lasts so long. */
export function lastDay(start: string, duration: number): string {
  if (duration % day !== 0)
    throw new Failure('usage', '--duration: an all-day event lasts whole days', { hint: 'for example: --duration 2d' })
  return shiftWall(start.slice(0, 19), duration - day)
}

/** A date of an event that is moved by so much. */
export function shifted(date: string, shift: number): string {
  const wall = wallInRange(wallMs(date) + shift)
  if (wall !== undefined) return wall
  throw new Failure('usage', `--shift: ${date} cannot move further than the years 1 to 9999`, {
    hint: 'for example: --shift +7d',
  })
}

/** What to type for an event that ends after midnight, if its end got the day of its start; undefined for other ends. */
export function nightHint(start: string, end: string): string | undefined {
  const nextDay = dayAfter(start.slice(0, 10))
  const minutes = (wallMs(`${nextDay} ${end.slice(11, 19)}`) - wallMs(start.slice(0, 19))) / 60_000
  if (start.slice(0, 10) !== end.slice(0, 10) || minutes > longestNight) return undefined
  const length = minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`
  return `if it ends on the next day: --end-date "${nextDay} ${end.slice(11, 16)}" or --duration ${length}`
}

const longestNight = 12 * 60

/** The required fields that a new record lacks: the end of an event may follow from its length, or from lasting all day. */
export const missingFields = (resource: Resource, values: Values, duration?: number): string[] =>
  resource.required.filter(
    name => values[name] === undefined && !(name === 'end_date' && (duration !== undefined || values.all_day === true)),
  )

interface RequestedChange {
  readonly values: Values
  readonly shift?: number | undefined
  readonly keepInstant?: boolean | undefined
}

interface Wording {
  readonly notice: (text: string) => Promise<void>
  readonly fieldLabel?: ((field: string) => string) | undefined
}

/** The first and last second of a day, which services answer for an all-day event. */
const times = { start_date: '00:00:00', end_date: '23:59:59' } as const

type End = keyof typeof times

/**
 * The dates of a change of an all-day event as whole days. A service drops their times without a word, and a start or end that
 * passes midnight moves it by a day: such a change is refused, unless the same change makes the event an all-day one.
 */
export async function asWholeDays(
  before: Answer | undefined,
  change: RequestedChange,
  dated: Values,
  { notice, fieldLabel = asOption }: Wording,
): Promise<Values> {
  const { all_day: wanted } = change.values
  if (wanted === false || (wanted !== true && before?.all_day !== true)) return dated
  const { shift = 0, keepInstant } = change
  const hint = wholeDaysHint(fieldLabel)
  if (shift % day !== 0) throw refusal(before, 'it moves by whole days only', 'for example: --shift +1d')
  if (keepInstant)
    throw refusal(before, 'it has days and no instant to keep', 'leave out --keep-instant: the days stay the same')
  const days: Record<string, unknown> = { ...dated }
  for (const [name, time] of Object.entries(times) as [End, string][]) {
    if (!(name in change.values)) continue
    const wall = String(dated[name]).slice(0, 19)
    const typed = wall.slice(11)
    const isDay = typed === '00:00:00' || typed === time
    if (!isDay && wanted !== true)
      throw refusal(before, `${fieldLabel(name)} cannot have the time ${shown(typed)}`, hint)
    if (!isDay) await notice(`an all-day event has no times: left out ${shown(typed)} of ${fieldLabel(name)}`)
    days[name] = `${wall.slice(0, 10)} ${time}`
  }
  return days
}

const refusal = (before: Answer | undefined, reason: string, hint: string): Failure =>
  new Failure('usage', `${before ? `event ${before.id}` : 'the event'} lasts all day: ${reason}`, { hint })

const wholeDaysHint = (label: (field: string) => string): string =>
  label === asOption
    ? 'give a date without a time; or make it an event with times: --no-all-day'
    : `give dates without times; or make it an event with times: ${label('all_day')} false`

const shown = (time: string): string => time.replace(/:00$/, '')
