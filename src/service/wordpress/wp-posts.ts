import { isUnpublished, type Status } from '../../contract/posts.ts'
import { isObject } from '../../contract/resource.ts'
import { slugOf } from '../../contract/slug.ts'
import { fromUtc, toUtc } from '../../time/zone.ts'
import type { Context, Write } from '../dialect.ts'
import { freeSlug } from '../free-slug.ts'
import { Refusal } from '../refusal.ts'
import type { HandlerResult, ParameterValues } from '../request-context.ts'
import type { EventRow, OrganizerRow, PostRow, PostTable, Rows, VenueRow } from '../store/rows.ts'
import { floating, isFloating, modification, utcNow } from '../write/post-dates.ts'
import { beforeTrash, trash } from '../write/trash.ts'
import { metaPatch, storedFromDisplayed } from './meta.ts'
import { postAnswer } from './post-answer.ts'

/** GET of one post. */
export function getPost(context: Context, of: PostTable, id: number): HandlerResult {
  const row = postNamed(context, of, id)
  const isEditing = editing(context, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.')
  if (context.caller === 'public' && row.status !== 'publish')
    throw new Refusal(401, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  return { status: 200, body: postAnswer(context, of, row, isEditing) }
}

/** GET of a list: the newest first, ten at a time unless `per_page` says otherwise; drafts and hidden events where `status` asks. */
export function listPosts(context: Context, of: PostTable): HandlerResult {
  const { parameters, store, caller } = context
  const isEditing = editing(
    context,
    'rest_forbidden_context',
    'Sorry, you are not allowed to edit posts in this post type.',
  )
  const statuses = listed(parameters.status ?? 'publish')
  if (caller === 'public' && statuses.some(status => status !== 'publish'))
    throw new Refusal(400, 'rest_invalid_param', 'Invalid parameter(s): status', {
      params: { status: 'Status is forbidden.' },
    })
  const include = parameters.include === undefined ? undefined : new Set(listed(parameters.include).map(Number))
  const slugs = parameters.slug === undefined ? undefined : new Set(listed(parameters.slug))
  const rows = [...store.table(of).values()].filter(
    row =>
      (include === undefined || include.has(row.id)) &&
      (slugs === undefined || slugs.has(row.slug)) &&
      hasStatus(row, statuses) &&
      (typeof parameters.search !== 'string' || titleOf(row).toLowerCase().includes(parameters.search.toLowerCase())),
  )
  rows.sort((one, other) => other.date.localeCompare(one.date) || other.id - one.id)
  return page(context, rows, row => postAnswer(context, of, row, isEditing))
}

/** `any` leaves out the trash, as in WordPress. */
const hasStatus = ({ status }: { readonly status: string }, statuses: readonly string[]): boolean =>
  statuses.includes(status) || (statuses.includes('any') && status !== 'trash')

/** One page of a list, with its totals in the headers. */
export function page<T>({ parameters }: Context, rows: readonly T[], answer: (row: T) => object): HandlerResult {
  const perPage = Math.min(Math.max(Number(parameters.per_page ?? 10), 1), 100)
  const number = Math.max(Number(parameters.page ?? 1), 1)
  const pages = Math.ceil(rows.length / perPage)
  if (number > 1 && number > pages)
    throw new Refusal(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    )
  return {
    status: 200,
    headers: { 'x-wp-total': String(rows.length), 'x-wp-totalpages': String(pages) },
    body: rows.slice((number - 1) * perPage, number * perPage).map(answer),
  }
}

/** The parts of a parameter that holds several: `1,2`, `[1, 2]`. */
export const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/** POST on one post: sets what was sent and nothing else, but for the cost, which every save rewrites from what is displayed. */
export async function patchPost(context: Context, of: PostTable, id: number): Promise<HandlerResult> {
  checkMayEdit(context)
  const { status } = context.parameters
  if (status !== undefined && !allowedStatuses.includes(String(status))) throw unknownStatus()
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const write: Write = { context, writing, dialect }
    const before = postNamed(context, of, id)
    const after = patched(write, of, before, context.parameters)
    writing.put(of, after)
    if ('title' in after) dialect.saved(context, after)
    return after
  })
  return { status: 200, body: postAnswer(context, of, row, true) }
}

const allowedStatuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'in-progress',
  'failed',
  'tribe-ea-success',
  'tribe-ea-failed',
  'tribe-ea-schedule',
  'tribe-ea-pending',
  'tribe-ea-draft',
  'tribe-ignored',
]

function unknownStatus(): Refusal {
  const [last, ...others] = allowedStatuses.toReversed()
  const message = `status is not one of ${others.toReversed().join(', ')}, and ${last}.`
  return new Refusal(400, 'rest_invalid_param', 'Invalid parameter(s): status', {
    params: { status: message },
    details: { status: { code: 'rest_not_in_enum', message, data: null } },
  })
}

