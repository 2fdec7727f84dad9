import { resourceNamed } from '../../contract/contract.ts'
import { wordpressStatuses } from '../../contract/post-status.ts'
import { forbidden, mayEdit, mayPublish, mayWritePosts } from '../access.ts'
import type { Context } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import type { HandlerResult, ParameterValues } from '../request-context.ts'
import type { PostRow, PostTable, Rows } from '../store/rows.ts'
import type { Writing } from '../store/store.ts'
import { trash } from '../write/trash-rows.ts'
import {
  between,
  checkContext,
  integer,
  invalidParameters,
  isEditing,
  listOf,
  listReaders,
  oneOf,
  page,
  readParameters,
  string,
} from './parameters.ts'
import { postAnswer } from './post-answer.ts'
import { patched, patchValues } from './post-patch.ts'

/** GET of one post. */
export function getPost(context: Context, of: PostTable, id: number): HandlerResult {
  const row = postNamed(context, of, id)
  checkContext(context, mayEdit(context, row), 'Sorry, you are not allowed to edit this post.')
  if (row.status !== 'publish' && !mayEdit(context, row))
    throw forbidden(context, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  return { status: 200, body: postAnswer(context, of, row, isEditing(context)) }
}

const postReaders = {
  ...listReaders,
  status: listOf(oneOf(...wordpressStatuses, 'any')),
  orderby: oneOf(
    'author',
    'date',
    'id',
    'include',
    'modified',
    'parent',
    'relevance',
    'slug',
    'include_slugs',
    'title',
  ),
  offset: between(0, Number.POSITIVE_INFINITY),
  author: listOf(integer),
  search: string,
  tags: listOf(integer),
  tribe_events_cat: listOf(integer),
}

/** GET of a list: published posts, the newest first, ten at a time, unless parameters say otherwise. */
export function listPosts(context: Context, of: PostTable): HandlerResult {
  const values = readParameters(context.parameters, postReaders)
  const statuses = new Set([values.status ?? 'publish'].flat())
  if (!mayWritePosts(context) && [...statuses].some(status => status !== 'publish'))
    throw invalidParameters({
      status: {
        code: 'rest_forbidden_status',
        message: 'Status is forbidden.',
        data: { status: context.caller === 'public' ? 401 : 403 },
      },
    })
  checkContext(context, mayWritePosts(context), 'Sorry, you are not allowed to edit posts in this post type.')
  const editing = isEditing(context)
  const hasStatus = ({ status }: PostRow) => statuses.has(status) || (statuses.has('any') && status !== 'trash')
  const text = String(values.search ?? '').toLowerCase()
  const rows = [...context.store.table(of).values()].filter(
    row => hasStatus(row) && hasTerms(row, values) && textsOf(of, row).toLowerCase().includes(text),
  )
  // Totals count what a page then leaves out.
  const answer = (row: PostRow) => (editing && !mayEdit(context, row) ? [] : postAnswer(context, of, row, editing))
  return page(rows, values, orderOf(of, values), answer)
}

/** Whether a post has one of the terms of each kind that is asked for. */
function hasTerms(row: PostRow, { tags, tribe_events_cat: categories }: ParameterValues): boolean {
  const hasOneOf = (wanted: unknown, ids: readonly number[]) =>
    !Array.isArray(wanted) || wanted.length === 0 || ids.some(id => wanted.includes(id))
  return !('tags' in row) || (hasOneOf(tags, row.tags) && hasOneOf(categories, row.categories))
}

const textsOf = (of: PostTable, row: PostRow): string =>
  [titleOf(of, row), row.description, 'excerpt' in row ? row.excerpt : ''].join('\n')

const titleOf = (of: PostTable, row: PostRow): string => String(Reflect.get(row, resourceNamed(of).title))

/** The order of a list, the newest first unless `order` and `orderby` say otherwise. */
function orderOf(of: PostTable, { orderby = 'date', order = 'desc' }: Record<string, unknown>) {
  const key = (row: PostRow): string => {
    if (orderby === 'id') return String(row.id).padStart(12, '0')
    if (orderby === 'title') return titleOf(of, row)
    return String(Reflect.get(row, String(orderby)) ?? row.date)
  }
  const sign = order === 'asc' ? 1 : -1
  return (one: PostRow, other: PostRow) => sign * (key(one).localeCompare(key(other)) || one.id - other.id)
}

/** POST on one post: sets what was sent and nothing else. */
export async function patchPost(context: Context, of: PostTable, id: number): Promise<HandlerResult> {
  const values = patchValues(context)
  checkMayEdit(context, postNamed(context, of, id))
  checkMayPublish(context, values.status)
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const after = patched({ context, writing, dialect }, of, postNamed(context, of, id), values)
    writing.put(of, after)
    if ('title' in after) dialect.saved(context, after)
    return after
  })
  return { status: 200, body: postAnswer(context, of, row, true) }
}

/** DELETE on one post: to the trash, or with `force` for good. */
export async function trashPost(context: Context, of: PostTable, id: number): Promise<HandlerResult> {
  const message = 'Sorry, you are not allowed to delete this post.'
  checkMayEdit(context, postNamed(context, of, id), 'rest_cannot_delete', message)
  const isForced = /^(1|true)$/.test(String(context.parameters.force ?? ''))
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const before = postNamed(context, of, id)
    if (isForced) {
      unlink(context, writing, id)
      writing.delete(of, id)
      return before
    }
    if (before.status === 'trash') throw new Refusal(410, 'rest_already_trashed', 'The post has already been deleted.')
    return trash({ context, writing, dialect }, of, before)
  })
  const answer = postAnswer(context, of, row, true)
  return { status: 200, body: isForced ? { deleted: true, previous: answer } : answer }
}

/** Takes a post off the events that link to it: no link may lead nowhere. */
function unlink({ store }: Context, writing: Writing, id: number): void {
  for (const event of [...store.table('events').values()])
    if (event.venue === id || event.organizer.includes(id) || event.post_parent === id)
      writing.put('events', {
        ...event,
        venue: event.venue === id ? null : event.venue,
        organizer: event.organizer.filter(one => one !== id),
        post_parent: event.post_parent === id ? null : event.post_parent,
      })
}

function postNamed<T extends PostTable>({ store }: Context, of: T, id: number): Rows[T] {
  const row = store.table(of).get(id)
  if (!row) throw new Refusal(404, 'rest_post_invalid_id', 'Invalid post ID.')
  return row
}

/** Throws unless the caller may change a post. */
function checkMayEdit(
  context: Context,
  row: PostRow,
  code = 'rest_cannot_edit',
  message = 'Sorry, you are not allowed to edit this post.',
): void {
  if (!mayEdit(context, row)) throw forbidden(context, code, message)
}

/** Throws if a status is set that shows a post to others, and the caller may not publish. */
function checkMayPublish(context: Context, status: unknown): void {
  if ((status !== 'publish' && status !== 'future' && status !== 'private') || mayPublish(context)) return
  const verb = status === 'private' ? 'create private' : 'publish'
  throw forbidden(context, 'rest_cannot_publish', `Sorry, you are not allowed to ${verb} posts in this post type.`)
}
