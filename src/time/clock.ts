import { earliest, latest, msWall, wallMs } from './dates.ts'
import { offsetAt, offsetsOf } from './offset.ts'

/** The wall time, `YYYY-MM-DD HH:MM:SS`, in a zone at a moment in ms. */
export const wallAt = (ms: number, zone: string): string => wallOf(ms + offsetAt(ms, zone))

/** As `msWall`, but never before the year 1 or after 9999. */
export const wallOf = (ms: number): string => msWall(Math.min(Math.max(ms, earliest), latest))

/**
 * The UTC wall time of a wall time in a zone, both `YYYY-MM-DD HH:MM:SS`: of a time that clocks skip the one after, of a time
 * that comes twice the second.
 */
export const utcOf = (wall: string, zone: string): string => wallOf(wallMs(wall) - offsetsOf(wall, zone).later)
