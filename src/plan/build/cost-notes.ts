import type { Client } from '../../client/client.ts'
import { hasNoAmount, losesCurrency } from '../../contract/site-cost.ts'
import { listOfFirst, nounFor } from '../../text/words.ts'
import type { Step } from '../plan.ts'

const mostNamed = 3

/** Sentences about costs that a site keeps, and shows otherwise than one may think. */
export function createCostNotes({ capabilities, calendar }: Client) {
  const foreign = new Map<string, string>()
  const words = new Map<string, string>()
  return {
    add({ resource, values: { cost }, at }: Step): void {
      if (resource !== 'events' || typeof cost !== 'string') return
      const shown = `${JSON.stringify(cost)}${at ? ` (${at})` : ''}`
      if (hasNoAmount(cost)) words.set(cost, words.get(cost) ?? shown)
      else if (!capabilities.keepsCurrencies && losesCurrency(cost)) foreign.set(cost, foreign.get(cost) ?? shown)
    },
    notes(): string[] {
      const notes: string[] = []
      if (words.size > 0) notes.push(`${nounFor(words.size, 'a cost has', 'costs have')} no amount: ${named(words)}`)
      if (foreign.size > 0)
        notes.push(
          `${calendar.label} shows ${named(foreign)} in its own currency; it keeps another one only of a single amount with a decimal point, such as 12.50 €`,
        )
      return notes
    },
  }
}

const named = (costs: ReadonlyMap<string, string>): string => listOfFirst([...costs.values()], mostNamed, 'other')
