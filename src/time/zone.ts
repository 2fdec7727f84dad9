import { msWall, nearestWall, wallMs } from './dates.ts'
import { offsetAt, offsetsOf, offsetText } from './offset.ts'

/**
 * The moment, in ms, of a wall time in a zone. A time that a change to summer time skips is moved forward; of a time that occurs
 * twice the second is meant.
 */
export const momentIn = (wall: string, zone: string): number => wallMs(wall) - offsetsOf(wall, zone).later

/** The wall time, `YYYY-MM-DD HH:MM:SS`, in a zone at a moment in ms. */
export const wallAt = (ms: number, zone: string): string => nearestWall(ms + offsetAt(ms, zone))

/** The UTC wall time of a wall time in a zone, as `momentIn`; both `YYYY-MM-DD HH:MM:SS`. */
export const toUtc = (wall: string, zone: string): string => nearestWall(momentIn(wall, zone))

/** The wall time in a zone of a UTC wall time; both `YYYY-MM-DD HH:MM:SS`. */
export const fromUtc = (utc: string, zone: string): string => wallAt(wallMs(utc), zone)

/** The two instants, as ISO with their offsets, that a wall time can mean; the same one on all days but those when clocks change. */
export function instantsOf(wall: string, zone: string): { earlier: string; later: string; exists: boolean } {
  const { earlier, later, exists } = offsetsOf(wall, zone)
  const instant = (offset: number) => isoAt(wallMs(wall) - offset, zone)
  return { earlier: instant(earlier), later: instant(later), exists }
}

/** `2026-12-05T19:00+01:00` */
const isoAt = (ms: number, zone: string): string => {
  const offset = offsetAt(ms, zone)
  return `${msWall(ms + offset)
    .slice(0, 16)
    .replace(' ', 'T')}${offsetText(offset)}`
}
