import { events } from '../../contract/events.ts'
import type { Write } from '../dialect.ts'
import { slugAfter } from '../slug.ts'
import { blanks } from '../store/blank-rows.ts'
import type { EventRow } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import { publication } from './dates.ts'
import { storedValues } from './stored-values.ts'

/** Writes a new event, or changes what was given of an existing one. Linked records are created where they do not exist yet. */
export function writeEvent(write: Write, values: EventValues, old?: EventRow): EventRow {
  const { context, writing, dialect } = write
  const computed = {
    ...publication(write, values, old),
    ...dialect.eventTimes(write, values, old),
    slug: slugAfter(values.slug, old?.slug),
  }
  const stored = storedValues(write, events.fields, values, blanks.events, computed)
  const row: EventRow = {
    ...(old ?? { ...blanks.events, id: writing.nextId('post'), lang_code: context.language }),
    ...stored,
    ...computed,
  }
  const named = { ...row, slug: dialect.slugFor(context, 'events', row, row.title) }
  writing.put('events', named)
  return named
}
