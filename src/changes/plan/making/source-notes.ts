import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { lostSources } from '../../../client/adapters/lost-sources.ts'
import type { Client } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { fieldOfRecord } from '../names.ts'
import type { Step } from '../plan.ts'

const mostNamed = 5

/**
 * A sentence about texts that steps replace although the site does not show their source; none if there are no such texts: `this replaces
 * blocks or shortcodes that … does not show, and an undo will not bring them back: description of event 12 (row 3)`.
 */
export function sourceNotes(client: Client, steps: Iterable<Step>): string[] {
  const texts: string[] = []
  for (const { resource: name, id, before, values, at } of steps) {
    const resource = resourceNamed(name)
    for (const field of before ? lostSources(client, resource, before, values) : [])
      texts.push(fieldOfRecord(field, name, `${id}${at ? ` (${at})` : ''}`))
  }
  if (texts.length === 0) return []
  return [
    phrase('this replaces blocks or shortcodes that {calendar} does not show, and undo cannot restore them: {texts}', {
      calendar: client.calendar.label,
      texts: listOfFirst(texts, mostNamed),
    }),
  ]
}
