import type { Answer } from '../contract/resource.ts'
import { nearestWall, wallMs } from '../time/dates.ts'
import { type DayRange, isWithin } from '../time/day-range.ts'
import type { Values } from './client.ts'

/** Which records of a resource are meant: what the service selects, and what is checked here, because it has no filter for it. */
export interface Selection {
  readonly filters: Values
  readonly matches?: ((record: Answer) => boolean) | undefined
}

const hour = 3_600_000

/** The farthest that two zones are apart, so that a day of an event can begin that much before or after the site's. */
const zonesApart = 26 * hour

/**
 * Selects the events that are on at least one of these days, by their own clocks. The service, whose filters go by the site's clock,
 * selects a little more.
 */
export function selectDays(range: DayRange): Selection {
  const { first, last } = range
  return {
    filters: {
      strict_dates: true,
      ...(first !== undefined && { ends_after: atMidnight(first, -zonesApart) }),
      ...(last !== undefined && { starts_before: atMidnight(last, 24 * hour + zonesApart) }),
    },
    matches: ({ start_date: start, end_date: end }) => isWithin(String(start), String(end), range),
  }
}

const atMidnight = (day: string, shift: number): string => nearestWall(wallMs(`${day} 00:00:00`) + shift)
