import { msWall } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import { wholeListQuery } from '../../../client/find/whole-lists.ts'
import { type Criteria, criteriaFor, select, selectedPages } from '../../../client/selection/criteria.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { slugKey, slugOf } from '../../../contract/slug.ts'
import { splitFeedSlug } from '../../../files/icalendar/event-visibility.ts'

import type { FeedSeries } from '../../../files/records/file-record.ts'
import { recordSlug } from '../match/step-keys.ts'
import type { RemovalStep, Step } from '../plan.ts'
import { trimRecord } from '../record-state.ts'
import type { SiteReader } from '../site-reader.ts'
import { filterItems } from '../spool.ts'
import type { BuildContext } from './context.ts'
import type { ListedRecord, RecordGroup } from './matched-records.ts'
import { removalStep, type StepTarget } from './step.ts'

/** What is known about the records of a group once they have been matched. */
export interface MatchedGroup extends RecordGroup {
  /** The IDs of the existing records that the records of the file stand for. */
  readonly ids: Set<number>
  /** The wall time up to which the series were read; empty without series. */
  readUntil: string
}

/**
 * Removes events that an earlier version of a feed had: future dates of a series that was moved or shortened. Only for series that the feed
 * still has, and only as far into the future as the feed was read.
 */
export async function* removalsOfCancelled(
  { client, now }: BuildContext,
  reader: SiteReader,
  { resource, language, ids, readUntil }: MatchedGroup,
  matched: Iterable<ListedRecord>,
): AsyncGenerator<Step> {
  const stepLanguage = language === client.language ? undefined : language
  const start = msWall(now.getTime())
  const [firstDay, lastDay] = [start.slice(0, 10), readUntil.slice(0, 10)]
  if (lastDay < firstDay) return
  const index = await reader.readList({ resource, language, days: [firstDay, lastDay] })
  const isOther = (record: Answer) => startsAfter(record, start) && !ids.has(record.id)
  const others = () => filterItems(index.all(), isOther)
  const wanted = new Set<string | undefined>(Array.from(others(), seriesSlug))
  if (wanted.size === 0) return
  const seriesBySlug = new Map<string | undefined, FeedSeries>()
  const inFeed = new Set<unknown>()
  for (const { record, language } of matched) {
    if (record.resource !== resource.name || language !== stepLanguage) continue
    inFeed.add(recordSlug(record))
    if (record.series && wanted.has(record.series.slug)) seriesBySlug.set(record.series.slug, record.series)
  }
  if (seriesBySlug.size === 0) return
  for (const record of others()) {
    const series = seriesBySlug.get(seriesSlug(record))
    if (!series || inFeed.has(record.slug) || !wasRead(record, series)) continue
    const key = `${resource.name} ${record.id}`
    const step = removalByFile({ resource, language: stepLanguage, key }, record)
    yield { ...step, at: phrase('no longer a date of "{series}"', { series: series.name }) }
  }
}

/**
 * The removal of a record. Its undo restores the record, unless the slug shows that it was created again from another version of the file.
 */
function removalByFile(target: StepTarget, record: Answer): RemovalStep {
  const { slug } = record
  return { ...removalStep(target, record), ...(typeof slug === 'string' && slug !== '' && { identity: { slug } }) }
}

/** The part that all slugs of an event's series begin with; undefined if the event comes from no feed. */
const seriesSlug = ({ slug }: Answer) => slugKey(splitFeedSlug(String(slug ?? '')).uidSlug)

const startsAfter = ({ utc_start_date, start_date }: Answer, moment: string): boolean =>
  String(utc_start_date ?? start_date) > moment

/**
 * Whether the part of a series with this event was read. The day can differ between the zones of the feed and of the site: neither may be
 * later.
 */
function wasRead({ slug, start_date }: Answer, { until }: FeedSeries): boolean {
  const { day } = splitFeedSlug(String(slug))
  return String(start_date) <= until && day <= until.slice(0, 10).replaceAll('-', '')
}

/** Removes the records that the criteria select and the file does not have: `--prune`. */
export async function* removalsOfUnlisted(
  { client }: BuildContext,
  reader: SiteReader,
  { resource, language }: RecordGroup,
  { listed, criteria }: { readonly listed: Iterable<ListedRecord>; readonly criteria: Criteria },
): AsyncGenerator<Step> {
  const isWanted = createWanted(resource, listed)
  const stepLanguage = language === client.language ? undefined : language
  const remove = (record: Answer) =>
    removalByFile({ resource, language: stepLanguage, key: `${resource.name} ${record.id}` }, record)

  // Read even if filters narrow it, because the limit on removals is a share of the whole list.
  const index = await reader.readList({ resource, language })
  if (!criteriaFor(resource, criteria)) {
    for (const record of index.all()) if (!isWanted(record)) yield remove(record)
    return
  }
  const selection = await select(client, resource, criteria)
  const query = (filters: Values) => wholeListQuery({ resource, language }, filters)
  for await (const { records } of selectedPages(client, resource, selection, query))
    for (const record of records) if (!isWanted(record)) yield remove(trimRecord(resource, record))
}

/** Whether a file has a record, or no longer lists it because it is past. */
function createWanted(resource: Resource, listed: Iterable<ListedRecord>): (record: Answer) => boolean {
  const inFile = new Set<number | undefined>()
  const firstDays = new Map<string, string>()
  for (const { record, before } of listed) {
    if (record.resource !== resource.name) continue
    inFile.add(before?.id)
    if (record.series?.from) firstDays.set(record.series.slug, record.series.from.replaceAll('-', ''))
  }
  return ({ id, slug }) => inFile.has(id) || isPastDate(String(slug ?? ''), firstDays)
}

/** Criteria without the terms that the plan creates, because no record has these yet; undefined if the criteria then select nothing. */
export function withoutNewTerms(criteria: Criteria, steps: Iterable<Step>): Criteria | undefined {
  const created = createdTerms(steps)
  const left: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(criteria.filters)) {
    const of = resources.find(resource => resource.name === name || resource.singular === name)?.name
    const all = [value].flat().flatMap(one => String(one).split(','))
    const existing = all.filter(one => !created.has(`${of} ${slugOf(one)}`))
    if (existing.length === 0) return undefined
    left[name] = existing.length === all.length ? value : existing.join(',')
  }
  return { ...criteria, filters: left }
}

/** The slugs and names of the terms that steps create, with their resource. */
function createdTerms(steps: Iterable<Step>): Set<string> {
  const created = new Set<string>()
  for (const { action, resource, values } of steps) {
    if (action !== 'create' || resource === 'events') continue
    for (const text of [values.slug, values[resourceNamed(resource).title]])
      if (typeof text === 'string' && text !== '') created.add(`${resource} ${slugOf(text)}`)
  }
  return created
}

/** Whether this is a past date of an endless series, which a feed no longer lists. */
function isPastDate(slug: string, firstDays: ReadonlyMap<string, string>): boolean {
  const { uidSlug, day } = splitFeedSlug(slug)
  const firstDay = firstDays.get(uidSlug)
  return firstDay !== undefined && day !== '' && day < firstDay
}
