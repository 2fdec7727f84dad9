import { toUtc } from '../../base/time/zone.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { noDate } from '../../contract/post-status.ts'
import { slugOf } from '../../contract/slug.ts'
import { forbidden, mayEdit, mayEditAll, mayEditTerms, mayPublish, mayWritePosts } from '../access.ts'
import type { Context, HandlerResult, ParameterValues, RecordRef } from '../dialect.ts'
import { excerpt, renderedContent, shortcodesOf, shortened, title } from '../production/wordpress-text.ts'
import { Refusal } from '../refusal.ts'
import { pageOf } from '../render/addresses.ts'
import { invalidParameters } from '../request/check-parameters.ts'
import type { EventRow, OrganizerRow, PostRow, PostTable, Rows, TermTable, VenueRow } from '../store/rows.ts'
import type { Writing } from '../store/store.ts'
import { trash } from '../write/put.ts'
import { metaOf, patched } from './post-patch.ts'
import { checkContext, isEditing, page, recordOf } from './wordpress.ts'

/** GET of one post. */
export function getPost(of: PostTable, context: Context, ref: RecordRef): HandlerResult {
  const row = recordOf(context, of, ref)
  checkContext(context, mayEdit(context, row), 'Sorry, you are not allowed to edit this post.')
  if (row.status !== 'publish' && !mayEdit(context, row))
    throw forbidden(context, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  return { status: 200, body: postAnswer(context, of, row, isEditing(context)) }
}

/** GET of a list: by default published posts, the newest first, ten at a time. */
export function listPosts(of: PostTable, context: Context): HandlerResult {
  const { values } = context
  const statuses = new Set([values.status ?? 'publish'].flat())
  if (!mayWritePosts(context) && [...statuses].some(status => status !== 'publish'))
    throw invalidParameters({
      status: {
        problem: 'Status is forbidden.',
        detail: { code: 'rest_forbidden_status', data: { status: context.caller === 'public' ? 401 : 403 } },
      },
    })
  checkContext(context, mayWritePosts(context), 'Sorry, you are not allowed to edit posts in this post type.')
  const editing = isEditing(context)
  const hasStatus = ({ status }: PostRow) => statuses.has(status) || (statuses.has('any') && status !== 'trash')
  const text = String(values.search ?? '').toLowerCase()
  const rows = [...context.store.table(of).values()].filter(
    row => hasStatus(row) && hasTerms(row, values) && searchedText(of, row).toLowerCase().includes(text),
  )
  // Totals count posts that a page then leaves out.
  const answer = (row: PostRow) => (editing && !mayEdit(context, row) ? [] : postAnswer(context, of, row, editing))
  return page(rows, values, orderOf(of, values), answer)
}

/** Whether a post has one of the requested terms of each kind. */
function hasTerms(row: PostRow, { tags, tribe_events_cat: categories }: ParameterValues): boolean {
  const hasOneOf = (wanted: unknown, ids: readonly number[]) =>
    !Array.isArray(wanted) || wanted.length === 0 || ids.some(id => wanted.includes(id))
  return !('tags' in row) || (hasOneOf(tags, row.tags) && hasOneOf(categories, row.categories))
}

const searchedText = (of: PostTable, row: PostRow): string =>
  [titleOf(of, row), row.description, 'excerpt' in row ? row.excerpt : ''].join('\n')

const titleOf = (of: PostTable, row: PostRow): string => String(Reflect.get(row, resourceNamed(of).title))

/** The order of a list; by default the newest first. */
function orderOf(of: PostTable, { orderby = 'date', order = 'desc' }: Record<string, unknown>) {
  const key = (row: PostRow): string => {
    if (orderby === 'id') return String(row.id).padStart(12, '0')
    if (orderby === 'title') return titleOf(of, row)
    return String(Reflect.get(row, String(orderby)) ?? row.date)
  }
  const sign = order === 'asc' ? 1 : -1
  return (one: PostRow, other: PostRow) => sign * (key(one).localeCompare(key(other)) || one.id - other.id)
}

/** POST on one post: changes only what was sent. */
export async function patchPost(of: PostTable, context: Context, ref: RecordRef): Promise<HandlerResult> {
  const { values } = context
  checkMayEdit(context, recordOf(context, of, ref))
  checkMayPublish(context, values.status)
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const write = { context, writing, dialect }
    const before = recordOf(context, of, ref)
    const after = patched(write, of, before, values)
    writing.put(of, after)
    if ('title' in after) dialect.effects(write, of, before, after)
    if ('title' in after) dialect.saved(context, after)
    return after
  })
  return { status: 200, body: postAnswer(context, of, row, true) }
}

