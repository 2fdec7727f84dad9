import { slugOf } from '../../contract/slug.ts'
import type { Context } from '../dialect.ts'
import { freeSlug } from '../free-slug.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { Refusal } from '../refusal.ts'
import { termPage } from '../render/addresses.ts'
import type { HandlerResult } from '../request-context.ts'
import type { CategoryRow, TermRow, TermTable } from '../store/rows.ts'
import { removeTerm } from '../write/write-term.ts'
import { checkMayEdit, editing, listed, page } from './wp-posts.ts'

/** GET of one term. */
export const getTerm = (context: Context, of: TermTable, id: number): HandlerResult => ({
  status: 200,
  body: termAnswer(context, of, termNamed(context, of, id)),
})

/** GET of a list of terms, by name. */
export function listTerms(context: Context, of: TermTable): HandlerResult {
  editing(context, 'rest_forbidden_context', 'Sorry, you are not allowed to edit terms in this taxonomy.')
  const { include, slug } = context.parameters
  const ids = include === undefined ? undefined : new Set(listed(include).map(Number))
  const slugs = slug === undefined ? undefined : new Set(listed(slug))
  const rows = [...context.store.table(of).values()].filter(
    row => (ids === undefined || ids.has(row.id)) && (slugs === undefined || slugs.has(row.slug)),
  )
  rows.sort((one, other) => one.name.localeCompare(other.name))
  return page(context, rows, row => termAnswer(context, of, row))
}

/** POST on one term: sets what was sent and nothing else. */
export async function patchTerm(context: Context, of: TermTable, id: number): Promise<HandlerResult> {
  checkMayEdit(context, 'rest_cannot_update', 'Sorry, you are not allowed to edit this term.')
  const { name, description, slug, parent } = context.parameters
  const row = await context.store.write(writing => {
    const before = termNamed(context, of, id)
    const wanted = typeof slug === 'string' ? slugOf(slug) : before.slug
    const after = {
      ...before,
      ...(typeof name === 'string' && name.trim() !== '' && { name: name.trim() }),
      ...(typeof description === 'string' && { description }),
      ...('parent' in before && parent !== undefined && { parent: Number(parent) || null }),
      slug: freeSlug(context.store, of, before.lang_code, wanted, id),
    }
    writing.put(of, after)
    return after
  })
  return { status: 200, body: termAnswer(context, of, row) }
}

/** DELETE on one term: terms have no trash, so `force` must say that it goes for good. */
export async function deleteTerm(context: Context, of: TermTable, id: number): Promise<HandlerResult> {
  checkMayEdit(context, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this term.')
  if (!/^(1|true)$/.test(String(context.parameters.force ?? '')))
    throw new Refusal(501, 'rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.")
  const dialect = await context.dialect.loadWriteDialect()
  const previous = await context.store.write(writing => {
    const row = termNamed(context, of, id)
    const answer = termAnswer(context, of, row)
    removeTerm({ context, writing, dialect }, of, row)
    return answer
  })
  return { status: 200, body: { deleted: true, previous } }
}

function termNamed({ store }: Context, of: TermTable, id: number): TermRow | CategoryRow {
  const row = store.table(of).get(id)
  if (!row) throw new Refusal(404, 'rest_term_invalid', 'Term does not exist.')
  return row
}

const termAnswer = (context: Context, of: TermTable, row: TermRow | CategoryRow): object => ({
  id: row.id,
  count: indexesOf(context.store).countEvents(row),
  description: context.dialect.termDescription(row.description),
  link: termPage(context, row),
  name: context.dialect.term(row.name),
  slug: row.slug,
  taxonomy: of === 'categories' ? 'tribe_events_cat' : 'post_tag',
  ...('parent' in row && { parent: row.parent ?? 0 }),
  meta: [],
  ...context.dialect.termLinks(context, row),
})
