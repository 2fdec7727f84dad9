import { type CalendarName, isFrom } from '../../client/origin.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { slugOf } from '../../contract/slug.ts'
import type { FileRecord } from '../../files/records/file-record.ts'

/** A record as it can be meant at a site: slugs as services write them, and IDs that are another site's left out. */
export function normalizeRecord(record: FileRecord, calendar: CalendarName): FileRecord {
  const named = withSlug(record)
  if (record.origin === undefined || isFrom(record.origin, calendar)) return named
  const { id: _, ...others } = named
  const { fields } = resourceNamed(record.resource)
  const values = Object.entries(named.values).filter(
    ([name, value]) => name !== 'author' && !(fields[name]?.kind === 'image' && /^\d+$/.test(String(value))),
  )
  return { ...others, values: Object.fromEntries(values) }
}

/** A slug that is written otherwise would not be found again. */
function withSlug(record: FileRecord): FileRecord {
  const { slug = record.values.slug, values, mistakes } = record
  if (typeof slug !== 'string' || slug.trim() === '' || slugOf(slug) === slug) return record
  const written = slugOf(slug)
  if (written === '' && record.action === 'ignore') return record
  if (written === '')
    return {
      ...record,
      mistakes: [...mistakes, { column: 'slug', expected: 'a slug: letters, digits, hyphens', value: slug }],
    }
  return record.slug === undefined ? { ...record, values: { ...values, slug: written } } : { ...record, slug: written }
}
