import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { decodeEntities } from '../../text/escaping.ts'
import { listOfFirst } from '../../text/words.ts'
import { type Step, survivorOf } from '../plan.ts'

const mostNamed = 5

/**
 * What is to be said where nobody can list hidden events: no undo knows which of them had the categories and tags that steps delete, and
 * no merge can move those that link to duplicates. Undefined if it concerns none, or if the site shows hidden events.
 */
export async function hiddenLinksNote(client: Client, steps: Iterable<Step>): Promise<string | undefined> {
  if (client.capabilities.listsHidden) return undefined
  const duplicates: string[] = []
  const deleted: string[] = []
  let language: Step['language']
  for (const step of steps) {
    const { singular, trashable, title } = resourceNamed(step.resource)
    const isDuplicate = survivorOf(step) !== undefined && step.resource !== 'events'
    if (!isDuplicate && (step.action !== 'delete' || trashable)) continue
    const name = `${singular} ${JSON.stringify(decodeEntities(String(step.before?.[title] ?? step.id)))}`
    ;(isDuplicate ? duplicates : deleted).push(name)
    language ??= step.language
  }
  if (duplicates.length + deleted.length === 0 || (await showsHidden(client, language))) return undefined
  const consequences = [
    ...(duplicates.length > 0 ? [`those of ${listOfFirst(duplicates, mostNamed)} cannot be moved`] : []),
    ...(deleted.length > 0 ? [`an undo will not give them back ${listOfFirst(deleted, mostNamed)}`] : []),
  ]
  return `${client.calendar.label} does not show hidden events here: ${consequences.join(', and ')}`
}

async function showsHidden(client: Client, language: Step['language']): Promise<boolean> {
  const wordpress = await client.wordpress(language)
  return (await wordpress?.isOpen(resourceNamed('events'))) === true
}
