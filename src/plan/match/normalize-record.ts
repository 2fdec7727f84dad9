import type { CalendarName } from '../../client/calendar.ts'
import { isFrom } from '../../client/calendar-origin.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { slugOf } from '../../contract/slug.ts'
import type { FileRecord } from '../../files/records/file-record.ts'

/** A record as it can be compared with those of a site: slugs as services write them, and without the IDs of another site. */
export function normalizeRecord(record: FileRecord, calendar: CalendarName): FileRecord {
  const normalized = withNormalizedSlug(record)
  if (record.origin === undefined) return normalized
  if (isFrom(record.origin, calendar)) return record.hasSlugOfFile ? withoutSlug(normalized) : normalized
  if (record.translation) return ofOtherCalendar(record, calendar)
  const { id: _, ...others } = normalized
  const { fields } = resourceNamed(record.resource)
  const isForeignId = (name: string, value: unknown) =>
    name === 'author' || (fields[name]?.kind === 'image' && /^\d+$/.test(String(value)))
  const values = Object.entries(normalized.values).filter(([name, value]) => !isForeignId(name, value))
  return { ...others, values: Object.fromEntries(values) }
}

function withoutSlug(record: FileRecord): FileRecord {
  const { slug, ...values } = record.values
  return { ...record, values }
}

/** A slug in another form would not be found again when the file is applied a second time. */
function withNormalizedSlug(record: FileRecord): FileRecord {
  const { values, mistakes } = record
  const { slug } = values
  if (typeof slug !== 'string' || slug.trim() === '') return record
  const normalized = slugOf(slug)
  if (normalized === slug) return record
  if (normalized === '') {
    if (record.action === 'ignore') return record
    const mistake = { column: 'slug', expected: 'a slug: letters, digits, hyphens', value: slug }
    return { ...record, mistakes: [...mistakes, mistake] }
  }
  return { ...record, values: { ...values, slug: normalized } }
}

/** Translations belong to the records that they were exported from. */
const ofOtherCalendar = (record: FileRecord, { label }: CalendarName): FileRecord => ({
  ...record,
  mistakes: [
    ...record.mistakes,
    {
      column: 'original',
      expected: label,
      value: String(record.origin),
      message: `these texts were exported from ${/^file:/.test(String(record.origin)) ? 'another calendar' : record.origin}, not from ${label}`,
      advice: 'pass -p with the profile of that calendar',
    },
  ],
})
