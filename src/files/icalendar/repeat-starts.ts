import { Failure } from '../../failure.ts'
import { msWall, wallMs } from '../../time/dates.ts'
import { unclearInstants } from '../../time/zone.ts'
import { type ExpandOptions, endOfDay, expandRule, isEndless, untilIn } from './rrule.ts'
import { InvalidRule } from './rule-parts.ts'

/** The options of `create --repeat`. All times are wall times, `YYYY-MM-DD HH:MM:SS`. */
export interface RepeatOptions extends Pick<ExpandOptions, 'until'> {
  /** The zone of the wall times, needed for an UNTIL in UTC. */
  readonly timezone?: string
  /** Days or wall times to leave out. */
  readonly except?: readonly string[]
  /** The duration of each event, in ms. */
  readonly length?: number
}

const example = 'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231'

/**
 * The wall times at which the events of `create --repeat RULE` start. Throws `usage` for a rule that is invalid, has no end or
 * does not include the start, for an exception that matches no date, and for hours that clocks skip or repeat.
 */
export function repeatStarts(start: string, rule: string, options: RepeatOptions = {}): string[] {
  const { until, except = [] } = options
  if (until !== undefined && endOfDay(until) < start)
    throw new Failure('usage', `--repeat-until ${until} is before the start, ${start}`, {
      hint: 'give the last day of the series, or end the rule with COUNT',
    })
  const starts = expandOrFail(start, rule, options)
  const [first] = starts
  if (first !== start)
    throw new Failure('usage', `the rule "${rule}" does not match the start, ${start}`, {
      hint: first ? `its first date is ${first}` : 'it matches no date',
    })
  checkExceptions(starts, except)
  const remaining = starts.filter(start => !except.some(excluded => start.startsWith(excluded)))
  if (remaining.length === 0)
    throw new Failure('usage', '--except removes every date of the series', { hint: 'keep at least one date' })
  checkClockChanges(remaining, options)
  return remaining
}

function expandOrFail(start: string, rule: string, options: RepeatOptions): readonly string[] {
  try {
    if (options.until === undefined && isEndless(rule))
      throw new Failure('usage', `the rule "${rule}" has no end`, {
        hint: 'add COUNT or UNTIL to the rule, or --repeat-until',
      })
    return expandRule(start, rule, { ...options, ...untilIn(options.timezone) }).starts
  } catch (error) {
    if (error instanceof InvalidRule) throw new Failure('usage', `--repeat: ${error.message}`, { hint: example })
    throw error
  }
}

/** An exception that matches no date is most likely a typing error. */
function checkExceptions(starts: readonly string[], except: readonly string[]): void {
  const unmatched = except.find(excluded => !starts.some(start => start.startsWith(excluded)))
  if (unmatched === undefined) return
  const moment = wallMs(unmatched.length === 10 ? `${unmatched} 00:00:00` : unmatched)
  const distance = (start: string) => Math.abs(wallMs(start) - moment)
  const nearest = starts.toSorted((one, other) => distance(one) - distance(other)).slice(0, 2)
  const dates = nearest.toSorted().map(start => start.slice(0, unmatched.length))
  throw new Failure('usage', `--except: the series has no date on ${unmatched}`, {
    hint: `nearest dates: ${dates.join(', ')}`,
  })
}

/** The API takes wall times, so that a skipped or repeated hour would end up at a moment that nobody chose. */
function checkClockChanges(starts: readonly string[], { timezone, length = 0 }: RepeatOptions): void {
  if (timezone === undefined) return
  for (const start of starts)
    for (const wall of new Set([start, msWall(wallMs(start) + length)])) {
      const unclear = unclearInstants(wall, timezone)
      if (!unclear) continue
      const problem = unclear.exists ? 'occurs twice' : 'does not exist'
      throw new Failure('usage', `${wall.slice(0, 16)} ${problem} in ${timezone} because clocks change`, {
        hint: `leave it out with: --except ${start.slice(0, 10)}`,
      })
    }
}
