import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { emptyValue } from '../../contract/kinds.ts'
import { isUnpublished } from '../../contract/posts.ts'
import { slugOf } from '../../contract/slug.ts'
import type { Write } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues, RequestContext } from '../request-context.ts'
import { freeSlug } from '../slug.ts'
import type { PlaceTable, Rows } from '../store/rows.ts'
import { nameOf } from '../write/places.ts'
import { isFloating } from './render.ts'
import { unescaped, withoutTags } from './wordpress-text.ts'

type Row = Rows[ResourceName]

/** What a write sets: what was given as WordPress stores it, and in an update what falls back because it was left out. */
export function prepare(write: Write, of: ResourceName, values: ParameterValues, old?: Row): ParameterValues {
  const given = stored(values)
  checkName(of, given)
  switch (of) {
    case 'events':
      return old ? { ...resets(of), ...changed(given) } : { ...given, cost: given.cost === '0' ? '' : given.cost }
    case 'venues':
    case 'organizers':
      return old ? { ...resets(of), ...redated(old), ...given } : newPlace(write.context, of, values)
    default:
      checkSlug(write, of, given, old)
      return given
  }
}

/**
 * What a new venue or organizer sets. Where a venue is, in one word, is told when it is created and not later; one that is
 * written over keeps its name as it was spelt.
 */
export function newPlace(context: RequestContext, of: PlaceTable, values: ParameterValues): ParameterValues {
  const given = stored(values)
  checkName(of, given)
  const name = of === 'venues' ? 'venue' : 'organizer'
  const known = overwritten(context, of, String(given[name]))
  return {
    ...(of === 'venues' && !known && { stateprovince: given.state || given.province }),
    ...given,
    ...(known && { [name]: nameOf(known) }),
  }
}

/** A venue or organizer of this name in any case, unless it is in the trash: a new one is written over it. */
export function overwritten<T extends PlaceTable>(
  { store, language }: RequestContext,
  of: T,
  name: string,
): Rows[T] | undefined {
  const wanted = name.toLowerCase()
  for (const row of store.table(of).values())
    if (row.lang_code === language && row.status !== 'trash' && nameOf(row).toLowerCase() === wanted) return row
  return undefined
}

/** Refuses a venue or organizer that cannot be made of what was sent. */
export function couldNotCreate(of: PlaceTable): Refusal {
  const singular = of === 'venues' ? 'venue' : 'organizer'
  const message = `The ${singular} could not be created from the provided data`
  return new Refusal(400, `could-not-create-${singular}`, message)
}

/** A draft is dated by its last change. */
const redated = (old: Row): ParameterValues =>
  'status' in old && !('title' in old) && isUnpublished(old.status) && isFloating(old) ? { date: null } : {}

/** What an update resets because it left it out: a draft is published, a price is lost, organizers are gone. */
const resets = (of: ResourceName): ParameterValues =>
  Object.fromEntries(
    Object.entries(resourceNamed(of).fields)
      .filter(([, { preserved }]) => preserved)
      .map(([name, field]) => [name, emptyValue(field)]),
  )

/** A venue cannot be unset. */
const changed = ({ venue, ...given }: ParameterValues): ParameterValues =>
  Array.isArray(venue) && venue.length > 0 ? { ...given, venue } : given

/** How WordPress stores the texts that pass through its own fields of a post or term. */
const texts: Readonly<Record<string, (text: string) => string>> = {
  title: unescaped,
  description: unescaped,
  excerpt: unescaped,
  venue: unescaped,
  organizer: unescaped,
  name: text => withoutTags(unescaped(text)),
}

const stored = (values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? (texts[name]?.(value) ?? value) : value]),
  )

/** In bytes: what the column of WordPress's database holds. */
const longestTitle = 65_535

/** A name of spaces is noticed too late to be a wrong parameter. */
function checkName(of: ResourceName, { title, description, excerpt, venue, organizer, name }: ParameterValues): void {
  if (of === 'events' && title === '' && !description && !excerpt)
    throw new Refusal(500, 'empty_content', 'Content, title, and excerpt are empty.', null)
  if (typeof title === 'string' && Buffer.byteLength(title) > longestTitle)
    throw new Refusal(500, 'db_insert_error', 'Could not insert post into the database.', null)
  if (of === 'venues' && venue === '') throw couldNotCreate('venues')
  if (of === 'organizers' && organizer === '') throw couldNotCreate('organizers')
  if (name === '') throw new Refusal(500, 'empty_term_name', 'A name is required for this term.', null)
}

function checkSlug({ context }: Write, of: ResourceName, { slug }: ParameterValues, old?: Row): void {
  if (!old || typeof slug !== 'string') return
  const wanted = slugOf(slug)
  if (freeSlug(context.store, of, context.language, wanted, old.id) !== wanted)
    throw new Refusal(
      500,
      'duplicate_term_slug',
      `The slug &#8220;${wanted}&#8221; is already in use by another term.`,
      null,
    )
}
