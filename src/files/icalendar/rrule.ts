import { RRuleTemporal } from 'rrule-temporal'
import { readDate, wallMs } from '../../time/dates.ts'
import { fromUtc } from '../../time/zone.ts'

/** A rule that cannot be followed, and what was expected in its place. */
export class WrongRule extends Error {
  constructor(
    readonly expected: string,
    readonly rule: string,
  ) {
    super(`expected ${expected}, got "${rule}"`)
  }
}

/** More than this is no series that anybody keeps in a calendar. */
const mostOccurrences = 10_000
const tooMany = `a rule of at most ${mostOccurrences} dates`

/** How far a rule is followed. */
export interface Following {
  /** The last wall time at which an occurrence may start; a day alone is meant whole. */
  readonly until?: string
  /** Of an endless rule, the day before which nothing is asked for. */
  readonly from?: string
  /** The zone in which the wall times are, for an UNTIL in UTC. */
  readonly timezone?: string
}

/** What a rule gives: wall times, whether there are more of them later, and how many where the rule says so. */
export interface Followed {
  readonly starts: readonly string[]
  readonly goesOn: boolean
  readonly left?: number
  /** How many come before the day that was asked for; not known of too many. */
  readonly skipped?: number
}

/** The wall times that a recurrence rule gives from a start on, the same when clocks change; throws `WrongRule`. */
export function follow(start: string, rule: string, { until, timezone, from }: Following): Followed {
  const parts = partsOf(rule)
  if (until !== undefined && from !== undefined && start < from && isEndless(rule))
    return within(start, rule, { from, until })
  const last = until === undefined ? undefined : wholeDay(until)
  const starts: string[] = []
  let goesOn = false as boolean
  try {
    seriesOf(start, withWallUntil(bare(rule), timezone)).all(date => {
      const wall = wallOf(date)
      // Years after 9999 begin with a plus.
      goesOn = wall.startsWith('+') || (last !== undefined && wall > last)
      if (!goesOn) starts.push(wall)
      return !goesOn && starts.length <= mostOccurrences
    })
  } catch (error) {
    if (!isEndlessWalk(error)) throw new WrongRule(aRule, rule)
    if (starts.length === 0) throw new WrongRule('a rule that falls on a date', rule)
    throw new WrongRule('a rule that comes to its end', rule)
  }
  if (starts.length > mostOccurrences) throw new WrongRule(tooMany, rule)
  if (goesOn && last === undefined) throw new WrongRule('a rule that ends before the year 10000', rule)
  const count = parts.get('COUNT')
  return { starts, goesOn, ...(goesOn && count !== undefined && { left: Number(count) - starts.length }) }
}

/** What an endless rule gives of some days, without a walk through all that comes before them. */
function within(start: string, rule: string, { from, until }: { from: string; until: string }): Followed {
  const first = `${from} 00:00:00`
  try {
    const series = seriesOf(start, bare(rule))
    const starts = between(series, first, wholeDay(until))
    if (starts.length > mostOccurrences) throw new WrongRule(tooMany, rule)
    return { starts, goesOn: true, ...skippedIn(series, start, first) }
  } catch (error) {
    if (error instanceof WrongRule) throw error
    throw new WrongRule(isEndlessWalk(error) ? tooMany : aRule, rule)
  }
}

function skippedIn(series: RRuleTemporal, start: string, first: string): Pick<Followed, 'skipped'> {
  try {
    return { skipped: between(series, start, first).filter(wall => wall < first).length }
  } catch (error) {
    if (isEndlessWalk(error)) return {}
    throw error
  }
}

const between = (series: RRuleTemporal, first: string, last: string): string[] =>
  series.between(new Date(wallMs(first)), new Date(wallMs(last)), true).map(wallOf)

const isEndlessWalk = (error: unknown): boolean => /maximum iterations/i.test((error as Error).message)

const wallOf = (date: { toString(): string }): string => date.toString().slice(0, 19).replace('T', ' ')

/** Whether a rule says nothing of its end; throws `WrongRule`. */
export function isEndless(rule: string): boolean {
  const parts = partsOf(rule)
  return !parts.has('COUNT') && !parts.has('UNTIL')
}

/** A day alone is meant to its last second. */
export const wholeDay = (until: string): string => (until.length === 10 ? `${until} 23:59:59` : until)

/** Wall times are counted as if they were UTC, which knows no change of clocks. */
const seriesOf = (start: string, rule: string): RRuleTemporal =>
  new RRuleTemporal({
    rruleString: `DTSTART:${compact(start)}Z\nRRULE:${rule}`,
    maxIterations: 10 * mostOccurrences,
    cache: false,
    strict: true,
  })

const aRule = 'a rule such as FREQ=WEEKLY;COUNT=10'

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY']

const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text)

/** What the library takes in silence, or refuses in its own words. */
const checks: readonly (readonly [string, (text: string) => boolean, string])[] = [
  ['FREQ', text => frequencies.includes(text), `FREQ to be one of ${frequencies.join(', ')}`],
  ['COUNT', isCount, 'COUNT to be 1 or more'],
  ['INTERVAL', isCount, 'INTERVAL to be 1 or more'],
  ['UNTIL', text => untilIn(text) !== undefined, 'UNTIL to be a date such as 20271231'],
]

function partsOf(rule: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of bare(rule).split(';')) {
    const [, name, value] = /^([A-Z-]+)=(.+)$/.exec(part.trim()) ?? []
    if (name && value) parts.set(name, value)
    else if (part.trim() !== '') throw new WrongRule(aRule, rule)
  }
  if (!parts.has('FREQ')) throw new WrongRule(aRule, rule)
  for (const [name, isRight, expected] of checks) {
    const value = parts.get(name)
    if (value !== undefined && !isRight(value)) throw new WrongRule(expected, rule)
  }
  return parts
}

const bare = (rule: string): string =>
  rule
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()

const compact = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')

/** The wall time that an UNTIL means, and whether it is one of UTC; a day is meant whole. */
function untilIn(text: string): { wall: string; isUtc: boolean } | undefined {
  const [, year, month, day, hour = '23', minute = '59', second = '59', utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text) ?? []
  const wall = readDate(`${year}-${month}-${day} ${hour}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : { wall, isUtc: utc === 'Z' }
}

const withWallUntil = (rule: string, timezone: string | undefined): string =>
  rule.replace(/UNTIL=([^;]+)/, (part, text) => {
    const until = untilIn(text)
    if (!until) return part
    return `UNTIL=${compact(until.isUtc && timezone ? fromUtc(until.wall, timezone) : until.wall)}Z`
  })
