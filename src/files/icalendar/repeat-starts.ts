import { Failure } from '../../failure.ts'
import { msWall, wallMs } from '../../time/dates.ts'
import { instantsOf } from '../../time/zone.ts'
import { type Following, follow, isEndless, WrongRule, wholeDay } from './rrule.ts'

/** How far a series goes, beside what its rule says. All times are wall times, `YYYY-MM-DD HH:MM:SS`. */
export interface SeriesOptions extends Following {
  /** Days, or moments, on which it does not take place. */
  readonly except?: readonly string[]
  /** How long each event lasts, in ms. */
  readonly length?: number
}

const example = 'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231'

/**
 * The starts of a series as single events: `FREQ=WEEKLY;COUNT=10` from a start on. The wall time stays the same when clocks
 * change. Throws `usage` for a rule that cannot be read, has no end, or does not begin with the start, for days left out that
 * are none of its own, and for hours that clocks skip or repeat.
 */
export function occurrences(start: string, rule: string, options: SeriesOptions = {}): string[] {
  const { until, except = [] } = options
  if (until !== undefined && wholeDay(until) < start)
    throw new Failure('usage', `--repeat-until ${until} is before the start, ${start}`, {
      hint: 'give the last day of the series, or end the rule with COUNT',
    })
  const starts = startsOf(start, rule, options)
  const [first] = starts
  if (first !== start)
    throw new Failure('usage', `"${rule}" does not fall on the start, ${start}`, {
      hint: first ? `its first date is ${first}` : 'it falls on no date at all',
    })
  checkExcepted(starts, except)
  const kept = starts.filter(start => !except.some(excluded => start.startsWith(excluded)))
  if (kept.length === 0)
    throw new Failure('usage', '--except leaves nothing of the series', { hint: 'leave some of its dates in' })
  checkClocks(kept, options)
  return kept
}

function startsOf(start: string, rule: string, options: Following): readonly string[] {
  try {
    if (options.until === undefined && isEndless(rule))
      throw new Failure('usage', `"${rule}" has no end`, { hint: 'add COUNT or UNTIL to the rule, or --repeat-until' })
    return follow(start, rule, options).starts
  } catch (error) {
    if (error instanceof WrongRule) throw new Failure('usage', `--repeat: ${error.message}`, { hint: example })
    throw error
  }
}

/** A day that is none of the series is most likely a wrong one. */
function checkExcepted(starts: readonly string[], except: readonly string[]): void {
  const stray = except.find(excluded => !starts.some(start => start.startsWith(excluded)))
  if (stray === undefined) return
  const far = (start: string) => Math.abs(wallMs(start) - wallMs(`${stray} 00:00:00`.slice(0, 19)))
  const nearest = starts.toSorted((one, other) => far(one) - far(other)).slice(0, 2)
  const shown = nearest.toSorted().map(start => start.slice(0, stray.length))
  throw new Failure('usage', `--except: nothing of the series is on ${stray}`, {
    hint: `the nearest of its dates: ${shown.join(', ')}`,
  })
}

function checkClocks(starts: readonly string[], { timezone, length = 0 }: SeriesOptions): void {
  if (timezone === undefined) return
  for (const start of starts)
    for (const wall of new Set([start, msWall(wallMs(start) + length)])) {
      const { earlier, later, exists } = instantsOf(wall, timezone)
      if (earlier === later) continue
      const what = exists ? 'comes twice' : 'does not exist'
      throw new Failure('usage', `${wall.slice(0, 16)} ${what} in ${timezone}: clocks change`, {
        hint: `leave it out with: --except ${start.slice(0, 10)}`,
      })
    }
}