function patched<T extends PostTable>(write: Write, of: T, before: Rows[T], values: ParameterValues): Rows[T] {
  const base = before.status === 'trash' && values.status !== undefined ? beforeTrash(before) : before
  const row: Rows[T] = { ...base, ...texts(base, values), ...dated(write, base, values), ...modification(write) }
  if (typeof values.author === 'number') row.author = values.author
  if (values.featured_media !== undefined) row.image = imageAfter(write, row.image, values.featured_media)
  Object.assign(row, 'title' in row ? eventValues(write, row, values) : metaPatch(row, values.meta))
  if (typeof values.slug === 'string') row.slug = slugOf(values.slug)
  const needsSlug = row.slug === '' && !isUnpublished(row.status) && row.status !== 'trash'
  const slug = needsSlug ? slugOf(titleOf(row)) || String(row.id) : row.slug
  return { ...row, slug: slug === '' ? '' : freeSlug(write.context.store, of, row.lang_code, slug, row.id) }
}

function eventValues({ context }: Write, row: EventRow, values: ParameterValues): Partial<EventRow> {
  const known = (of: 'categories' | 'tags', ids: unknown): number[] =>
    [ids]
      .flat()
      .map(Number)
      .filter(id => context.store.table(of).get(id) !== undefined)
  return {
    cost: storedFromDisplayed(row.cost),
    ...(typeof values.password === 'string' && { post_password: values.password }),
    ...(values.tribe_events_cat !== undefined && { categories: known('categories', values.tribe_events_cat) }),
    ...(values.tags !== undefined && { tags: known('tags', values.tags) }),
    ...metaPatch(row, values.meta),
  }
}

/** Texts are stored as they come: nothing is unescaped or trimmed. */
function texts(row: EventRow | VenueRow | OrganizerRow, { title, content, excerpt }: ParameterValues): object {
  const name = 'title' in row ? 'title' : 'venue' in row ? 'venue' : 'organizer'
  return {
    ...(title !== undefined && { [name]: rawOf(title) }),
    ...(content !== undefined && { description: rawOf(content) }),
    ...(excerpt !== undefined && 'excerpt' in row && { excerpt: rawOf(excerpt) }),
  }
}

const rawOf = (value: unknown): string => String(isObject(value) ? (value.raw ?? '') : value)

/** Status and moment of publication. A draft floats until it is given a date, which it then keeps. */
function dated(write: Write, row: PostRow, { status, date, date_gmt }: ParameterValues): Partial<PostRow> {
  const { timezone } = write.context.store.site
  const now = utcNow(write.context)
  const asked = (status as Status | undefined) ?? row.status
  const wall = (value: unknown) => String(value).replace('T', ' ').slice(0, 19)
  const given = date ? toUtc(wall(date), timezone) : date_gmt ? wall(date_gmt) : undefined
  if (given === undefined && isFloating(row) && isUnpublished(asked)) return floating(write, asked)
  const date_utc = given ?? (isFloating(row) ? now : row.date_utc)
  const released = date_utc > now ? 'future' : 'publish'
  return {
    status: asked === 'publish' || asked === 'future' ? released : asked,
    date: fromUtc(date_utc, timezone),
    date_utc,
  }
}

/** 0 takes the image off; an ID that nothing has is ignored. */
function imageAfter({ context }: Write, before: number | null, given: unknown): number | null {
  const id = Number(given)
  if (id === 0) return null
  return context.store.table('images').get(id) ? id : before
}

/** DELETE on one post: to the trash, or with `force` for good. */
export async function trashPost(context: Context, of: PostTable, id: number): Promise<HandlerResult> {
  checkMayEdit(context, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.')
  const isForced = /^(1|true)$/.test(String(context.parameters.force ?? ''))
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const before = postNamed(context, of, id)
    if (isForced) {
      writing.delete(of, id)
      return before
    }
    if (before.status === 'trash') throw new Refusal(410, 'rest_already_trashed', 'The post has already been deleted.')
    return trash({ context, writing, dialect }, of, before)
  })
  const answer = postAnswer(context, of, row, true)
  return { status: 200, body: isForced ? { deleted: true, previous: answer } : answer }
}

function postNamed<T extends PostTable>({ store }: Context, of: T, id: number): Rows[T] {
  const row = store.table(of).get(id)
  if (!row) throw new Refusal(404, 'rest_post_invalid_id', 'Invalid post ID.')
  return row
}

/** Whether raw texts are asked for; throws where the caller may not see them. */
export function editing({ caller, parameters }: Context, code: string, message: string): boolean {
  if (parameters.context !== 'edit') return false
  if (caller === 'public') throw new Refusal(401, code, message)
  return true
}

export function checkMayEdit(
  { caller }: Context,
  code = 'rest_cannot_edit',
  message = 'Sorry, you are not allowed to edit this post.',
): void {
  if (caller === 'public') throw new Refusal(401, code, message)
}

const titleOf = (row: Rows[PostTable]): string => {
  if ('title' in row) return row.title
  return 'venue' in row ? row.venue : row.organizer
}
