import { checkMayWrite, forbidden, mayEditAll, mayPublish, mayWritePosts } from '../access.ts'
/**
 * WordPress's own API, `wp/v2`, next to the events API: the same records, with their texts as they are stored, in lists of a
 * hundred, and with updates that are true patches. `--quirks` answers it as a site with The Events Calendar does. What calctl
 * does not use (creating posts, comments, users) is no route here; images can be uploaded.
 */

import { lookupTable } from '../../base/memoize.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Context, HandlerResult, Role } from '../dialect.ts'
import { noRoute, Refusal } from '../refusal.ts'
import type { PostTable, TermTable } from '../store/rows.ts'
import { describeImage, getImage, listAttachments, removeImage, upload } from './attachments.ts'
import { getPost, listPosts, patchPost, trashPost } from './wp-posts.ts'
import { deleteTerm, getTerm, listTerms, patchTerm } from './wp-terms.ts'

type Answer = (context: Context, id: number) => Promise<HandlerResult> | HandlerResult

/** What the methods of a collection and of its items do; `me` is the item of that name. */
interface Collection {
  readonly create?: Answer
  readonly list?: Answer
  readonly me?: Answer
  readonly get?: Answer
  readonly patch?: Answer
  readonly remove?: Answer
}

const posts = (of: PostTable): Collection => ({
  list: context => listPosts(context, of),
  get: (context, id) => getPost(context, of, id),
  patch: (context, id) => patchPost(context, of, id),
  remove: (context, id) => trashPost(context, of, id),
})

const terms = (of: TermTable): Collection => ({
  list: context => listTerms(context, of),
  get: (context, id) => getTerm(context, of, id),
  patch: (context, id) => patchTerm(context, of, id),
  remove: (context, id) => deleteTerm(context, of, id),
})

const collections: Readonly<Record<string, Collection>> = lookupTable({
  tribe_events: posts('events'),
  tribe_venue: posts('venues'),
  tribe_organizer: posts('organizers'),
  tribe_events_cat: terms('categories'),
  tags: terms('tags'),
  media: {
    list: listAttachments,
    create: upload,
    get: getImage,
    patch: describeImage,
    remove: removeImage,
  },
  types: { list: types },
  users: { me: currentUser },
})

/** Answers a request to a path below `/wp/v2`. */
export async function answerWordPress(context: Context, method: string, path: string): Promise<HandlerResult> {
  const [, name = '', item, ...others] = path.replace(/\/$/, '').split('/')
  const verb = others.length === 0 ? verbOf(method, item) : undefined
  const answer = verb && Object.hasOwn(collections, name) ? collections[name]?.[verb] : undefined
  if (!answer) throw noRoute()
  if (context.readOnly && verb !== 'list' && verb !== 'get' && verb !== 'me') checkMayWrite(context)
  return answer(context, Math.min(Number(item ?? 0), Number.MAX_SAFE_INTEGER))
}

function verbOf(method: string, item: string | undefined): keyof Collection | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  if (item === undefined && method === 'POST') return 'create'
  if (item === undefined) return isRead ? 'list' : undefined
  if (item === 'me') return isRead ? 'me' : undefined
  if (!/^\d+$/.test(item)) return undefined
  if (isRead) return 'get'
  if (method === 'DELETE') return 'remove'
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'patch' : undefined
}

const postTypes = (['events', 'venues', 'organizers'] as const).map(name => resourceNamed(name).wordpress)

/** Which post types have routes. `_fields` that reach into a type leave nothing of it, as on a real site. */
function types(context: Context): HandlerResult {
  const { parameters } = context
  if (parameters.context === 'edit' && !mayWritePosts(context))
    throw forbidden(context, 'rest_cannot_view', 'Sorry, you are not allowed to edit posts in this post type.')
  const isNested = typeof parameters._fields === 'string' && parameters._fields.includes('.')
  const entries = postTypes.map(name => [name, isNested ? [] : { slug: name, rest_base: name }])
  return { status: 200, body: Object.fromEntries(entries) }
}

/** Who the caller is, with what they may do. */
function currentUser(context: Context): HandlerResult {
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
