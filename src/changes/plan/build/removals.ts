import { msWall } from '../../../base/time/dates.ts'
import type { Values } from '../../../client/client.ts'
import { wholeListQuery } from '../../../client/find/whole-lists.ts'
import { type Criteria, criteriaFor, select } from '../../../client/selection/criteria.ts'
import { selectedPages } from '../../../client/selection/selected-records.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { Answer } from '../../../contract/resource.ts'
import { slugOf } from '../../../contract/slug.ts'
import { splitFeedSlug } from '../../../files/icalendar/event-revisions.ts'
import type { FeedSeries } from '../../../files/records/file-record.ts'
import { recordSlug } from '../match/step-keys.ts'
import type { RemovalStep, Step } from '../plan.ts'
import { trimRecord } from '../record-state.ts'
import type { SiteReader } from '../site-reader.ts'
import type { BuildContext } from './context.ts'
import type { ListedRecord, RecordGroup } from './matched-records.ts'
import { removalStep, type StepTarget } from './step.ts'

/** What is known of the records of a group once they were matched. */
export interface MatchedGroup extends RecordGroup {
  /** The IDs of the existing records that they are. */
  readonly ids: Set<number>
  /** The wall time up to which their series were read; empty without series. */
  readUntil: string
}

/**
 * Removes events that an earlier version of a feed had: future dates of a series that was moved or cut short. Only series that
 * the feed still has count, and only as far into the future as the feed was read.
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
  const wanted = new Set<string>()
  for (const record of index.all()) if (isOther(record)) wanted.add(seriesSlug(record))
  if (wanted.size === 0) return
  const seriesBySlug = new Map<string, FeedSeries>()
  const inFeed = new Set<unknown>()
  for (const { record, language } of matched) {
    if (record.resource !== resource.name || language !== stepLanguage) continue
    inFeed.add(recordSlug(record))
    if (record.series && wanted.has(record.series.slug)) seriesBySlug.set(record.series.slug, record.series)
  }
  if (seriesBySlug.size === 0) return
  for (const record of index.all()) {
    const series = seriesBySlug.get(seriesSlug(record))
    if (!series || !isOther(record) || inFeed.has(record.slug) || !isWithin(record, series)) continue
    const key = `${resource.name} ${record.id}`
    const step = removalByFile({ resource, language: stepLanguage, key }, record)
    yield { ...step, at: `no longer a date of "${series.name}"` }
  }
}

/** The removal of a record; its undo restores it unless the slug says that somebody has created it again, from another version of the file. */
function removalByFile(target: StepTarget, record: Answer): RemovalStep {
  const { slug } = record
  return { ...removalStep(target, record), ...(typeof slug === 'string' && slug !== '' && { identity: { slug } }) }
}

/** The beginning of the slugs of an event's series, if a feed has it. */
const seriesSlug = ({ slug }: Answer): string => splitFeedSlug(String(slug)).uidSlug

const startsAfter = ({ utc_start_date, start_date }: Answer, moment: string): boolean =>
  String(utc_start_date ?? start_date) > moment

/** A day in the feed's zone and in the site's can differ: neither may be later than what was read. */
function isWithin({ slug, start_date }: Answer, { until }: FeedSeries): boolean {
  const { day } = splitFeedSlug(String(slug))
  return String(start_date) <= until && day <= until.slice(0, 10).replaceAll('-', '')
}

/** Removes what a file does not have, of the records that the criteria select: `--prune`. */
export async function* removalsOfUnlisted(
  { client }: BuildContext,
  reader: SiteReader,
  { resource, language }: RecordGroup,
  matched: Iterable<ListedRecord>,
  criteria: Criteria,
): AsyncGenerator<Step> {
  const inFile = new Set<number | undefined>()
  const firstDays = new Map<string, string>()
  for (const { record, before } of matched) {
    if (record.resource !== resource.name) continue
    inFile.add(before?.id)
    if (record.series?.from) firstDays.set(record.series.slug, record.series.from.replaceAll('-', ''))
  }
  const isWanted = ({ id, slug }: Answer) => inFile.has(id) || isPastDate(String(slug ?? ''), firstDays)
  const stepLanguage = language === client.language ? undefined : language
  const remove = (record: Answer) =>
    removalByFile({ resource, language: stepLanguage, key: `${resource.name} ${record.id}` }, record)

  // Read even if filters narrow it: the limit on removals is a share of the whole list.
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

/**
 * Criteria without the categories and the like that the plan creates, which no record has yet; undefined if they select none at all.
 */
export function withoutNewTerms(criteria: Criteria, steps: Iterable<Step>): Criteria | undefined {
  const created = new Set<string>()
  for (const { action, resource, values } of steps)
    if (action === 'create' && resource !== 'events')
      for (const text of [values.slug, values[resourceNamed(resource).title]])
        if (typeof text === 'string' && text !== '') created.add(`${resource} ${slugOf(text)}`)
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

/** Whether this is a past date of a series without end, which a feed does not list any more. */
function isPastDate(slug: string, firstDays: ReadonlyMap<string, string>): boolean {
  const { uidSlug, day } = splitFeedSlug(slug)
  const firstDay = firstDays.get(uidSlug)
  return firstDay !== undefined && day !== '' && day < firstDay
}
