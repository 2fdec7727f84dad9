import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { slugOf } from '../../contract/slug.ts'
import { lookupTable } from '../../memoize.ts'
import type { Write } from '../dialect.ts'
import { freeSlug } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues, RequestContext } from '../request-context.ts'
import type { PlaceTable, Rows } from '../store/rows.ts'
import { nameOf } from '../write/write-post.ts'
import { removeSlashes, withoutTags } from './wordpress-text.ts'

type Row = Rows[ResourceName]

/** The values that a write sets: what was sent, as WordPress stores it, and what an update resets because it was left out. */
export function prepare(write: Write, of: ResourceName, values: ParameterValues, old?: Row): ParameterValues {
  const sent = asWordPressStores(values)
  checkName(of, sent)
  switch (of) {
    case 'events':
      return old ? { ...resets(of), ...withoutEmptyVenue(sent) } : { ...sent, cost: sent.cost === '0' ? '' : sent.cost }
    case 'venues':
    case 'organizers':
      return old ? { ...resets(of), ...sent } : newPlace(write.context, of, values)
    default:
      checkSlug(write, of, sent, old)
      return sent
  }
}

/**
 * The values of a new venue or organizer. `stateprovince` is set on creation and not later; an existing record that is
 * overwritten keeps the spelling of its name.
 */
export function newPlace(context: RequestContext, of: PlaceTable, values: ParameterValues): ParameterValues {
  const sent = asWordPressStores(values)
  checkName(of, sent)
  const name = of === 'venues' ? 'venue' : 'organizer'
  const existing = findOverwritten(context, of, String(sent[name]))
  return {
    ...(of === 'venues' && !existing && { stateprovince: sent.state || sent.province }),
    ...sent,
    ...(existing && { [name]: nameOf(existing) }),
  }
}

/** A venue or organizer of this name in any case, unless it is in the trash: a new one overwrites it. */
export function findOverwritten<T extends PlaceTable>(
  { store, language }: RequestContext,
  of: T,
  name: string,
): Rows[T] | undefined {
  const wanted = name.toLowerCase()
  for (const row of store.table(of).values())
    if (row.lang_code === language && row.status !== 'trash' && nameOf(row).toLowerCase() === wanted) return row
  return undefined
}

export function couldNotCreate(of: PlaceTable): Refusal {
  const singular = of === 'venues' ? 'venue' : 'organizer'
  const message = `The ${singular} could not be created from the provided data`
  return new Refusal(400, `could-not-create-${singular}`, message)
}

/** What an update resets because it was not sent: a draft is published, a price is lost, organizers are removed. */
const resets = (of: ResourceName): ParameterValues =>
  Object.fromEntries(
    Object.entries(resourceNamed(of).fields)
      .filter(([, { preserved }]) => preserved)
      .map(([name, field]) => [name, field.kind.empty]),
  )

/** A venue cannot be removed from an event. */
const withoutEmptyVenue = ({ venue, ...sent }: ParameterValues): ParameterValues =>
  Array.isArray(venue) && venue.length > 0 ? { ...sent, venue } : sent

/** How WordPress stores the texts that are fields of its own posts and terms. */
const texts: Readonly<Record<string, (text: string) => string>> = lookupTable({
  title: removeSlashes,
  description: removeSlashes,
  excerpt: removeSlashes,
  venue: removeSlashes,
  organizer: removeSlashes,
  name: text => withoutTags(removeSlashes(text)),
})

const asWordPressStores = (values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? (texts[name]?.(value) ?? value) : value]),
  )

/** In bytes: the size of the column in WordPress's database. */
const longestTitle = 65_535

/** A name of spaces passes the check of parameters and fails here, with another error. */
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
