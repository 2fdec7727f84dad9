import { wrongValue } from '../../failure.ts'
import { readDate } from '../../time/dates.ts'

/** Reads the day of an option as `YYYY-MM-DD`, or its wall time as `YYYY-MM-DD HH:MM:SS`; throws `usage`. */
export function readWall(flag: string, text: string): string {
  const date = readDate(text)
  if (!date || date.offset !== undefined) throw wrongValue(flag, 'a day, or a day and a time', text, '2026-12-25')
  return date.dayOnly ? date.wall.slice(0, 10) : date.wall
}
