import type { DateText } from '../../base/time/dates.ts'
import { fromUtc } from '../../base/time/zone.ts'
import type { Context, EventTimes, EventValues, ParameterValues, Write, WriteDialect } from '../dialect.ts'
import { findRecord, findTerm, slugFor, termsNamed } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import { invalidParameters } from '../request/check-parameters.ts'
import type { CategoryRow, EventRow, PlaceTable, TermRow, TermTable } from '../store/rows.ts'
import { inTrash, isPostTable } from '../write/put.ts'
import { readCheckedDate, utcOf } from '../write/stored-values.ts'
import { parentOf, writePlace, writeTerm } from '../write/write-record.ts'

export const writeDialect: WriteDialect = {
  /** Fields that are left out stay; a record in the trash can be changed only by restoring it. */
  prepare(_write, of, values, old) {
    const isTrashed = old !== undefined && 'status' in old && old.status === 'trash'
    if (isTrashed && isPostTable(of) && (values.status ?? 'trash') === 'trash') throw inTrash(of)
    return values
  },
  floats: () => false,
  currency: () => '',
  keepsPassword: () => true,
  eventTimes,
  overwritten: () => undefined,
  termIds,
  placeIds,
  ownAncestor,
  checkTermName,
  slugFor,
  effects: () => {},
  saved: () => {},
  commit: (store, work) => store.write(work),
}

/** The dates that were sent, and those of the event for the ones that were left out. */
function eventTimes(write: Write, values: EventValues, old?: EventRow): EventTimes {
  const timezone =
    values.timezone === undefined && old ? old.timezone : values.timezone || write.context.store.site.timezone
  const all_day = values.all_day === undefined ? (old?.all_day ?? false) : (values.all_day ?? false)
  const sameClock = old !== undefined && timezone === old.timezone && !all_day
  const moment = (name: 'start_date' | 'end_date', dayEdge: string): string => {
    const sent = values[name]
    if (!sent && sameClock) return old[`utc_${name}`]
    const date: DateText = sent ? readCheckedDate(sent) : { wall: old?.[name] ?? '', dayOnly: false }
    if (!all_day) return utcOf(write, name, date, timezone)
    const day = fromUtc(utcOf(write, name, date, timezone), timezone).slice(0, 10)
    return utcOf(write, name, { wall: `${day} ${dayEdge}`, dayOnly: false }, timezone)
  }
  const utc_start_date = moment('start_date', '00:00:00')
  const utc_end_date = moment('end_date', '23:59:59')
  const start_date = fromUtc(utc_start_date, timezone)
  const end_date = fromUtc(utc_end_date, timezone)
  if (utc_end_date < utc_start_date)
    throw invalidParameters({
      end_date: { problem: `Expected a date that is not before the start, ${start_date}; got ${end_date}.` },
    })
  return { all_day, timezone, start_date, end_date, utc_start_date, utc_end_date }
}

/** Terms are linked by ID, name or slug; an unknown name becomes a new term. */
function termIds(write: Write, of: TermTable, terms: readonly (number | string)[]): number[] {
  const ids = terms.map(term =>
    typeof term === 'number'
      ? findRecord(write.context, of, { id: term }).id
      : (findTerm(write.context, of, term) ?? writeTerm(write, of, { name: term })).id,
  )
  return [...new Set(ids)]
}

/** Venues and organizers are linked by ID; those sent inline are created. */
function placeIds(write: Write, of: PlaceTable, links: readonly (number | ParameterValues)[]): number[] {
  const ids = links.map(link =>
    typeof link === 'number' ? findRecord(write.context, of, { id: link }).id : writePlace(write, of, link).id,
  )
  return [...new Set(ids)]
}

function ownAncestor(): never {
  throw invalidParameters({
    parent: {
      problem: 'Expected another category that is not below this one: a category cannot be its own ancestor.',
    },
  })
}

/** Names are unique regardless of case: categories among the children of a parent, tags everywhere. */
function checkTermName({ store }: Context, of: TermTable, term: TermRow | CategoryRow): void {
  const other = termsNamed(store, of, term.lang_code, term.name).find(
    candidate => candidate.id !== term.id && parentOf(candidate) === parentOf(term),
  )
  if (!other) return
  const where = of === 'categories' ? 'with this parent' : 'in this taxonomy'
  throw new Refusal(400, 'term_exists', `A term with the name provided already exists ${where}.`, { term_id: other.id })
}
