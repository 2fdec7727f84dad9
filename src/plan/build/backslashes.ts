import type { Client } from '../../client/client.ts'
import { wasApplied } from '../../client/compare.ts'
import { documentedNamespace, resourceNamed } from '../../contract/contract.ts'
import { counted } from '../../text/words.ts'
import type { MatchedRecord } from './matched-records.ts'

/**
 * Texts of feeds without the backslashes that The Events Calendar drops on every write, so that what was written once is the
 * same the next time. A backslash that the site has already, by its own editor, stays.
 */
export function createBackslashes({ namespace, calendar }: Client) {
  let dropped = 0
  return {
    withoutBackslashes(matched: MatchedRecord): MatchedRecord {
      const { record, before } = matched
      if (namespace === documentedNamespace || record.numbersAreNames !== true) return matched
      const { fields } = resourceNamed(record.resource)
      const values: Record<string, unknown> = { ...record.values }
      for (const [name, text] of Object.entries(record.values)) {
        const field = fields[name]
        if (!field || typeof text !== 'string' || !text.includes('\\')) continue
        if (before && wasApplied(name, field, text, before)) continue
        const kept = text.replace(/\\(.?)/gs, '$1')
        values[name] = kept
        if (!before || !wasApplied(name, field, kept, before)) dropped += 1
      }
      return { ...matched, record: { ...record, values } }
    },
    notes: (): string[] =>
      dropped > 0 ? [`${calendar.label} drops backslashes: left them out of ${counted(dropped, 'text')}`] : [],
  }
}