/** DELETE on one post: moves it to the trash or, with `force`, deletes it permanently. */
export async function trashPost(of: PostTable, context: Context, ref: RecordRef): Promise<HandlerResult> {
  const message = 'Sorry, you are not allowed to delete this post.'
  checkMayEdit(context, recordOf(context, of, ref), 'rest_cannot_delete', message)
  const isForced = context.values.force === true
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const before = recordOf(context, of, ref)
    if (isForced) {
      unlink(context, writing, before.id)
      writing.delete(of, before.id)
      return before
    }
    if (before.status === 'trash') throw new Refusal(410, 'rest_already_trashed', 'The post has already been deleted.')
    return trash({ context, writing, dialect }, of, before)
  })
  const answer = postAnswer(context, of, row, true)
  return { status: 200, body: isForced ? { deleted: true, previous: answer } : answer }
}

/** Removes links to a post from events, because no link may lead nowhere. */
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

/** Throws unless the caller may change a post. */
function checkMayEdit(
  context: Context,
  row: PostRow,
  code = 'rest_cannot_edit',
  message = 'Sorry, you are not allowed to edit this post.',
): void {
  if (!mayEdit(context, row)) throw forbidden(context, code, message)
}

/** Throws if a status is set that shows the post to others, and the caller may not publish. */
function checkMayPublish(context: Context, status: unknown): void {
  if ((status !== 'publish' && status !== 'future' && status !== 'private') || mayPublish(context)) return
  const verb = status === 'private' ? 'create private' : 'publish'
  throw forbidden(context, 'rest_cannot_publish', `Sorry, you are not allowed to ${verb} posts in this post type.`)
}

/** The route and post type of each table. */
const postTypes = { events: 'tribe_events', venues: 'tribe_venue', organizers: 'tribe_organizer' } as const

const kinds = { events: 'event', venues: 'venue', organizers: 'organizer' } as const

/** A post as `wp/v2` answers it; with `context=edit` also raw texts and the password. */
function postAnswer<T extends PostTable>(context: Context, of: T, row: Rows[T], isEditing: boolean): object {
  const type = postTypes[of]
  const link = pageOf(context, kinds[of], row)
  const [name, content, short] = textsOf(row)
  const password = 'post_password' in row ? row.post_password : ''
  const isHidden = password !== '' && !isEditing
  const raw = (text: string) => (isEditing ? { raw: text } : {})
  return {
    id: row.id,
    date: iso(row.date),
    date_gmt: iso(gmtOf(context, row.date, row.date_utc)),
    guid: { rendered: link, ...raw(link) },
    modified: iso(row.modified),
    modified_gmt: iso(gmtOf(context, row.modified, row.modified_utc)),
    ...(isEditing && { password }),
    slug: context.dialect.slug(row),
    status: row.status,
    type,
    link,
    title: { ...raw(name), rendered: title(name) },
    content: {
      ...raw(content),
      rendered: isHidden ? '' : renderedContent(content, shortcodesOf(context, row)),
      protected: password !== '',
      ...(isEditing && { block_version: /<!--\s?wp:/.test(content) ? 1 : 0 }),
    },
    excerpt: {
      ...raw(short),
      rendered: isHidden ? '' : renderedExcerpt(short, content),
      protected: password !== '',
    },
    author: row.author,
    featured_media: row.image ?? 0,
    template: '',
    meta: metaOf(of, row),
    ...('title' in row && eventParts(context, row, isEditing)),
    _links: links(context, type, row),
  }
}

