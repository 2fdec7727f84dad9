import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/base/failure.ts'
import { toUtc } from '../../src/base/time/zone.ts'
import type { FileRecord } from '../../src/files/records/file-record.ts'
import { read } from '../support/record-files.ts'

/** An event as the witnesses have it: UID, start and end in UTC or as days, whether it lasts all day, title. */
type Witnessed = readonly [string, string, string, boolean, string]

export interface FeedCounts {
  files: number
  understood: number
  refused: Record<string, number>
  witnessed: number
  equal: number
  /** Where the witnesses are wrong together. */
  readonly explained: string[]
  readonly different: string[]
}

/** Files that the witnesses read otherwise, and the clauses of RFC 5545 by which calctl reads them. */
const reasons = new Map([
  ['0180.ics', '3.3.4, 3.2.19: eight digits are a DATE, which no TZID applies to'],
  ['0211.ics', '3.8.4.4: a RECURRENCE-ID that is a day means the date of that day'],
  ['0709.ics', '3.3.4, 3.2.19'],
  ['0799.ics', 'Windows-1252, whose characters the witnesses lost'],
  ['1003.ics', '3.8.7.4: the higher SEQUENCE replaces the lower one'],
  ['1153.ics', 'Windows-1252'],
  ['1187.ics', '3.8.2.2: an end must be later than its start'],
  ['1242.ics', '3.8.4.4: dates moved to the same hour stay separate dates'],
])

export const namesOfFeeds = (folder: string): string[] => readdirSync(folder).filter(name => /\.(ics|vcs)$/.test(name))

const zone = 'Europe/Madrid'

/** Reads all feeds of a folder, and compares them with what other implementations make of them. */
export async function readPublicFeeds(folder: string): Promise<FeedCounts> {
  const counts: FeedCounts = {
    files: 0,
    understood: 0,
    refused: {},
    witnessed: 0,
    equal: 0,
    explained: [],
    different: [],
  }
  const expected = witnesses(join(folder, 'expected.ndjson'))
  for (const name of namesOfFeeds(folder)) {
    counts.files += 1
    const records = await recordsOf(join(folder, name), counts)
    const events = expected.get(name)
    if (!records || !events) continue
    counts.witnessed += 1
    if (textOf(records.flatMap(asWitnessed)) === textOf(events)) counts.equal += 1
    else if (reasons.has(name)) counts.explained.push(name)
    else counts.different.push(name)
  }
  return counts
}

function witnesses(path: string): Map<string, Witnessed[]> {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return new Map(
    lines.map(line => {
      const { file, events } = JSON.parse(line) as { file: string; events: Witnessed[] }
      return [file, events]
    }),
  )
}

async function recordsOf(path: string, counts: FeedCounts): Promise<FileRecord[] | undefined> {
  try {
    // The witnesses end with the beginning of 2030-12-30.
    const options = { name: 'feed.ics', until: '2030-12-29', timezone: zone, now: new Date('2026-11-23T00:00:00Z') }
    const { records } = await read(readFileSync(path), options)
    counts.understood += 1
    return records
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = error.message.replace(/^feed\.ics:?|"[\s\S]*"|\d+/g, '').trim()
    counts.refused[reason] = (counts.refused[reason] ?? 0) + 1
    return undefined
  }
}

function asWitnessed({ action, mistakes, values }: FileRecord): Witnessed[] {
  if (action === 'trash' || mistakes.length > 0) return []
  const isAllDay = values.all_day === true
  const [start, end] = [values.start_date, values.end_date].map(date => {
    const text = String(date)
    if (isAllDay) return text.slice(0, 10)
    if (text.length > 19) return new Date(text).toISOString().slice(0, 19).replace('T', ' ')
    return toUtc(text, typeof values.timezone === 'string' ? values.timezone : zone)
  })
  return [['', start ?? '', end ?? '', isAllDay, String(values.title)]]
}

/** Witnesses leave out the title of an event that has none. */
const textOf = (events: readonly Witnessed[]): string =>
  events
    .map(([, start, end, isAllDay, title]) =>
      JSON.stringify([start, end, isAllDay, title.replace(/\s+/g, ' ').trim() || '(no title)']),
    )
    .toSorted()
    .join('\n')
