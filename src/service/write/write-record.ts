import { resourceNamed } from '../../contract/contract.ts'
import { events } from '../../contract/events.ts'
import type { categories } from '../../contract/terms.ts'
import type { EventValues, ParameterValues, ValuesOf, Write } from '../dialect.ts'
import { slugToStore } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import {
  blanks,
  type CategoryRow,
  type EventRow,
  type PlaceTable,
  type Rows,
  type TermRow,
  type TermTable,
} from '../store/rows.ts'
import { columnValues, publication } from './stored-values.ts'

/** Writes a new event, or the sent values of an existing one. Linked records are created if they do not exist yet. */
export function writeEvent(write: Write, values: EventValues, old?: EventRow): EventRow {
  const { context, writing, dialect } = write
  const computed = {
    ...publication(write, values, old),
    ...dialect.eventTimes(write, values, old),
    slug: slugToStore(values.slug, old?.slug),
  }
  const stored = columnValues(write, { fields: events.fields, blank: blanks.events }, values, computed)
  const row: EventRow = old
    ? { ...old }
    : { ...blanks.events, id: writing.nextId('post'), lang_code: context.language, author: context.user.id }
  Object.assign(row, stored, computed)
  row.slug = dialect.slugFor(context, 'events', row, row.title)
  row.currency = dialect.currency(row.cost, old)
  if (!dialect.keepsPassword(row.status)) row.post_password = ''
  writing.put('events', row)
  dialect.effects(write, 'events', old, row)
  dialect.saved(context, row)
  return row
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
    ...columnValues(write, { fields, blank }, values, computed),
    ...computed,
  }
  const named = { ...row, slug: dialect.slugFor(context, of, row, nameOf(row)) }
  writing.put(of, named)
  return named
}

/** The name of a venue or organizer. */
export const nameOf = (row: Rows[PlaceTable]): string => ('venue' in row ? row.venue : row.organizer)

type Term = TermRow | CategoryRow

type TermValues = ValuesOf<typeof categories.fields>

/** Writes a new category or tag, or the sent values of an existing one. */
export function writeTerm(write: Write, of: TermTable, values: TermValues, old?: Term): Term {
  const { context, writing } = write
  const blank = blanks[of]
  const computed = {
    ...(of === 'categories' && values.parent !== undefined && { parent: newParent(write, values.parent, old) }),
    slug: slugToStore(values.slug, old?.slug),
  }
  const row: Term = {
    ...(old ?? { ...blank, id: writing.nextId('term'), lang_code: context.language }),
    ...columnValues(write, { fields: resourceNamed(of).fields, blank }, values, computed),
    ...computed,
  }
  if (values.name !== undefined || values.parent !== undefined) write.dialect.checkTermName(context, of, row, old)
  const named = { ...row, slug: write.dialect.slugFor(context, of, row, row.name) }
  if (old && row.slug !== '' && named.slug !== row.slug)
    throw new Refusal(400, 'duplicate_term_slug', `The slug "${row.slug}" is already in use by another term.`)
  writing.put(of, named)
  return named
}

/** Removes a term: its children move up to its parent, and events lose it. */
export function removeTerm({ context: { store }, writing }: Write, of: TermTable, term: Term): void {
  if (of === 'categories')
    for (const child of [...store.table('categories').values()])
      if (child.parent === term.id) writing.put('categories', { ...child, parent: parentOf(term) })
  for (const event of [...store.table('events').values()])
    if (event[of].includes(term.id)) writing.put('events', { ...event, [of]: event[of].filter(id => id !== term.id) })
  writing.delete(of, term.id)
}

export const parentOf = (term: Term): number | null => ('parent' in term ? term.parent : null)

/** The parent that a category gets; one that would make it its own ancestor is refused, or left out. */
function newParent({ context, dialect }: Write, parent: number | null, old?: Term): number | null {
  const above = new Set<number>()
  for (
    let next = parent;
    next !== null && !above.has(next);
    next = context.store.table('categories').get(next)?.parent ?? null
  )
    above.add(next)
  return old && above.has(old.id) ? dialect.ownAncestor(parentOf(old)) : parent
}
