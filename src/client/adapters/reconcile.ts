import { Failure, refused } from '../../base/failure.ts'
import { dayLength, msWall, nearestWall, readDate, wallMs } from '../../base/time/dates.ts'
import { momentIn } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { allDates, dateFilterNames, largestPage } from '../../contract/filter.ts'
import { noDate, statusLabel } from '../../contract/post-status.ts'
import { isEmptyIn, preservedFields } from '../../contract/record.ts'
import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { hasAll, threeWayMerge } from '../../contract/three-way-merge.ts'
import { isReferredTo } from '../answers.ts'
import type { CalendarApi, Reads, Ref, Values, WordPress } from '../client.ts'
import { findBySlug, hasName, isSimilar } from '../find/slugs.ts'
import { wholeListQuery } from '../find/whole-lists.ts'
import { isTrashCode } from '../http/problems/unavailable.ts'
import { hiddenInTrash } from './hidden-records.ts'

/**
 * The outcome of a lost write, found out by reading the calendar: the record if the write was carried out, `not done` if it certainly was
 * not, `undecided` otherwise.
 */
export type WriteOutcome = Answer | 'not done' | 'undecided'

/** A record that may have been created, and how to tell it from older ones. */
export interface CreateAttempt {
  readonly resource: Resource
  readonly values: Values
  /** When it was sent, by our clock, in ms. */
  readonly sent: number
  now(): number
  /** The highest ID known when it was sent, if any was. */
  readonly newest: number | undefined
  /** Whether the record with this ID was created by another request of ours. */
  isTaken(id: number): boolean
  /** The ID of the record in the answer, if that record does not look like what was sent. */
  readonly answeredId?: number | undefined
  /** Saves a record again that is missing in lists; absent where nothing may be written. */
  readonly rewrite?: CalendarApi['update'] | undefined
}

/**
 * Looks for a record that may have been created: by its slug, then among the records with its name and, for an event, around its start.
 * Hidden events are not in lists, nor are records whose request was interrupted.
 */
export async function findCreated(client: Reads, attempt: CreateAttempt): Promise<WriteOutcome> {
  const { resource, values } = attempt
  const { candidates, isUnsure, siteTime } = await candidatesFor(client, attempt)
  const [first, ...others] = candidates
  if (!first) return (await alteredRecord(client, attempt)) ?? (isUnsure ? 'undecided' : 'not done')
  // An empty list has no pages.
  const time = siteTime ?? (await client.list(resource, queryAround(resource, values))).siteTime
  if (others.length > 0 || !(await isNew(client, attempt, first.record, time))) return 'undecided'
  return first.isListed ? first.record : completed(client, attempt, first.record)
}

/** The records that a create may have made, and whether lists show them. */
async function candidatesFor(client: Reads, { resource, values, newest = 0, isTaken }: CreateAttempt) {
  const candidates = new Map<number, { record: Answer; isListed: boolean }>()
  const add = (records: readonly Answer[], isListed: boolean) => {
    for (const record of records)
      if (record.id > newest && !isTaken(record.id) && isSimilar(resource, values, record))
        candidates.set(record.id, { record, isListed })
  }
  const holders = await findBySlug(client, resource, values)
  add(holders.records, false)
  let siteTime: number | undefined
  for await (const page of client.pages(resource, queryAround(resource, values), 1000)) {
    siteTime ??= page.siteTime
    add(page.records, true)
  }
  return { candidates: candidates.values(), isUnsure: holders.isUnsure, siteTime }
}

/**
 * The record in the answer to a create that does not look like what was sent, if it is new: a site may show only part of its name, and a
 * plugin may have changed its name or its start. A record with another name and another start belongs to somebody else.
 */
async function alteredRecord(client: Reads, attempt: CreateAttempt): Promise<Answer | undefined> {
  const { resource, values, newest = 0, isTaken, answeredId: id } = attempt
  const record =
    id !== undefined && id > newest && !isTaken(id) ? await readAnywhere(client, resource, { id }, values) : undefined
  if (!record) return undefined
  const hasStart = isSimilar(resource, values, { ...record, [resource.title]: values[resource.title] })
  if (!hasStart && !hasName(resource, values, record)) return undefined
  const { siteTime } = await client.list(resource, queryAround(resource, values))
  return (await isNew(client, attempt, record, siteTime)) ? record : undefined
}

/**
 * A record whose write was interrupted, as lists show it. The Events Calendar writes its own tables at the end of a request: if it was
 * interrupted before that, the record exists, but lists do not have it until it is saved again.
 */
