import { type CalendarFile, unpackAll } from '../layout.ts'
import type { Site } from '../rows.ts'
import type { Snapshot } from '../store.ts'
import { sequenceOf } from '../tables.ts'

interface CheckOptions {
  readonly now: () => Date
  readonly site: Partial<Site>
}

/** The calendar that an edited file says. */
export function checkCalendar(_file: string, data: object, { site }: CheckOptions): { site: Site; start: Snapshot } {
  const ours = data as CalendarFile
  const rows = unpackAll(ours)
  return { site: { ...ours.site, ...site }, start: { rows, sequence: sequenceOf(rows) } }
}