/** An excerpt that was not written is made from the content. */
function renderedExcerpt(written: string, content: string): string {
  const text = excerpt(written === '' ? shortened(content) : written)
  return text === '' ? '' : `${text}\n`
}

/** Drafts that have no moment in UTC are answered with that of their wall time. */
const gmtOf = ({ store }: Context, wall: string, utc: string): string =>
  utc === noDate ? toUtc(wall, store.site.timezone) : utc

const iso = (wall: string): string => wall.replace(' ', 'T')

const textsOf = (row: EventRow | VenueRow | OrganizerRow): [name: string, content: string, excerpt: string] => {
  if ('title' in row) return [row.title, row.description, row.excerpt]
  return ['venue' in row ? row.venue : row.organizer, row.description, '']
}

function eventParts(context: Context, row: EventRow, isEditing: boolean): object {
  const tags = termsOf(context, 'tags', row.tags)
  const categories = termsOf(context, 'categories', row.categories)
  return {
    tags: tags.map(({ id }) => id),
    tribe_events_cat: categories.map(({ id }) => id),
    ...(isEditing && {
      permalink_template: `${context.baseUrl.replace(/\/wp-json$/, '')}/event/%pagename%/`,
      generated_slug: slugOf(row.title),
    }),
    class_list: [
      `post-${row.id}`,
      'tribe_events',
      'type-tribe_events',
      `status-${row.status}`,
      ...(row.post_password === '' ? [] : ['post-password-required']),
      ...(row.image === null ? [] : ['has-post-thumbnail']),
      'hentry',
      ...(row.event_status === '' ? [] : [`tribe-events-status__list-event-${row.event_status}`]),
      ...tags.map(({ slug }) => `tag-${slug}`),
      ...categories.map(({ slug }) => `tribe_events_cat-${slug}`),
      ...categories.map(({ slug }) => `cat_${slug}`),
    ],
  }
}

/** By name, as WordPress lists terms. */
const termsOf = ({ store }: Context, of: TermTable, ids: readonly number[]) =>
  ids.flatMap(id => store.table(of).get(id) ?? []).sort((one, other) => one.name.localeCompare(other.name))

/** What the caller may do with a post, by the names of WordPress's links. */
function actionsOn(context: Context, row: PostRow): string[] {
  if (!mayEdit(context, row)) return []
  const terms = 'title' in row ? ['create-tags', 'assign-tags'] : []
  const categories = 'title' in row ? ['create-tribe_events_cat', 'assign-tribe_events_cat'] : []
  return [
    ...(mayPublish(context) ? ['publish'] : []),
    ...(mayEditAll(context) ? ['unfiltered-html', 'assign-author'] : []),
    ...terms,
    ...(mayEditTerms(context, 'categories') ? categories : categories.slice(1)),
  ]
}

function links(context: Context, type: string, row: PostRow): object {
  const { id, author } = row
  const root = `${context.baseUrl}/wp/v2`
  const self = `${root}/${type}/${id}`
  const isEvent = type === 'tribe_events'
  const allow = mayEdit(context, row) ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET']
  return {
    self: [{ href: self, targetHints: { allow } }],
    collection: [{ href: `${root}/${type}` }],
    about: [{ href: `${root}/types/${type}` }],
    author: [{ embeddable: true, href: `${root}/users/${author}` }],
    'wp:attachment': [{ href: `${root}/media?parent=${id}` }],
    ...(isEvent && {
      'wp:term': [
        { taxonomy: 'post_tag', embeddable: true, href: `${root}/tags?post=${id}` },
        { taxonomy: 'tribe_events_cat', embeddable: true, href: `${root}/tribe_events_cat?post=${id}` },
      ],
    }),
    ...Object.fromEntries(actionsOn(context, row).map(action => [`wp:action-${action}`, [{ href: self }]])),
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
  }
}
