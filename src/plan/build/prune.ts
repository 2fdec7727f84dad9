import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/whole-list.ts'
import type { Answer } from '../../contract/resource.ts'
import { splitFeedSlug } from '../../files/icalendar/event-revisions.ts'
import type { Step } from '../plan.ts'
import { trimRecord } from '../record-state.ts'
import type { SiteReader } from '../site-reader.ts'
import type { RecordGroup } from './from-files.ts'
import { type MatchedRecord, removalStep } from './step.ts'

/** The steps that take away what a file does not have, of what the filters list. */
export async function* removalsOfUnlisted(
  client: Client,
  reader: SiteReader,
  { resource, language }: RecordGroup,
  located: Iterable<MatchedRecord>,
  filters: Values,
): AsyncGenerator<Step> {
  const known = Object.entries(filters).filter(([name]) => name in resource.filters)
  const kept = new Set<number | undefined>()
  const series = new Map<string, string>()
  for (const { record, before } of located) {
    if (record.resource !== resource.name) continue
    kept.add(before?.id)
    if (record.series?.from) series.set(record.series.slug, record.series.from.replaceAll('-', ''))
  }
  const isKept = ({ id, slug }: Answer) => kept.has(id) || isPast(String(slug ?? ''), series)
  const other = language === client.language ? undefined : language
  const step = (record: Answer) =>
    removalStep({ resource, language: other, key: `${resource.name} ${record.id}` }, record)
  // Read whole, so that it is known how many there are beside those that are taken away.
  const all = await reader.readList({ resource, language })
  if (known.length === 0) {
    for (const record of all.all()) if (!isKept(record)) yield step(record)
    return
  }
  for await (const { records } of client.pages(
    resource,
    wholeListQuery({ resource, language }, Object.fromEntries(known)),
  ))
    for (const record of records) if (!isKept(record)) yield step(trimRecord(resource, record))
}

/** Whether it is one of an endless series that is over, and that a file does not tell any more. */
function isPast(slug: string, series: ReadonlyMap<string, string>): boolean {
  const { uidSlug, day } = splitFeedSlug(slug)
  const from = series.get(uidSlug)
  return from !== undefined && day !== '' && day < from
}
