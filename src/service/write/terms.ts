import type { categories } from '../../contract/categories.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { blankCategory, blankTag } from '../blank.ts'
import type { Context } from '../context.ts'
import { find } from '../find.ts'
import { invalid, Refusal } from '../refusal.ts'
import { givenSlug } from '../slug.ts'
import type { CategoryRow, TermRow } from '../store/rows.ts'
import { findTerm, type TermTable, termsNamed } from '../terms.ts'
import type { ValuesOf } from '../values.ts'
import { plainValues, type Write } from './write.ts'

type Term = TermRow | CategoryRow

type TermValues = ValuesOf<typeof categories.fields>

/** Writes a new category or tag, or what was given of one that is there. */
export function writeTerm(write: Write, of: TermTable, values: TermValues, old?: Term): Term {
  const { context, writing } = write
  const blank = of === 'categories' ? blankCategory : blankTag
  const row: Term = {
    ...(old ?? { id: writing.nextId('term'), lang_code: context.language, ...blank }),
    ...plainValues(resourceNamed(of).fields, values, blank),
    ...(of === 'categories' && values.parent !== undefined && { parent: newParent(write, values.parent, old) }),
    slug: givenSlug(values.slug, old?.slug),
  }
  if (values.name !== undefined || values.parent !== undefined) write.manner.checkTermName(context, of, row, old)
  const named = { ...row, slug: write.manner.slugFor(context, of, row, row.name) }
  if (old && values.slug && named.slug !== row.slug)
    throw new Refusal(400, 'duplicate_term_slug', `The slug "${row.slug}" is already in use by another term.`)
  writing.put(of, named)
  return named
}

/** The ids of terms given by id, name or slug; a name that nobody has becomes a new term. */
export function termIds(write: Write, of: TermTable, given: readonly (number | string)[]): number[] {
  const ids = given.map(term =>
    typeof term === 'number'
      ? find(write.context, of, { id: term }).id
      : (findTerm(write.context, of, term) ?? writeTerm(write, of, { name: term })).id,
  )
  return [...new Set(ids)]
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

const parentOf = (term: Term): number | null => ('parent' in term ? term.parent : null)

/** The parent that a category gets; what would make it its own ancestor is refused, or left out. */
function newParent({ context, manner }: Write, parent: number | null, old?: Term): number | null {
  const above = new Set<number>()
  for (
    let next = parent;
    next !== null && !above.has(next);
    next = context.store.table('categories').get(next)?.parent ?? null
  )
    above.add(next)
  return old && above.has(old.id) ? manner.ownAncestor(parentOf(old)) : parent
}

/** Refuses to make a category its own ancestor. */
export function ownAncestor(): never {
  throw invalid({
    parent: 'Expected another category that is not below this one: a category cannot be its own ancestor.',
  })
}

/** Names are unique, without regard to case: categories among the children of a parent, tags everywhere. */
export function checkTermName({ store }: Context, of: TermTable, term: Term): void {
  const twin = termsNamed(store, of, term.lang_code, term.name).find(
    other => other.id !== term.id && parentOf(other) === parentOf(term),
  )
  if (!twin) return
  const where = of === 'categories' ? 'with this parent' : 'in this taxonomy'
  throw new Refusal(400, 'term_exists', `A term with the name provided already exists ${where}.`, { term_id: twin.id })
}
