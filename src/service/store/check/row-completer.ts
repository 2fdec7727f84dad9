import { fromUtc, toUtc, wallAt } from '../../../base/time/zone.ts'
import type { EventRow, OrganizerRow, Site, VenueRow } from '../rows.ts'
import type { Mistakes } from './columns.ts'

/** Fills in what a record of an edited file leaves out, and computes what depends on it. */
export interface RowCompleter {
  post<R extends EventRow | VenueRow | OrganizerRow>(row: R): R
  event(row: EventRow, path: string): EventRow
}

/** Completes records of a site at a moment, which stands for when they were published if they do not say it. */
export function createRowCompleter(site: Site, now: Date, mistakes: Mistakes): RowCompleter {
  const wallNow = wallAt(now.getTime(), site.timezone)

  /** A UTC time that agrees stays as it is: of a wall time that occurs twice, it tells which one it is. */
  const utcOf = cached((wall: string, utc: string, zone: string) =>
    utc !== '' && fromUtc(utc, zone) === wall ? utc : toUtc(wall, zone),
  )
  const publishedUtc = (wall: string, utc: string) => (isNever(utc) ? utc : utcOf(wall, utc, site.timezone))

  return {
    post(row) {
      const date = row.date || wallNow
      const modified = row.modified || date
      return {
        ...row,
        date,
        date_utc: publishedUtc(date, row.date_utc),
        modified,
        modified_utc: publishedUtc(modified, row.modified_utc),
      }
    },
    event(row, path) {
      const timezone = row.timezone || site.timezone
      const start_date = row.all_day ? `${row.start_date.slice(0, 10)} 00:00:00` : row.start_date
      const end_date = row.all_day ? `${row.end_date.slice(0, 10)} 23:59:59` : row.end_date
      const utc_start_date = utcOf(start_date, row.utc_start_date, timezone)
      const utc_end_date = utcOf(end_date, row.utc_end_date, timezone)
      if (utc_end_date < utc_start_date)
        mistakes.add(`${path}.end_date`, `${end_date} is before the start, ${start_date}`)
      return { ...row, timezone, start_date, end_date, utc_start_date, utc_end_date }
    },
  }
}

const isNever = (utc: string) => utc.startsWith('0000')

/** Many events share their dates, and time zones are slow. */
function cached(work: (wall: string, utc: string, zone: string) => string): typeof work {
  const results = new Map<string, string>()
  return (wall, utc, zone) => {
    const key = `${wall} ${utc} ${zone}`
    const answer = results.get(key) ?? work(wall, utc, zone)
    results.set(key, answer)
    return answer
  }
}
