import type { Values } from '../../client/client.ts'
import type { Answer } from '../../contract/resource.ts'
import { type DateText, momentOf, readDate, wallMs } from '../../time/dates.ts'
import { momentIn, wallAt } from '../../time/zone.ts'

const ends = ['start_date', 'end_date'] as const

/** A date that has an offset, and so is an instant. */
function dateWithOffset(values: Values, name: string): DateText | undefined {
  const date = readDate(String(values[name] ?? ''))
  return date?.offset === undefined ? undefined : date
}

/** An event's values with start and end as wall times of its zone, whether they have an offset or not. */
export function withWallTimes(values: Values, defaultZone: string): Values {
  const zone = String(values.timezone || defaultZone)
  const result: Record<string, unknown> = { ...values }
  for (const name of ends) {
    const date = dateWithOffset(values, name)
    if (date) result[name] = wallAt(momentOf(date), zone)
  }
  return result
}

/** The same, but with the instant of a wall time that occurs twice where the offset means the second one. */
export function withInstants(values: Values, defaultZone: string): Values {
  const zone = String(values.timezone || defaultZone)
  const result: Record<string, unknown> = { ...withWallTimes(values, defaultZone) }
  for (const name of ends) {
    const date = dateWithOffset(values, name)
    if (date && momentIn(String(result[name]), zone) !== momentOf(date)) result[name] = momentOf(date)
  }
  return result
}

/** Whether an event starts and ends at the instants in these values; wall times without an offset match any. */
export const isAtInstants = (event: Answer, values: Values): boolean =>
  ends.every(name => {
    const date = dateWithOffset(values, name)
    return !date || momentOf(date) === wallMs(String(event[`utc_${name}`]))
  })
