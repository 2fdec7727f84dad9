import { msWall, wallMs } from '../../time/dates.ts'

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day
const firstMonday = Date.UTC(1970, 0, 5)

/** Its offsets are computed below, because a library for all zones takes longer to load than the whole demo. */
export const demoTimezone = 'Europe/Madrid'

/** Summer time runs from the last Sunday of March to the last of October, each at 01:00 UTC. */
function offsetOf(utcMs: number): number {
  const year = new Date(utcMs).getUTCFullYear()
  const isSummer = utcMs >= lastSunday(year, 2) + hour && utcMs < lastSunday(year, 9) + hour
  return isSummer ? 2 * hour : hour
}

const lastSunday = (year: number, month: number): number => {
  const lastDay = Date.UTC(year, month + 1, 0)
  return lastDay - new Date(lastDay).getUTCDay() * day
}

/** A wall time in Madrid as a wall time in UTC. */
export function madridToUtc(wall: string): string {
  const ms = wallMs(wall)
  return msWall(ms - offsetOf(ms - hour))
}

/** The number of the current week in Madrid, from Monday to Sunday, since 1970. */
export const weekOf = (now: Date): number => Math.floor((now.getTime() + offsetOf(now.getTime()) - firstMonday) / week)

/** The wall time so many days and hours after the start of a week. */
export const wallIn = (weekNumber: number, days: number, hours = 0): string =>
  msWall(firstMonday + weekNumber * week + days * day + hours * hour)
