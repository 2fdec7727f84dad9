import { lookupTable } from '../../base/memoize.ts'
import { fromUtc, toUtc } from '../../base/time/zone.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { currencyIn } from '../../contract/kinds/currency.ts'
import { isUnpublished, type Status } from '../../contract/post-status.ts'
import { slugOf } from '../../contract/slug.ts'
import type { EventTimes, EventValues, ParameterValues, RequestContext, Write, WriteDialect } from '../dialect.ts'
import { writeDialect as documented } from '../documented/write.ts'
import { findTerm, freeSlug, slugFor } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import type { EventRow, PlaceTable, PostRow, Rows, TermTable } from '../store/rows.ts'
import { isFloating } from '../write/stored-values.ts'
import { nameOf, writeTerm } from '../write/write-record.ts'
import { effects } from './effects.ts'
import { saved } from './list.ts'
import { currencyColumn, currencyOfRow } from './render.ts'
import { removeSlashes, withoutTags } from './wordpress-text.ts'

export const writeDialect: WriteDialect = {
  prepare,
  floats,
  /** A private event has none, whichever API writes it. */
  keepsPassword: status => status !== 'private',
  /** Each write takes symbol and position from the text of the cost; the code stays. */
  currency: (cost, old) => currencyColumn(cost, { ...currencyIn(cost), code: old ? currencyOfRow(old).code : '' }),
  eventTimes,
  overwritten: findOverwritten,
  termIds,
  placeIds,

  /** It keeps its parent. */
  ownAncestor: before => before,

  /** An update may give a term another's name; a create that may not answers with the ID of that term. */
  checkTermName(context, of, term, old) {
    if (old) return
    try {
      documented.checkTermName(context, of, term)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const id = error.data?.term_id
      throw error.with({ extra: { additional_data: [id, id] } })
    }
  },

  effects,
  saved,

  /** Events that were never published have no slug unless one was sent. */
  slugFor: (context, of, row, title) =>
    'title' in row && row.slug === '' && isUnpublished(row.status) ? '' : slugFor(context, of, row, title),

  /** Records that were created before a linked venue or organizer failed are kept. */
  async commit(store, work) {
    const outcome = await store.write(writing => {
      try {
        return { result: work(writing) }
      } catch (error) {
        if (error instanceof Refusal && error.code.startsWith('could-not-create-')) return { error }
        throw error
      }
    })
    if ('error' in outcome) throw outcome.error
    return outcome.result
  },
}

/** The events API clears the date of every event that is not public yet, and of places that never were. */
function floats(status: Status, old?: PostRow): boolean {
  return isUnpublished(status) && (old === undefined || 'title' in old || isFloating(old))
}

/**
 * Start and end count only together; an end before the start becomes the start, but not in UTC. Without `timezone`, the zone is reset to
 * that of the site, and the dates in UTC follow only if the dates are written.
 */
function eventTimes(write: Write, { start_date, end_date, ...values }: EventValues, old?: EventRow): EventTimes {
  const timezone = values.timezone || write.context.store.site.timezone
  const all_day = values.all_day ?? false
  const hasDates = start_date && end_date
  if (old && !hasDates && !all_day) return { ...whenOf(old), all_day, timezone }
  const [start, end] = hasDates ? [start_date, end_date] : [old?.start_date ?? '', old?.end_date ?? '']
  const utc_start_date = toUtc(all_day ? `${start.slice(0, 10)} 00:00:00` : start, timezone)
  const utc_end_date = toUtc(all_day ? `${end.slice(0, 10)} 23:59:59` : end, timezone)
  const first = fromUtc(utc_start_date, timezone)
  const last = utc_end_date < utc_start_date ? first : fromUtc(utc_end_date, timezone)
  return { all_day, timezone, start_date: first, end_date: last, utc_start_date, utc_end_date }
}

const whenOf = ({ start_date, end_date, utc_start_date, utc_end_date }: EventRow) => ({
  start_date,
  end_date,
  utc_start_date,
  utc_end_date,
})

function placeIds(write: Write, of: PlaceTable, placeLinks: readonly (number | ParameterValues | symbol)[]): number[] {
  const links = placeLinks.filter(link => typeof link !== 'symbol')
  if (links.length < placeLinks.length) throw couldNotCreate(of)
  return documented.placeIds(
    write,
    of,
    links.map(link => (typeof link === 'number' ? link : newPlace(write.context, of, link))),
  )
}

/** WordPress's message when its code fails, as it does on objects among terms. */
const criticalError =
  '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>'

