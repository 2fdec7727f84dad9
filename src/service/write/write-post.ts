import { resourceNamed } from '../../contract/contract.ts'
import { events } from '../../contract/events.ts'
import type { EventValues, Write } from '../dialect.ts'
import { slugToStore } from '../lookup.ts'
import type { ParameterValues } from '../request-context.ts'
import { blanks, type EventRow, type PlaceTable, type Rows } from '../store/rows.ts'
import { publication } from './post-dates.ts'
import { storedValues } from './stored-values.ts'

/** Writes a new event, or the sent values of an existing one. Linked records are created if they do not exist yet. */
export function writeEvent(write: Write, values: EventValues, old?: EventRow): EventRow {
  const { context, writing, dialect } = write
  const computed = {
    ...publication(write, values, old),
    ...dialect.eventTimes(write, values, old),
    slug: slugToStore(values.slug, old?.slug),
  }
  const stored = storedValues(write, events.fields, values, blanks.events, computed)
  const row: EventRow = {
    ...(old ?? { ...blanks.events, id: writing.nextId('post'), lang_code: context.language, author: context.user.id }),
    ...stored,
    ...computed,
  }
  const slug = dialect.slugFor(context, 'events', row, row.title)
  const currency = dialect.currency(row.cost, old)
  const named = { ...row, slug, currency, post_password: dialect.keepsPassword(row.status) ? row.post_password : '' }
  writing.put('events', named)
  dialect.saved(context, named)
  return named
}

/** Writes a new venue or organizer, or the sent values of an existing one. */
export function writePlace<T extends PlaceTable>(
  write: Write,
  of: T,
  values: ParameterValues,
  changed?: Rows[T],
): Rows[T] {
  const { context, writing, dialect } = write
  const { fields, title } = resourceNamed(of)
  const blank = blanks[of]
  const old = changed ?? dialect.overwritten(context, of, String(values[title] ?? ''))
  const computed = publication(write, values, old)
  const row: Rows[T] = {
    ...(old ?? { ...blank, id: writing.nextId('post'), lang_code: context.language, author: context.user.id }),
    ...storedValues(write, fields, values, blank, computed),
    ...computed,
  }
  const named = { ...row, slug: dialect.slugFor(context, of, row, nameOf(row)) }
  writing.put(of, named)
  return named
}

/** The name of a venue or organizer. */
export const nameOf = (row: Rows[PlaceTable]): string => ('venue' in row ? row.venue : row.organizer)
