import type { Client } from '../../client/client.ts'
import { documentedNamespace, resourceNamed } from '../../contract/contract.ts'
import { decodeEntities } from '../../text/normalize.ts'
import { listOf } from '../../text/words.ts'
import type { Step } from '../plan.ts'

const mostNamed = 5

/**
 * A sentence about the categories and tags that steps delete where nobody can list hidden events: which of those have them, no undo
 * can know. Doubles keep those that nobody can move. Undefined if there are none, or if the site shows hidden events.
 */
export async function hiddenLinksNote(client: Client, steps: Iterable<Step>): Promise<string | undefined> {
  if (client.calendar.baseUrl === undefined || client.namespace === documentedNamespace) return undefined
  const names: string[] = []
  let language: Step['language']
  let areDoubles = false
  for (const step of steps) {
    const { singular, trashable, title } = resourceNamed(step.resource)
    const isDouble = step.into !== undefined && step.resource !== 'events'
    if (!isDouble && (step.action !== 'delete' || trashable)) continue
    areDoubles ||= isDouble
    names.push(`${singular} ${JSON.stringify(decodeEntities(String(step.before?.[title] ?? step.id)))}`)
    language ??= step.language
  }
  if (names.length === 0 || (await showsHidden(client, language))) return undefined
  const others = names.length - mostNamed
  const named = listOf([...names.slice(0, mostNamed), ...(others > 0 ? [`${others} more`] : [])])
  const consequence = areDoubles ? `those of ${named} cannot be moved` : `an undo will not give them back ${named}`
  return `${client.calendar.label} does not show hidden events here: ${consequence}`
}

async function showsHidden(client: Client, language: Step['language']): Promise<boolean> {
  const wordpress = await client.wordpress(language)
  return (await wordpress?.isOpen(resourceNamed('events'))) === true
}
