import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Problems, RefusalDialect } from '../dialect.ts'
import { refusalDialect as documented, notAccessible } from '../documented/refusals.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues, RecordRef, RequestContext, Scope } from '../request-context.ts'
import type { Operation } from '../routes.ts'
import type { EventRow, PostRow, Rows } from '../store/rows.ts'

export const refusalDialect: RefusalDialect = {
  invalid,
  notFound,
  checkRoute,
  wrongCredentials: {
    name: () => '<strong>Error:</strong> Unknown username. Check again or try your email address.',
    password: 'The provided password is an invalid application password.',
  },
  checkMayRead,
}

/** All that is said of most parameters. */
export const invalidParameter = 'Invalid parameter.'

const typeProblem = / is not of type \w+\.$/

/** What is said of the one parameter that another plugin takes. */
export const noTickets = 'Event Tickets plugin is not activated.'

/** Refuses parameters; those whose type is wrong are only spoken of when nothing else is wrong. */
function invalid(all: Problems): Refusal {
  const others = Object.entries(all).filter(([, problem]) => !typeProblem.test(problem))
  const told = others.length > 0 ? others : Object.entries(all)
  const details = told
    .filter(([, message]) => message !== invalidParameter)
    .map(([name, message]) => [name, { message, ...detailOf(name, message) }])
  return new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${told.map(([name]) => name).join(', ')}`, {
    params: Object.fromEntries(told),
    details: details.length > 0 ? Object.fromEntries(details) : [],
  })
}

const detailOf = (name: string, message: string): object =>
  message === noTickets
    ? { code: 'event-tickets-not-active', data: { status: 400 } }
    : { code: 'rest_invalid_type', data: { param: name } }

/**
 * Unknown ids of venues, organizers and terms, and unknown slugs, are wrong parameters; ids of events are looked up later, and so
 * is the slug of an event to update. Tags have no parents.
 */
function checkRoute(
  { store, language }: Scope,
  resource: Resource,
  verb: Operation,
  ref: RecordRef | undefined,
  parameters: ParameterValues,
): Problems {
  if (resource.name === 'tags' && (verb === 'create' || verb === 'update') && parameters.parent !== undefined)
    throw new Refusal(400, 'rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.')
  if (!ref || (resource.name === 'events' && ('id' in ref || verb === 'update'))) return {}
  const row = 'id' in ref ? store.table(resource.name).get(ref.id) : store.bySlug(resource.name, language, ref.slug)
  if (row?.lang_code === language) return {}
  return { ['id' in ref ? 'id' : 'slug']: invalidParameter }
}

/** The largest integer of PHP: larger ids are cut to it. */
const largest = '9223372036854775807'

/** An event that is not there: an id of another kind of post is told apart, a slug is nobody's, which has the id 0. */
function notFound(context: RequestContext, of: ResourceName, ref: RecordRef, elsewhere?: Rows[ResourceName]): Refusal {
  if (of !== 'events' || elsewhere) return documented.notFound(context, of, ref, elsewhere)
  const id = 'id' in ref ? ref.id : 0
  const isOther = (['venues', 'organizers', 'images'] as const).some(name => context.store.table(name).get(id))
  if (isOther) return new Refusal(400, 'rest-invalid-event-id', 'The specified ID is not a valid event.')
  const shown = id >= Number.MAX_SAFE_INTEGER ? largest : id
  return new Refusal(404, 'rest-event-not-found', `Event with ID ${shown} does not exist.`)
}

/** Parameters win over the path: an `id` or a `slug` in a body says which record is meant. */
export function refOf(ref: RecordRef, { id, slug }: ParameterValues): RecordRef {
  if ('id' in ref) return /^\d+$/.test(String(id)) ? { id: Number(id) } : ref
  return typeof slug === 'string' ? { slug } : ref
}

/**
 * A password keeps editors out too, unless they read in order to edit; a venue or organizer in the trash is no different from any
 * that is not published.
 */
function checkMayRead(context: RequestContext, resource: Resource, row: PostRow): void {
  if ('title' in row) {
    const isEditing = context.caller === 'editor' && context.query.some(pair => pair.join('=') === 'context=edit')
    documented.checkMayRead(isEditing ? context : asPublic(context, row), resource, row)
  } else if (context.caller === 'public' && row.status !== 'publish') throw notAccessible(resource.singular)
}

/** Editors read what is published as the public does. */
const asPublic = (context: RequestContext, { status }: EventRow): RequestContext =>
  status === 'publish' ? { ...context, caller: 'public' } : context
