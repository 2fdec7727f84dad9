import type { Answer } from '../../contract/resource.ts'
import { splitFeedSlug } from '../../files/icalendar/event-revisions.ts'
import type { FeedSeries } from '../../files/records/file-record.ts'
import { msWall } from '../../time/dates.ts'
import { recordSlug } from '../match/step-keys.ts'
import type { Step } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'
import type { BuildContext } from './context.ts'
import type { RecordGroup } from './from-files.ts'
import { type MatchedRecord, removalStep } from './step.ts'

/**
 * The steps that trash what a feed made once and makes no more, as of a series that was moved or cut short: of the UIDs that it
 * has, what is still to come, as far as the feed was read.
 */
export async function* removalsOfCancelled(
  { client, now }: BuildContext,
  reader: SiteReader,
  { resource, language }: RecordGroup,
  located: Iterable<MatchedRecord>,
): AsyncGenerator<Step> {
  const other = language === client.language ? undefined : language
  const told = new Map<string, FeedSeries>()
  const kept = new Set<unknown>()
  for (const { record, before, language } of located) {
    if (record.resource !== resource.name || language !== other) continue
    kept.add(before?.id).add(recordSlug(record))
    if (record.series) told.set(record.series.slug, record.series)
  }
  const moment = msWall(now.getTime())
  const last =
    [...told.values()]
      .map(({ until }) => until)
      .toSorted()
      .at(-1) ?? ''
  if (last < moment.slice(0, 10)) return
  const there = await reader.readList({ resource, language, days: [moment.slice(0, 10), last.slice(0, 10)] })
  for (const record of there.all()) {
    const series = told.get(splitFeedSlug(String(record.slug)).uidSlug)
    if (!series || kept.has(record.id) || kept.has(record.slug)) continue
    if (isToCome(record, moment) && isWithin(record, series))
      yield {
        ...removalStep({ resource, language: other, key: `${resource.name} ${record.id}` }, record),
        at: `no longer a date of "${series.name}"`,
      }
  }
}

const isToCome = ({ utc_start_date, start_date }: Answer, moment: string): boolean =>
  String(utc_start_date ?? start_date) > moment

/** Days of the feed's zone may be others than those of the site's: of both nothing counts that is later than what was read. */
function isWithin({ slug, start_date }: Answer, { until }: FeedSeries): boolean {
  const { day } = splitFeedSlug(String(slug))
  return String(start_date) <= until && day <= until.slice(0, 10).replaceAll('-', '')
}
