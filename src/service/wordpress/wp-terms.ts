import { forbidden, mayEditTerms } from '../access.ts'
import type { Context, HandlerResult, ParameterValues, RecordRef } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { withoutTags } from '../production/wordpress-text.ts'
import { checkTerm } from '../production/write.ts'
import { Refusal } from '../refusal.ts'
import { termPage } from '../render/addresses.ts'
import type { CategoryRow, TermRow, TermTable } from '../store/rows.ts'
import { removeTerm, writeTerm } from '../write/write-record.ts'
import { checkContext, page, recordOf } from './wordpress.ts'

/** GET of one term. */
export const getTerm = (of: TermTable, context: Context, ref: RecordRef): HandlerResult => ({
  status: 200,
  body: termAnswer(context, of, recordOf(context, of, ref)),
})

/** GET of a list of terms, by name. */
export function listTerms(of: TermTable, context: Context): HandlerResult {
  const { values } = context
  checkContext(context, mayEditTerms(context, of), 'Sorry, you are not allowed to edit terms in this taxonomy.')
  const text = String(values.search ?? '').toLowerCase()
  const rows = [...context.store.table(of).values()].filter(
    row =>
      context.dialect.term(row.name).toLowerCase().includes(text) &&
      (values.hide_empty !== true || indexesOf(context.store).countEvents(row) > 0),
  )
  const sign = values.order === 'desc' ? -1 : 1
  const key = ({ id, name, slug }: Term) => (values.orderby === 'id' ? id : values.orderby === 'slug' ? slug : name)
  const order = (one: Term, other: Term) =>
    sign * String(key(one)).localeCompare(String(key(other)), undefined, { numeric: true })
  return page(rows, values, order, row => termAnswer(context, of, row))
}

type Term = TermRow | CategoryRow

/** POST on one term: changes only what was sent. */
export async function patchTerm(of: TermTable, context: Context, ref: RecordRef): Promise<HandlerResult> {
  const { values } = context
  checkMayEdit(context, of, ref, 'rest_cannot_update')
  if (of === 'tags' && values.parent !== undefined)
    throw new Refusal(400, 'rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.')
  const dialect = { ...(await context.dialect.loadWriteDialect()), ownAncestor: () => null }
  const row = await context.store.write(writing => {
    const before = recordOf(context, of, ref)
    return writeTerm({ context, writing, dialect }, of, patchOf(context, of, before, values), before)
  })
  return { status: 200, body: termAnswer(context, of, row) }
}

/** The values of a patch in the form of the events API; 0 moves a category to the top. */
function patchOf(context: Context, of: TermTable, before: Term, { name, parent, ...others }: ParameterValues) {
  if (parent && !context.store.table('categories').get(Number(parent)))
    throw new Refusal(400, 'rest_term_invalid', 'Parent term does not exist.')
  const named = { ...others, ...(name !== undefined && { name: withoutTags(String(name)) }) }
  checkTerm(context, of, named, before)
  return { ...named, ...(parent !== undefined && { parent: Number(parent) || null }) }
}

/** DELETE on one term: terms have no trash, so `force` must say that it is permanent. */
export async function deleteTerm(of: TermTable, context: Context, ref: RecordRef): Promise<HandlerResult> {
  checkMayEdit(context, of, ref, 'rest_cannot_delete')
  if (context.values.force !== true)
    throw new Refusal(501, 'rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.")
  const dialect = await context.dialect.loadWriteDialect()
  const previous = await context.store.write(writing => {
    const row = recordOf(context, of, ref)
    const answer = termAnswer(context, of, row)
    removeTerm({ context, writing, dialect }, of, row)
    return answer
  })
  return { status: 200, body: { deleted: true, previous } }
}

/** Throws unless the caller may change terms. */
function checkMayEdit(
  context: Context,
  of: TermTable,
  ref: RecordRef,
  code: 'rest_cannot_update' | 'rest_cannot_delete',
): void {
  recordOf(context, of, ref)
  const verb = code === 'rest_cannot_update' ? 'edit' : 'delete'
  if (!mayEditTerms(context, of)) throw forbidden(context, code, `Sorry, you are not allowed to ${verb} this term.`)
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