async function completed(
  client: Reads,
  { resource, values, rewrite }: Pick<CreateAttempt, 'resource' | 'values' | 'rewrite'>,
  record: Answer,
): Promise<Answer> {
  if (!rewrite || (await isListed(client, resource, record))) return record
  try {
    // The search in lists may have taken long.
    const current = (await readAnywhere(client, resource, { id: record.id }, values)) ?? record
    const { write } = threeWayMerge(resource, { mine: values, theirs: current })
    // A value that differs by now was changed by somebody else.
    const isForeign = (name: string) => {
      const field = resource.fields[name]
      return name in write && field !== undefined && !isEmptyIn(name, field, current)
    }
    const missing = Object.fromEntries(Object.entries(values).filter(([name]) => !isForeign(name)))
    const kept = preservedFields(resource, current, values)
    return await rewrite(resource, { id: record.id }, { ...kept, ...missing })
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return record
    throw error
  }
}

/** Whether lists show an event. Only lists of events depend on further tables; hidden events are in no list. */
async function isListed(client: Reads, resource: Resource, { id, status, hide_from_listings }: Answer) {
  if (!('include' in resource.filters) || !resource.trashable || hide_from_listings || status === 'trash') return true
  const { records } = await client.list(resource, wholeListQuery({ resource }, { include: id }))
  return records.some(record => record.id === id)
}

/** The records with this name and, for an event, this start. */
export async function similarRecords(client: Reads, resource: Resource, values: Values): Promise<Answer[]> {
  const similar: Answer[] = []
  for await (const page of client.pages(resource, queryAround(resource, values), 1000))
    similar.push(...page.records.filter(record => isSimilar(resource, values, record)))
  return similar
}

/**
 * A query that finds the record if it exists: by the longest word of its name and, for events, by days that are enough for any time zone.
 */
function queryAround(resource: Resource, values: Values): Values {
  return {
    per_page: 50,
    ...searchFor(values[resource.title]),
    ...(values.lang_code !== undefined && { lang_code: values.lang_code }),
    ...(values.status === 'trash' && { status: 'trash' }),
    ...(resource.name === 'events' && days(String(values.start_date))),
    ...emptyToo(resource),
  }
}

