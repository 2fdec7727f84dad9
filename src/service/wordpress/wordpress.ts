/**
 * WordPress's own API, `wp/v2`, next to the events API: the same records, with their texts as they are stored, in lists of a
 * hundred, and with updates that are true patches. `--quirks` answers it as a site with The Events Calendar does. What calctl
 * does not use (creating posts, comments, users) is no route here; images can be uploaded.
 */

import { resourceNamed } from '../../contract/contract.ts'
import { forbidden, mayEditAll, mayPublish, mayWritePosts } from '../access.ts'
import type { Context, HandlerResult, Role } from '../dialect.ts'
import { Refusal } from '../refusal.ts'

const postTypes = (['events', 'venues', 'organizers'] as const).map(name => resourceNamed(name).wordpress)

/** Which post types have routes. `_fields` that reach into a type leave nothing of it, as on a real site. */
export function types(context: Context): HandlerResult {
  const { parameters } = context
  if (parameters.context === 'edit' && !mayWritePosts(context))
    throw forbidden(context, 'rest_cannot_view', 'Sorry, you are not allowed to edit posts in this post type.')
  const isNested = typeof parameters._fields === 'string' && parameters._fields.includes('.')
  const entries = postTypes.map(name => [name, isNested ? [] : { slug: name, rest_base: name }])
  return { status: 200, body: Object.fromEntries(entries) }
}

/** Who the caller is, with what they may do. */
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
