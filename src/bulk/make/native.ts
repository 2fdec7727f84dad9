import { resourceNamed } from '../../contract/contract.ts'
import type { FileRecord } from '../../files/record.ts'

/** A record as it can be meant at a site: IDs that are another site's are left out. */
export function native(record: FileRecord, origin: string): FileRecord {
  if (record.origin === undefined || record.origin === origin) return record
  const { id: _, ...others } = record
  const { fields } = resourceNamed(record.resource)
  const values = Object.entries(record.values).filter(
    ([name, value]) => name !== 'author' && !(fields[name]?.kind === 'image' && /^\d+$/.test(String(value))),
  )
  return { ...others, values: Object.fromEntries(values) }
}
