/**
 * How The Events Calendar for WordPress differs from its documentation, measured on a real site. The files are those of `documented/`, and
 * others for what only this dialect needs: texts, JSON-LD, PHP's dates, and what an update resets.
 */
import { once } from '../../base/memoize.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { mayEdit, mayWritePosts } from '../access.ts'
import type {
  Dialect,
  Operation,
  ParameterValues,
  Problems,
  RecordRef,
  RefusalDialect,
  RequestContext,
  Scope,
} from '../dialect.ts'
import { refusalDialect as documented, notAccessible } from '../documented/check.ts'
import { Refusal } from '../refusal.ts'
import { invalidParameters } from '../request/check-parameters.ts'
import type { EventRow, PostRow, Rows } from '../store/rows.ts'

import { check, invalidParameter } from './check.ts'
import { listDialect } from './list.ts'
import { renderDialect } from './render.ts'

const refusalDialect: RefusalDialect = {
  invalid,
  notFound,
  checkRoute,
  wrongCredentials: {
    name: () =>
      new Refusal(
        401,
        'invalid_username',
        '<strong>Error:</strong> Unknown username. Check again or try your email address.',
      ),
    password: () => new Refusal(401, 'incorrect_password', 'The provided password is an invalid application password.'),
  },
  checkMayRead,
}

/** Problems that are reported late count only if there are no others. */
function invalid(problems: Problems): Refusal {
  const first = Object.entries(problems).filter(([, { isLate }]) => !isLate)
  return invalidParameters(first.length > 0 ? Object.fromEntries(first) : problems, [])
}

/**
 * Unknown IDs of venues, organizers and terms, and unknown slugs, are wrong parameters. IDs of events are looked up later, and so is the
 * slug of an event to be updated. Tags have no parents.
 */
function checkRoute(
  { store, language, parameters }: Scope & Pick<RequestContext, 'parameters'>,
  resource: Resource,
  verb: Operation,
  ref: RecordRef | undefined,
): Problems {
  if (resource.name === 'tags' && (verb === 'create' || verb === 'update') && parameters.parent !== undefined)
    throw new Refusal(400, 'rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.')
  if (!ref || (resource.name === 'events' && ('id' in ref || verb === 'update'))) return {}
  const row = 'id' in ref ? store.table(resource.name).get(ref.id) : store.bySlug(resource.name, language, ref.slug)
  if (row?.lang_code === language) return {}
  return { ['id' in ref ? 'id' : 'slug']: invalidParameter }
}

/** The largest integer of PHP; larger IDs are reduced to it. */
const largestId = '9223372036854775807'

/** Events: the ID of another kind of post has a message of its own, and an unknown slug counts as the ID 0. */
function notFound(context: RequestContext, of: ResourceName, ref: RecordRef, elsewhere?: Rows[ResourceName]): Refusal {
  if (of !== 'events' || elsewhere) return documented.notFound(context, of, ref, elsewhere)
  const id = 'id' in ref ? ref.id : 0
  const isOtherPost = (['venues', 'organizers', 'images'] as const).some(name => context.store.table(name).get(id))
  if (isOtherPost) return new Refusal(400, 'rest-invalid-event-id', 'The specified ID is not a valid event.')
  const shownId = id >= Number.MAX_SAFE_INTEGER ? largestId : id
  return new Refusal(404, 'rest-event-not-found', `Event with ID ${shownId} does not exist.`)
}

/** An `id` or a `slug` among the parameters overrides the path. */
function refOf(ref: RecordRef, { id, slug }: ParameterValues): RecordRef {
  if ('id' in ref) return /^\d+$/.test(String(id)) ? { id: Number(id) } : ref
  return typeof slug === 'string' ? { slug } : ref
}

/**
 * Editors need the password of an event, too, except with `context=edit`. Venues and organizers in the trash are treated like any others
 * that are not published.
 */
function checkMayRead(context: RequestContext, resource: Resource, row: PostRow): void {
  if ('title' in row) {
    const isEditing = mayEdit(context, row) && context.query.some(pair => pair.join('=') === 'context=edit')
    documented.checkMayRead(isEditing ? { ...context, caller: 'editor' } : asPublic(context, row), resource, row)
  } else if (row.status !== 'publish' && !mayWritePosts(context)) throw notAccessible(resource.singular)
}

/** Editors read published records as the public does. */
const asPublic = (context: RequestContext, { status }: EventRow): RequestContext =>
  status === 'publish' ? { ...context, caller: 'public' } : context

export const production: Dialect = {
  ...listDialect,
  ...renderDialect,
  ...refusalDialect,
  check,
  loadWriteDialect: once(async () => (await import('./write.ts')).writeDialect),
  refOf,
  headers: {},
}
