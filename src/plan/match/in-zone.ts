import type { Values } from '../../client/client.ts'
import type { Answer } from '../../contract/resource.ts'
import { type DateText, momentOf, readDate, wallMs } from '../../time/dates.ts'
import { momentIn, wallAt } from '../../time/zone.ts'

const ends = ['start_date', 'end_date'] as const

/** A date of an event that has an offset. */
function instantOf(values: Values, name: string): DateText | undefined {
  const date = readDate(String(values[name] ?? ''))
  return date?.offset === undefined ? undefined : date
}

/** An event's values with both ends as the wall time of its zone, whether they have an offset or not. */
export function withWallTimes(values: Values, otherwise: string): Values {
  const zone = String(values.timezone || otherwise)
  const walls = ends.map(name => {
    const date = instantOf(values, name)
    return [name, date ? wallAt(momentOf(date), zone) : values[name]]
  })
  return { ...values, ...Object.fromEntries(walls.filter(([, value]) => value !== undefined)) }
}

/** As `inZone`, but that of a time that comes twice the first and the second differ. */
export function withInstants(values: Values, otherwise: string): Values {
  const zone = String(values.timezone || otherwise)
  const there: Record<string, unknown> = { ...withWallTimes(values, otherwise) }
  for (const name of ends) {
    const date = instantOf(values, name)
    if (date && momentIn(String(there[name]), zone) !== momentOf(date)) there[name] = momentOf(date)
  }
  return there
}

/** Whether an event is at the instants that these values say; a wall time says none. */
export const isAtInstants = (event: Answer, values: Values): boolean =>
  ends.every(name => {
    const date = instantOf(values, name)
    return !date || momentOf(date) === wallMs(String(event[`utc_${name}`]))
  })
