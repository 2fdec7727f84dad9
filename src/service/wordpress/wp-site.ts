import { resourceNamed } from '../../contract/contract.ts'
import type { Context } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import type { HandlerResult } from '../request-context.ts'

const postTypes = (['events', 'venues', 'organizers'] as const).map(name => resourceNamed(name).wordpress)

/** Which post types have routes. `_fields` that reach into a type leave nothing of it, as on a real site. */
export function types({ parameters, caller }: Context): HandlerResult {
  if (parameters.context === 'edit' && caller === 'public')
    throw new Refusal(401, 'rest_cannot_view', 'Sorry, you are not allowed to edit posts in this post type.')
  const isNested = typeof parameters._fields === 'string' && parameters._fields.includes('.')
  const entries = postTypes.map(name => [name, isNested ? [] : { slug: name, rest_base: name }])
  return { status: 200, body: Object.fromEntries(entries) }
}

/** Who the caller is, with the capabilities that count here. */
export function currentUser({ caller, user }: Context): HandlerResult {
  if (caller === 'public') throw new Refusal(401, 'rest_not_logged_in', 'You are not currently logged in.')
  const plurals = postTypes.map(name => (name.endsWith('s') ? name : `${name}s`))
  const verbs = caller === 'editor' ? editorVerbs : contributorVerbs
  const capabilities = plurals.flatMap(plural => verbs.map(verb => [`${verb}_${plural}`, true]))
  const isEditor = caller === 'editor'
  return {
    status: 200,
    body: {
      id: user.id,
      name: user.name,
      slug: user.name,
      roles: [isEditor ? 'administrator' : 'contributor'],
      capabilities: { ...Object.fromEntries(capabilities), ...(isEditor && { upload_files: true }) },
    },
  }
}

const contributorVerbs = ['edit', 'delete']

const editorVerbs = [...contributorVerbs, 'publish', 'edit_others', 'edit_published']
