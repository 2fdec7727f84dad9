/**
 * WordPress's own API, `wp/v2`, beside the events API: the same records, with their texts as they are stored, in lists of a hundred, and
 * with updates that are true patches. With `--quirks` it answers like a site with The Events Calendar. There are no routes for what calctl
 * does not use (creating posts, comments, users); images can be uploaded.
 */

import { resourceNamed } from '../../contract/contract.ts'
import { forbidden, mayEditAll, mayPublish, mayWritePosts } from '../access.ts'
import type { Context, HandlerResult, ParameterValues, RecordRef, Role } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import type { Rows, TableName } from '../store/rows.ts'

/** The record with an ID, in any language. */
export function recordOf<T extends TableName>({ store }: Context, of: T, ref: RecordRef): Rows[T] {
  const row = 'id' in ref ? store.table(of).get(ref.id) : undefined
  if (row) return row
  throw of === 'categories' || of === 'tags'
    ? new Refusal(404, 'rest_term_invalid', 'Term does not exist.')
    : new Refusal(404, 'rest_post_invalid_id', 'Invalid post ID.')
}

/**
 * One page of the rows that pass `include`, `exclude` and `slug`, with its totals in the headers. A row whose answer is an empty list is
 * left out.
 */
export function page<T extends { readonly id: number; readonly slug: string }>(
  rows: readonly T[],
  values: ParameterValues,
  order: (one: T, other: T) => number,
  answer: (row: T) => object,
): HandlerResult {
  const { include, exclude, slug, orderby, per_page: perPage = 10, page: number = 1, offset } = values
  const ids = asSet(include)
  const others = asSet(exclude)
  const slugs = asSet(slug)
  const kept = rows.filter(
    row => (!ids?.size || ids.has(row.id)) && !others?.has(row.id) && (!slugs?.size || slugs.has(row.slug)),
  )
  const places = [...(ids ?? [])]
  const inOrder = orderby === 'include' ? (a: T, b: T) => places.indexOf(a.id) - places.indexOf(b.id) : order
  const size = Number(perPage)
  const pages = Math.ceil(kept.length / size)
  if (Number(number) > 1 && Number(number) > pages)
    throw new Refusal(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    )
  const from = offset === undefined ? (Number(number) - 1) * size : Number(offset)
  return {
    status: 200,
    headers: { 'x-wp-total': String(kept.length), 'x-wp-totalpages': String(pages) },
    body: kept
      .toSorted(inOrder)
      .slice(from, from + size)
      .flatMap(answer),
  }
}

const asSet = (values: unknown): ReadonlySet<unknown> | undefined =>
  Array.isArray(values) ? new Set(values) : undefined

/** Whether raw texts are requested. */
export const isEditing = ({ parameters }: Context): boolean => parameters.context === 'edit'

/** Throws if a caller requests raw texts without being allowed to see them. */
export function checkContext(context: Context, isAllowed: boolean, message: string): void {
  if (!isEditing(context) || isAllowed) return
  throw forbidden(context, 'rest_forbidden_context', message)
}

const postTypes = (['events', 'venues', 'organizers'] as const).map(name => resourceNamed(name).wordpress)

/** The post types that have routes. If `_fields` has a nested name, each type is empty, as on a real site. */
export function types(context: Context): HandlerResult {
  const { parameters } = context
  if (parameters.context === 'edit' && !mayWritePosts(context))
    throw forbidden(context, 'rest_cannot_view', 'Sorry, you are not allowed to edit posts in this post type.')
  const isNested = typeof parameters._fields === 'string' && parameters._fields.includes('.')
  const entries = postTypes.map(name => [name, isNested ? [] : { slug: name, rest_base: name }])
  return { status: 200, body: Object.fromEntries(entries) }
}

/** The caller, and what that user may do. */
export function currentUser(context: Context): HandlerResult {
  const { caller, user } = context
  if (caller === 'public') throw new Refusal(401, 'rest_not_logged_in', 'You are not currently logged in.')
  const capabilities = Object.fromEntries(capabilitiesOf(caller).map(name => [name, true]))
  return { status: 200, body: { id: user.id, name: user.name, slug: user.name, roles: [caller], capabilities } }
}

/** The capabilities of WordPress's roles about posts, pages and records of the calendar. */
function capabilitiesOf(role: Role): string[] {
  const asking = { caller: role }
  const level = { administrator: 10, editor: 7, author: 2, contributor: 1, subscriber: 0 }[role]
  const verbs = [
    ...(mayWritePosts(asking) ? ['edit', 'delete'] : []),
    ...(mayPublish(asking) ? ['publish', 'edit_published', 'delete_published'] : []),
    ...(mayEditAll(asking) ? ['edit_others', 'delete_others', 'edit_private', 'delete_private', 'read_private'] : []),
  ]
  const calendar = postTypes.map(name => (name.endsWith('s') ? name : `${name}s`))
  const kinds = ['posts', ...(mayEditAll(asking) ? ['pages'] : []), ...calendar, 'aggregator-records']
  return [
    ...(mayEditAll(asking) ? ['moderate_comments', 'manage_categories', 'manage_links', 'unfiltered_html'] : []),
    ...(mayPublish(asking) ? ['upload_files'] : []),
    'read',
    ...Array.from({ length: level + 1 }, (_, index) => `level_${index}`),
    ...kinds.flatMap(kind => verbs.map(verb => `${verb}_${kind}`)),
    role,
  ]
}
