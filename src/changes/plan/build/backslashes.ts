import { isObject } from '../../../base/text/json.ts'
import { counted } from '../../../base/text/words.ts'
import type { Client } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { isApplied } from '../../../contract/three-way-merge.ts'
import type { MatchedRecord } from './matched-records.ts'

const hasBackslash = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasBackslash)
  return isObject(value) ? Object.values(value).some(hasBackslash) : typeof value === 'string' && value.includes('\\')
}

/** A text, or the names of linked records, as the site keeps them. */
function keptBySite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keptBySite)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, keptBySite(one)]))
  return typeof value === 'string' ? value.replace(/\\(.?)/gs, '$1') : value
}

/**
 * Texts of feeds without the backslashes that The Events Calendar drops on every write, so that what was written once is the
 * same the next time. A backslash that the site has already, by its own editor, stays.
 */
export function createBackslashes({ capabilities, calendar }: Client) {
  let dropped = 0
  return {
    withoutBackslashes(matched: MatchedRecord): MatchedRecord {
      const { record, before } = matched
      if (capabilities.keepsBackslashes || record.numbersAreNames !== true) return matched
      const { fields } = resourceNamed(record.resource)
      const values: Record<string, unknown> = { ...record.values }
      for (const [name, text] of Object.entries(record.values)) {
        const field = fields[name]
        if (!field || !hasBackslash(text)) continue
        if (before && isApplied(name, field, text, before)) continue
        const kept = keptBySite(text)
        values[name] = kept
        // The records that an existing one links to are known by their IDs, not by their names.
        if (!before || (typeof kept === 'string' && !isApplied(name, field, kept, before))) dropped += 1
      }
      return { ...matched, record: { ...record, values } }
    },
    notes: (): string[] =>
      dropped > 0 ? [`${calendar.label} drops backslashes: left them out of ${counted(dropped, 'text')}`] : [],
  }
}
