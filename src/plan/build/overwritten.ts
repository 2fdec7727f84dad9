import type { Client } from '../../client/client.ts'
import { documentedNamespace, resourceNamed } from '../../contract/contract.ts'
import { foldText } from '../../text/normalize.ts'
import type { Step } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'

/** So many names are told. */
const told = 5

/**
 * Which venues and organizers would be written over others of their names: at sites that keep one of a name, as The Events
 * Calendar does. One sentence each.
 */
export async function overwriteNotes(client: Client, reader: SiteReader, steps: Iterable<Step>): Promise<string[]> {
  if (client.namespace === documentedNamespace) return []
  const notes: string[] = []
  for (const name of ['venues', 'organizers'] as const) {
    const { singular, title } = resourceNamed(name)
    const seen = new Set<string>()
    const doubles = new Set<string>()
    for (const { action, resource, language = client.language, values } of steps) {
      if (action !== 'create' || resource !== name) continue
      const called = String(values[title])
      const there = await reader.readList({ resource: resourceNamed(name), language })
      const key = `${language ?? ''} ${foldText(called)}`
      if (seen.has(key) || there.byName(called).length > 0) doubles.add(called)
      seen.add(key)
    }
    const names = [...doubles].slice(0, told).map(called => JSON.stringify(called))
    const more = doubles.size > told ? ` and ${doubles.size - told} more` : ''
    if (names.length > 0)
      notes.push(
        `${client.site} keeps one ${singular} of a name, and writes others over it: ${names.join(', ')}${more}`,
      )
  }
  return notes
}
