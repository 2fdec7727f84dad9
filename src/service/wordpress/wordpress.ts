import { checkMayWrite } from '../access.ts'
import type { Context } from '../dialect.ts'
import { noRoute, Refusal } from '../refusal.ts'
import type { HandlerResult } from '../request-context.ts'
import type { PostTable, TermTable } from '../store/rows.ts'
import { getPost, listPosts, patchPost, trashPost } from './wp-posts.ts'
import { deleteTerm, getTerm, listTerms, patchTerm } from './wp-terms.ts'

/**
 * WordPress's own API, `wp/v2`, next to the events API: the same records, with their texts as they are stored, in lists of a
 * hundred, and with updates that are true patches. `--quirks` answers it as a site with The Events Calendar does. What calctl
 * does not use (creating posts, comments, users) is no route here. `path` is below `/wp/v2`.
 */
export async function answerWordPress(context: Context, method: string, path: string): Promise<HandlerResult> {
  if (method !== 'GET' && context.readOnly) checkMayWrite(context)
  const [, collection = '', item, ...others] = path.replace(/\/$/, '').split('/')
  if (others.length > 0) throw noRoute()
  if (method === 'GET' && collection === 'types' && item === undefined) return types(context)
  if (method === 'GET' && collection === 'users' && item === 'me') return currentUser(context)
  const id = item !== undefined && /^\d+$/.test(item) ? Number(item) : undefined
  if (item !== undefined && id === undefined) throw noRoute()
  const postTable = postTables[collection]
  if (postTable) return answerPost(context, postTable, method, id)
  const termTable = termTables[collection]
  if (termTable) return answerTerm(context, termTable, method, id)
  throw noRoute()
}

const postTables: Readonly<Record<string, PostTable>> = {
  tribe_events: 'events',
  tribe_venue: 'venues',
  tribe_organizer: 'organizers',
}

const termTables: Readonly<Record<string, TermTable>> = { tribe_events_cat: 'categories', tags: 'tags' }

const updates = new Set(['POST', 'PUT', 'PATCH'])

function answerPost(
  context: Context,
  of: PostTable,
  method: string,
  id: number | undefined,
): Promise<HandlerResult> | HandlerResult {
  if (id === undefined && method === 'GET') return listPosts(context, of)
  if (id !== undefined && method === 'GET') return getPost(context, of, id)
  if (id !== undefined && updates.has(method)) return patchPost(context, of, id)
  if (id !== undefined && method === 'DELETE') return trashPost(context, of, id)
  throw noRoute()
}

function answerTerm(
  context: Context,
  of: TermTable,
  method: string,
  id: number | undefined,
): Promise<HandlerResult> | HandlerResult {
  if (id === undefined && method === 'GET') return listTerms(context, of)
  if (id !== undefined && method === 'GET') return getTerm(context, of, id)
  if (id !== undefined && updates.has(method)) return patchTerm(context, of, id)
  if (id !== undefined && method === 'DELETE') return deleteTerm(context, of, id)
  throw noRoute()
}

/** Which post types have routes. `_fields` that reach into a type leave nothing of it, as on a real site. */
function types({ parameters }: Context): HandlerResult {
  const isNested = typeof parameters._fields === 'string' && parameters._fields.includes('.')
  const entries = Object.keys(postTables).map(name => [name, isNested ? [] : { slug: name, rest_base: name }])
  return { status: 200, body: Object.fromEntries(entries) }
}

/** Everybody with a user name is an administrator here. */
function currentUser({ caller }: Context): HandlerResult {
  if (caller === 'public') throw new Refusal(401, 'rest_not_logged_in', 'You are not currently logged in.')
  const capabilities = Object.fromEntries(
    Object.keys(postTables)
      .map(name => (name.endsWith('s') ? name : `${name}s`))
      .flatMap(plural =>
        ['edit', 'publish', 'delete', 'edit_others', 'edit_published'].map(may => [`${may}_${plural}`, true]),
      ),
  )
  return {
    status: 200,
    body: {
      id: 1,
      name: 'admin',
      slug: 'admin',
      roles: ['administrator'],
      capabilities: { ...capabilities, upload_files: true },
    },
  }
}
