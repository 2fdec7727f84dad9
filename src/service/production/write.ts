import { isUnpublished } from '../../contract/posts.ts'
import { fromUtc, toUtc } from '../../time/zone.ts'
import type { EventTimes, Write, WriteDialect } from '../dialect.ts'
import { writeDialect as documented } from '../documented/write.ts'
import { findTerm } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues } from '../request-context.ts'
import { slugFor } from '../slug.ts'
import type { EventRow, PlaceTable, TermTable } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import { writeTerm } from '../write/terms.ts'
import { couldNotCreate, newPlace, overwritten, prepare } from './prepare.ts'
import { withoutTags } from './wordpress-text.ts'

export const writeDialect: WriteDialect = {
  prepare,
  eventTimes,
  overwritten,
  termIds,
  placeIds,

  /** It stays where it is. */
  ownAncestor: before => before,

  /** A term may be renamed to another's name; whose name is taken is told three times. */
  checkTermName(context, of, term, old) {
    if (old) return
    try {
      documented.checkTermName(context, of, term)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const id = error.data?.term_id
      throw new Refusal(error.status, error.code, error.message, error.data, { additional_data: [id, id] })
    }
  },

  /** Events that are not published yet have no slug, unless they were given one. */
  slugFor: (context, of, row, title) =>
    'title' in row && row.slug === '' && isUnpublished(row.status) ? '' : slugFor(context, of, row, title),

  /** What was made on the way to a venue or organizer that could not be made stays behind. */
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

/**
 * When an event is. A new event and both dates together are taken as they are; an end before the start becomes the start, though
 * not in UTC. One date alone is ignored. The time zone goes back to the site's unless it is given, and takes the dates in UTC
 * with it only when they are written.
 */
function eventTimes(write: Write, { start_date, end_date, ...values }: EventValues, old?: EventRow): EventTimes {
  const timezone = values.timezone || write.context.store.site.timezone
  const all_day = values.all_day ?? false
  const isGiven = start_date && end_date
  if (old && !isGiven && !all_day) return { ...whenOf(old), all_day, timezone }
  const [start, end] = isGiven ? [start_date, end_date] : [old?.start_date ?? '', old?.end_date ?? '']
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

/** The ids of linked venues or organizers. */
function placeIds(write: Write, of: PlaceTable, given: readonly (number | ParameterValues | symbol)[]): number[] {
  const links = given.filter(link => typeof link !== 'symbol')
  if (links.length < given.length) throw couldNotCreate(of)
  return documented.placeIds(
    write,
    of,
    links.map(link => (typeof link === 'number' ? link : newPlace(write.context, of, link))),
  )
}

/** What WordPress says when its code fails; objects as terms make it. */
const criticalError =
  '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>'

/**
 * The ids of linked categories or tags. Unknown ids are passed over, unknown names become new terms. The id of a tag that was
 * found by name is taken for a name in its turn, which is nobody's as a rule: a tag named `12` appears.
 */
function termIds(write: Write, of: TermTable, given: readonly (number | string | symbol)[]): number[] {
  const { context } = write
  const terms = given.filter(term => typeof term !== 'symbol')
  if (terms.length < given.length)
    throw new Refusal(500, 'internal_server_error', criticalError, {}, { additional_errors: [] })
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
