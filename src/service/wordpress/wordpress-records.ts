import { forbidden } from '../access.ts'
import type { Context, HandlerResult, ParameterValues, RecordRef } from '../dialect.ts'
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

interface Listed {
  readonly id: number
  readonly slug: string
}

/** One page of the rows that `include`, `exclude` and `slug` leave, with its totals in the headers. An empty list as the answer leaves a row out. */
export function page<T extends Listed>(
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

/** Whether raw texts are asked for. */
export const isEditing = ({ parameters }: Context): boolean => parameters.context === 'edit'

/** Throws if raw texts are asked for by a caller who may not see them. */
export function checkContext(context: Context, isAllowed: boolean, message: string): void {
  if (!isEditing(context) || isAllowed) return
  throw forbidden(context, 'rest_forbidden_context', message)
}