/**
 * Unknown IDs are skipped, unknown names become new terms. The ID of a tag that was found by name is then looked up as a name, which
 * usually does not exist: a tag named `12` is created.
 */
function termIds(write: Write, of: TermTable, termLinks: readonly (number | string | symbol)[]): number[] {
  const { context } = write
  const terms = termLinks.filter(term => typeof term !== 'symbol')
  if (terms.length < termLinks.length)
    throw new Refusal(500, 'internal_server_error', criticalError).with({ extra: { additional_errors: [] } })
  const known = (id: number) => context.store.table(of).get(id)?.lang_code === context.language
  const linked = (name: string): number =>
    (findTerm(context, of, name) ?? writeTerm(write, of, { name: withoutTags(name) })).id
  const ids = terms.flatMap(term => {
    if (typeof term === 'number') return known(term) ? [term] : []
    const found = findTerm(context, of, term)
    return [of === 'tags' && found ? linked(String(found.id)) : linked(term)]
  })
  return [...new Set(ids)]
}

type Row = Rows[ResourceName]

/**
 * The values that a write sets: what was sent, in the form in which WordPress stores it, and what an update resets because it was left out.
 */
function prepare(write: Write, of: ResourceName, values: ParameterValues, old?: Row): ParameterValues {
  const sent = asWordPressStores(values)
  checkName(of, sent)
  switch (of) {
    case 'events':
      return old ? { ...resets(of), ...withoutEmptyVenue(sent) } : { ...sent, cost: sent.cost === '0' ? '' : sent.cost }
    case 'venues':
    case 'organizers':
      return old ? { ...resets(of), ...sent } : newPlace(write.context, of, values)
    default:
      checkTerm(write.context, of, sent, old)
      return sent
  }
}

/**
 * The values of a new venue or organizer. `stateprovince` is set on creation and not later; an existing record that is
 * overwritten keeps the spelling of its name.
 */
function newPlace(context: RequestContext, of: PlaceTable, values: ParameterValues): ParameterValues {
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

/** A venue or organizer with this name, regardless of case, unless it is in the trash: a new one overwrites it. */
function findOverwritten<T extends PlaceTable>({ store, language }: RequestContext, of: T, name: string) {
  const wanted = name.toLowerCase()
  for (const row of store.table(of).values())
    if (row.lang_code === language && row.status !== 'trash' && nameOf(row).toLowerCase() === wanted) return row
  return undefined
}

function couldNotCreate(of: PlaceTable): Refusal {
  const singular = of === 'venues' ? 'venue' : 'organizer'
  const message = `The ${singular} could not be created from the provided data`
  return new Refusal(400, `could-not-create-${singular}`, message)
}

/** What an update resets because it was not sent: a draft is published, a price is lost, organizers are removed. */
const resets = (of: ResourceName): ParameterValues =>
  Object.fromEntries(
    Object.entries(resourceNamed(of).fields)
      .filter(([, { site }]) => site?.resets)
      .map(([name, field]) => [name, field.kind.empty]),
  )

/** A venue cannot be removed from an event. */
const withoutEmptyVenue = ({ venue, ...sent }: ParameterValues): ParameterValues =>
  Array.isArray(venue) && venue.length > 0 ? { ...sent, venue } : sent

/** How WordPress stores the texts in fields of its own posts and terms. */
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

/** A name of spaces passes the check of parameters but fails here, with another error. */
function checkName(of: ResourceName, { title, description, excerpt, venue, organizer }: ParameterValues): void {
  if (of === 'events' && title === '' && !description && !excerpt)
    throw new Refusal(500, 'empty_content', 'Content, title, and excerpt are empty.', null)
  if (typeof title === 'string' && Buffer.byteLength(title) > longestTitle)
    throw new Refusal(500, 'db_insert_error', 'Could not insert post into the database.', null)
  if (of === 'venues' && venue === '') throw couldNotCreate('venues')
  if (of === 'organizers' && organizer === '') throw couldNotCreate('organizers')
}

/** A term needs a name, and an existing one cannot take the slug of another. */
export function checkTerm(context: RequestContext, of: TermTable, { name, slug }: ParameterValues, old?: Row): void {
  if (name === '') throw new Refusal(500, 'empty_term_name', 'A name is required for this term.', null)
  if (!old || !slug || typeof slug !== 'string') return
  const wanted = slugOf(slug)
  if (freeSlug(context.store, of, wanted, old) !== wanted)
    throw new Refusal(
      500,
      'duplicate_term_slug',
      `The slug &#8220;${wanted}&#8221; is already in use by another term.`,
      null,
    )
}
