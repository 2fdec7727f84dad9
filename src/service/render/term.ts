import { resourceNamed } from '../../contract/contract.ts'
import type { Context } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import type { CategoryRow, TermRow, TermTable } from '../store/rows.ts'
import { termPage, termUrls } from './addresses.ts'
import { type PlainField, plainFields, plainValues } from './plain-fields.ts'

type Term = TermRow | CategoryRow

const tableOf = (term: Term): TermTable => ('parent' in term ? 'categories' : 'tags')

const taxonomy = { categories: 'tribe_events_cat', tags: 'post_tag' } as const

const parentOf = (term: Term): number | null => ('parent' in term ? term.parent : null)

const plainOfTerm: { [T in TermTable]?: readonly PlainField[] } = {}

/** A category or tag as the API returns it. */
export function term(context: Context, row: Term): object {
  const of = tableOf(row)
  const own = {
    id: row.id,
    count: indexesOf(context.store).countEvents(row),
    description: context.dialect.termDescription(row.description),
    name: context.dialect.term(row.name),
    slug: row.slug,
    taxonomy: taxonomy[of],
    ...(of === 'categories' && { parent: parentOf(row) ?? 0 }),
  }
  plainOfTerm[of] ??= plainFields(resourceNamed(of).fields, own)
  return {
    ...own,
    ...plainValues(context, plainOfTerm[of], row),
    meta: [],
    url: termPage(context, row),
    urls: termUrls(context, of, row, parentOf(row)),
    lang_code: row.lang_code,
  }
}

/** A category or tag as events contain it. */
export function embeddedTerm(context: Context, row: Term, count: number): object {
  const of = tableOf(row)
  return {
    name: context.dialect.term(row.name),
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: taxonomy[of],
    description: context.dialect.termDescription(row.description),
    parent: parentOf(row) ?? 0,
    count,
    filter: 'raw',
    id: row.id,
    urls: termUrls(context, of, row, parentOf(row)),
  }
}
