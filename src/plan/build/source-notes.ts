import type { Client } from '../../client/client.ts'
import { lostSources } from '../../client/rendered-sources.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { listOfFirst } from '../../text/words.ts'
import type { Step } from '../plan.ts'

const mostNamed = 5

/**
 * A sentence about the texts that steps replace although the site does not show what they are made of, none if there are none: `this
 * replaces blocks or shortcodes that … does not show, and an undo will not bring them back: description of event 12 (row 3)`.
 */
export function sourceNotes(client: Client, steps: Iterable<Step>): string[] {
  const texts: string[] = []
  for (const { resource: name, id, before, values, at } of steps) {
    const resource = resourceNamed(name)
    for (const field of before ? lostSources(client, resource, before, values) : [])
      texts.push(`${field} of ${resource.singular} ${id}${at ? ` (${at})` : ''}`)
  }
  if (texts.length === 0) return []
  return [
    `this replaces blocks or shortcodes that ${client.calendar.label} does not show, and an undo will not bring them back: ${listOfFirst(texts, mostNamed)}`,
  ]
}