/** A search that finds a name in whichever form a site stores its other characters. */
export function searchFor(name: unknown): Values {
  const words = String(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const [search] = words.toSorted((one, other) => other.length - one.length)
  return search === undefined ? {} : { search }
}

function days(start: string): Values {
  const wall = readDate(start)?.wall
  if (wall === undefined) return allDates
  return { starts_after: msWall(wallMs(wall) - 2 * dayLength), starts_before: nearestWall(wallMs(wall) + dayLength) }
}

/**
 * Whether a record is newer than the attempt. Terms have no time of creation, but no two have the same name: a term that has all the values
 * will do.
 */
async function isNew(
  client: Reads,
  { resource, values, sent, now, newest }: CreateAttempt,
  record: Answer,
  siteTime: number | undefined,
): Promise<boolean> {
  if (newest !== undefined) return true
  if (!resource.trashable) return hasAll(resource, values, record)
  const modified = await modificationOf(client, record)
  if (siteTime === undefined || modified === undefined) return false
  const sentThere = siteTime - (now() - sent)
  return modified >= sentThere - clockGrain
}

/** When a record was last saved, in ms. Production gives a new draft no time in UTC, only one in the zone of the site. */
async function modificationOf(client: Reads, { modified, modified_utc: utc }: Answer): Promise<number | undefined> {
  if (utc !== noDate) return wallMs(String(utc))
  const zone = await client.timezone()
  return zone === undefined ? undefined : momentIn(String(modified), zone)
}

/** Sites give times in whole seconds. */
const clockGrain = 1000

/** Reads the record and compares it: every value must have been applied. */
export async function findUpdated(
  client: CalendarApi,
  resource: Resource,
  ref: Ref,
  values: Values,
): Promise<WriteOutcome> {
  const record = await readAnywhere(client, resource, ref, values)
  const newRef = 'slug' in ref && typeof values.slug === 'string' ? { slug: values.slug } : undefined
  const current = record ?? (newRef && (await readAnywhere(client, resource, newRef, values)))
  if (!current) return 'undecided'
  return hasAll(resource, values, current)
    ? completed(client, { resource, values, rewrite: client.update }, current)
    : 'not done'
}

/** A site to which a patch was sent: both of its APIs, and the language of the patch. */
export interface PatchedSite {
  readonly client: Reads
  readonly wordpress: WordPress
  readonly language: unknown
}

/** Reads the stored values of the record and compares them: every value must have been applied. */
export async function findPatched(
  { client, wordpress, language }: PatchedSite,
  resource: Resource,
  id: number,
  values: Values,
): Promise<WriteOutcome> {
  const stored = (await wordpress.list(resource, { include: id }))?.records.find(record => record.id === id)
  if (!stored) return 'undecided'
  if (!removesDate(resource, values)) return hasAll(resource, values, stored) ? stored : 'not done'
  // For a record without a publication date, `wp/v2` shows another date; only the events API shows that there is none.
  const shown = await readAnywhere(client, resource, { id }, { lang_code: language })
  if (!shown) return 'undecided'
  const record = { ...stored, date_utc: shown.date_utc }
  return hasAll(resource, values, record) ? record : 'not done'
}

const removesDate = ({ fields }: Resource, values: Values): boolean =>
  Object.entries(values).some(([name, value]) => value === null && fields[name]?.site?.floats)

/** Whether a record is still there, in the trash, or gone. */
export async function findDeleted(client: Reads, resource: Resource, ref: Ref, values: Values): Promise<WriteOutcome> {
  const record = await readAnywhere(client, resource, ref, values)
  if (record) return record.status === 'trash' ? record : 'not done'
  const trashed = resource.trashable ? await findInTrash(client, resource, ref) : undefined
  if (trashed) return trashed
  return 'id' in ref ? { id: ref.id, ...(resource.trashable && { status: 'trash' }) } : 'undecided'
}

/** The record, in or out of the trash; undefined if there is none. */
export async function readAnywhere(
  client: Reads,
  resource: Resource,
  ref: Ref,
  { password, lang_code }: Values,
): Promise<Answer | undefined> {
  try {
    return await client.get(resource, ref, { password, lang_code })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (isTrashCode(error.details.code)) return findInTrash(client, resource, ref)
    if (error.kind === 'missing') return undefined
    throw error
  }
}

/** Reads a record that is to be restored; throws `refused` for one that is not in the trash. */
export async function readForRestore(client: Reads, resource: Resource, ref: Ref): Promise<Answer> {
  const trashed = await findInTrash(client, resource, ref)
  if (trashed) return trashed
  throw await notInTrash(client, resource, ref)
}

/**
 * A record in the trash; undefined if it is not there. Some implementations do not return it by its ID, but all of them list it in the
 * trash, where its slug ends in `__trashed`. Hidden events are listed only by `wp/v2`.
 */
export async function findInTrash(client: Reads, resource: Resource, ref: Ref): Promise<Answer | undefined> {
  for await (const page of client.pages(resource, { ...trashQuery(resource, ref), per_page: largestPage })) {
    const match = page.records.find(record => isReferredTo(ref, record))
    if (match) return match
  }
  const query = 'id' in ref ? { include: ref.id } : { slug: `${ref.slug}__trashed,${ref.slug}` }
  return (await hiddenInTrash(client, resource, query)).find(record => isReferredTo(ref, record))
}

/** Whether a record is in the trash. Of a hidden event, a site without `wp/v2` says so, but does not show it anywhere. */
export async function isInTrash(client: Reads, resource: Resource, id: number, language: unknown): Promise<boolean> {
  try {
    return (
      (await client.get(resource, { id }, language === undefined ? {} : { lang_code: language })).status === 'trash'
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unreachable') throw error
    return isTrashCode(error.details.code)
  }
}

async function notInTrash(client: Reads, resource: Resource, ref: Ref): Promise<Failure> {
  const { name } = resource
  const { id, status } = await client.get(resource, ref).catch(error => {
    throw error instanceof Failure && isTrashCode(error.details.code) ? hidden(client, resource, ref) : error
  })
  return refused(
    phrase('{record} is not in the trash of {calendar}: its status is {status}', {
      record: namedRecord(name, id),
      calendar: client.calendar.label,
      status: statusLabel(String(status)),
    }),
    phrase('change its status with: {command}', { command: `calctl ${name} update ${id} --status draft` }),
  )
}

/** The failure for a record that is in the trash, as the site says, but not in its list. */
const hidden = ({ calendar }: Reads, { name }: Resource, ref: Ref) =>
  refused(
    phrase('{record} is in the trash of {calendar}, which does not show hidden ones', {
      record: namedRecord(name, 'id' in ref ? ref.id : ref.slug),
      calendar: calendar.label,
    }),
    phrase('restore it in WordPress, or undo the run that moved it there: {command}', { command: 'calctl runs list' }),
  )

/** Events can be listed by ID, regardless of their dates; venues and organizers only all at once. */
const trashQuery = (resource: Resource, ref: Ref): Values => {
  const dates = dateFilterNames(resource.filters).length > 0 ? allDates : {}
  return { status: 'trash', ...dates, ...('id' in ref && 'include' in resource.filters ? { include: ref.id } : {}) }
}
