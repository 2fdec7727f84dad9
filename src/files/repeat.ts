import { RRuleTemporal } from 'rrule-temporal'
import { Failure } from '../failure.ts'
import { fromUtc } from '../time/zone.ts'

/** How far a series goes, beside what its rule says. All times are wall times, `YYYY-MM-DD HH:MM:SS`. */
export interface SeriesOptions {
  /** The last moment at which an occurrence may start; a day alone is meant whole. */
  readonly until?: string
  /** Days, or moments, on which it does not take place. */
  readonly except?: readonly string[]
  /** The zone in which the wall times are, for an UNTIL in UTC. */
  readonly timezone?: string
}

/** More than this is no series that anybody keeps in a calendar. */
const mostOccurrences = 10_000

const example = 'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231'

/**
 * The starts of a series as single events: `FREQ=WEEKLY;COUNT=10` from a start on. The wall time stays the same when clocks
 * change. Throws `usage` for a rule that cannot be read, has no end, or does not begin with the start.
 */
export function occurrences(start: string, rule: string, options: SeriesOptions = {}): string[] {
  const { until, except = [] } = options
  if (until === undefined && isEndless(rule))
    throw new Failure('usage', `"${rule}" has no end`, { hint: 'add COUNT or UNTIL to the rule, or --repeat-until' })
  const starts = expand(start, rule, options)
  const [first] = starts
  if (first !== start)
    throw new Failure('usage', `"${rule}" does not fall on the start, ${start}`, {
      hint: first ? `its first date is ${first}` : 'it falls on no date at all',
    })
  return starts.filter(start => !except.some(excluded => start.startsWith(excluded)))
}

/** Whether a rule says nothing of its end. */
export const isEndless = (rule: string): boolean => !/(^|;|:)(COUNT|UNTIL)=/i.test(rule)

/** The wall times that a recurrence rule gives from a start on; throws `usage`. */
export function expand(start: string, rule: string, { until, timezone }: SeriesOptions): string[] {
  const last = until?.length === 10 ? `${until} 23:59:59` : until
  const starts: string[] = []
  try {
    const series = new RRuleTemporal({
      rruleString: `DTSTART:${compact(start)}Z\nRRULE:${withWallUntil(rule, timezone)}`,
      maxIterations: 10 * mostOccurrences,
      cache: false,
      strict: true,
    })
    series.all(date => {
      const wall = date.toString().slice(0, 19).replace('T', ' ')
      if (last !== undefined && wall > last) return false
      starts.push(wall)
      return starts.length <= mostOccurrences
    })
  } catch (error) {
    throw new Failure('usage', `"${rule}" cannot be followed: ${(error as Error).message}`, { hint: example })
  }
  if (starts.length > mostOccurrences)
    throw new Failure('usage', `"${rule}" has more than ${mostOccurrences} dates`, {
      hint: 'end it earlier, with COUNT, UNTIL or --repeat-until',
    })
  return starts
}

const compact = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')

/** Wall times are counted as if they were UTC, which knows no change of clocks; so the rule's end has to be one, too. */
function withWallUntil(rule: string, timezone: string | undefined): string {
  const bare = rule
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
  return bare.replace(/UNTIL=(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?/, (_, year, month, day, ...rest) => {
    const [hour = '23', minute = '59', second = '59', utc] = rest as (string | undefined)[]
    const wall = `${year}-${month}-${day} ${hour}:${minute}:${second}`
    return `UNTIL=${compact(utc && timezone ? fromUtc(wall, timezone) : wall)}Z`
  })
}
