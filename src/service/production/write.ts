import { isUnpublished, type Status } from '../../contract/post-status.ts'
import { fromUtc, toUtc } from '../../time/zone.ts'
import type { EventTimes, EventValues, Write, WriteDialect } from '../dialect.ts'
import { writeDialect as documented } from '../documented/write.ts'
import { findTerm, slugFor } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues } from '../request-context.ts'
import type { EventRow, PlaceTable, PostRow, TermTable } from '../store/rows.ts'
import { isFloating } from '../write/post-dates.ts'
import { writeTerm } from '../write/write-term.ts'
import { saved } from './list.ts'
import { couldNotCreate, findOverwritten, newPlace, prepare } from './prepare.ts'
import { withoutTags } from './wordpress-text.ts'

export const writeDialect: WriteDialect = {
  prepare,
  floats,
  /** A private event has none, through either API. */
  keepsPassword: status => status !== 'private',
  eventTimes,
  overwritten: findOverwritten,
  termIds,
  placeIds,

  /** It keeps its parent. */
  ownAncestor: before => before,

  /** A term may take another's name by an update, and the answer to a create that may not repeats the ID. */
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

  saved,

  /** Events that were never published have no slug unless one was sent. */
  slugFor: (context, of, row, title) =>
    'title' in row && row.slug === '' && isUnpublished(row.status) ? '' : slugFor(context, of, row, title),

  /** Records created before a linked venue or organizer failed are kept. */
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

/** The events API clears the date of every event that is not public yet, and that of places which never were. */
function floats(status: Status, old?: PostRow): boolean {
  return isUnpublished(status) && (old === undefined || 'title' in old || isFloating(old))
}

/**
 * Start and end count only together; an end before the start becomes the start, though not in UTC. Without `timezone`, the zone is
 * reset to the site's, and the dates in UTC follow only if the dates are written.
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
 * Unknown IDs are skipped, unknown names become new terms. The ID of a tag that was found by name is then looked up as a name,
 * which usually does not exist: a tag named `12` is created.
 */
function termIds(write: Write, of: TermTable, termLinks: readonly (number | string | symbol)[]): number[] {
  const { context } = write
  const terms = termLinks.filter(term => typeof term !== 'symbol')
  if (terms.length < termLinks.length)
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
