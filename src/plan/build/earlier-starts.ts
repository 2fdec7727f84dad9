import { resourceNamed } from '../../contract/contract.ts'
import { decodeEntities } from '../../text/escaping.ts'
import { listOf, nounFor } from '../../text/words.ts'
import type { DayRange } from '../../time/day-range.ts'
import type { Plan, Step } from '../plan.ts'

const mostNamed = 5

/**
 * A plan for the events of some days, with a note of those that began before: a query for Saturday includes exhibitions already running,
 * which are rarely meant. `concerns` tells the steps of that selection from others of the plan.
 */
export function withEarlierStarts(
  plan: Plan,
  days: DayRange | undefined,
  concerns: (step: Step) => boolean = () => true,
): Plan {
  const first = days?.first
  if (first === undefined) return plan
  const named: string[] = []
  let all = 0
  let earlier = 0
  for (const step of plan.steps) {
    const { resource, before, id } = step
    if (resource !== 'events' || !before || !concerns(step)) continue
    all += 1
    if (String(before.start_date).slice(0, 10) >= first) continue
    earlier += 1
    if (named.length < mostNamed)
      named.push(`"${decodeEntities(String(before[resourceNamed(resource).title]))}" (${id})`)
  }
  if (earlier === 0) return plan
  const names = listOf([...named, ...(earlier > mostNamed ? [`${earlier - mostNamed} more`] : [])])
  const these = all === 1 ? 'this event' : `${earlier} of these ${all} events`
  const condition = days?.last === first ? `start_date=${first}` : `'start_date>=${first}'`
  const note = `${these} ${nounFor(earlier, 'begins', 'begin')} before ${first}: ${names}; to leave ${nounFor(earlier, 'it', 'them')} out, add --where ${condition}`
  return { ...plan, notes: [...(plan.notes ?? []), note] }
}
