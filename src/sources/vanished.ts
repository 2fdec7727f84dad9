import { type Failure, refused } from '../base/failure.ts'
import { wallAt } from '../base/time/zone.ts'
import { phrase } from '../base/words/phrase.ts'
import type { BuildContext } from '../changes/plan/making/context.ts'
import type { Values } from '../client/client.ts'
import { quoted } from '../contract/resource.ts'
import { splitFeedSlug } from '../files/icalendar/event-visibility.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import type { Remembered, SourceMemory } from './memory.ts'
import type { SourceRules } from './subjects.ts'
import { removalSign, type Word } from './word.ts'

/** What a source has now, and of which time. */
export interface Present {
  readonly source: SourceRules
  readonly keys: ReadonlySet<string>
  /** The series that it has, by their slugs, with the wall time up to which they were read. */
  readonly series?: ReadonlyMap<string, string>
  /** The starts of what the source shows, as wall times; an event that is called off counts where it was. */
  readonly starts: readonly string[]
}

/** The present, and the zone of the calendar. */
export type Clock = Pick<BuildContext, 'now' | 'zone'>

/** Events that a source no longer has, and what is to be done about them. */
export interface Vanished {
  /** All that are missing now and were still to come. */
  readonly missing: readonly Remembered[]
  /** What the rules of the source say about those that were missing before as well. */
  readonly words: readonly Word[]
  readonly notes: readonly string[]
}

/** In how many runs in a row an event is missing before anything is done about it. */
const runsBefore = 2

/**
 * An event has vanished if it is still to come, lies within the time that the source shows, is missing in two runs, and no other source has
 * it. A date that its series lost was called off. Nothing follows from a source that is suddenly empty, or half as long.
 */
export function vanishedFrom(present: Present, memory: SourceMemory, clock: Clock): Vanished {
  const { source, keys, series } = present
  const starts = present.starts.filter(Boolean).toSorted()
  const isShown = (start: string) => start >= (starts[0] ?? '') && start <= (starts.at(-1) ?? '9')
  const own = comingOf(source.name, memory, clock)
  const isLost = (event: Remembered) => saidStart(event.said) <= (series?.get(splitFeedSlug(event.key).uidSlug) ?? '')
  const isMissing = (event: Remembered) => !keys.has(event.key) && (isLost(event) || isShown(saidStart(event.said)))
  const missing = own.filter(event => isMissing(event) && !isElsewhere(event, memory))
  if (missing.length === 0) return { missing, words: [], notes: [] }
  if (keys.size < own.length / 2)
    return { missing: [], words: [], notes: [isShort(source.name, keys.size, own.length)] }
  const words = missing.flatMap(event => {
    const isGone = (event.absent ?? 0) + 1 >= runsBefore
    const fate = isLost(event) ? 'trash' : isGone && source.vanished
    return !fate || fate === 'keep' ? [] : wordOfVanished(event, fate, source)
  })
  return { missing, words, notes: [] }
}

/** What a source has said of what is still to come. */
function comingOf(name: string, memory: SourceMemory, { now, zone }: Clock): Remembered[] {
  const wall = wallAt(now.getTime(), zone)
  return [...memory.all()].filter(({ source, mark, said }) => source === name && !mark && saidStart(said) > wall)
}

/** Why a source is not believed that says nothing any more; undefined if nothing of it is still to come. */
export function emptied(name: string, memory: SourceMemory, clock: Clock): Failure | undefined {
  const { length } = comingOf(name, memory, clock)
  const hint = phrase('remove it with: {command}', { command: `calctl sources remove ${name}` })
  return length === 0 ? undefined : refused(isShort(name, 0, length), hint)
}

const isShort = (name: string, count: number, before: number): string =>
  phrase('{name} has {count} of its {before} events that are still to come: nothing is removed because of that', {
    name,
    count,
    before,
  })

export const saidStart = (said: Values): string => String(said.start_date ?? '')

const isElsewhere = ({ source, record }: Remembered, memory: SourceMemory): boolean =>
  record !== undefined && memory.byRecord(record).some(other => other.source !== source && !other.absent)

/** A vanished event as if the source had said so. */
function wordOfVanished(event: Remembered, fate: 'cancel' | 'trash', { language }: SourceRules): Word {
  const { source, key, said } = event
  const title = quoted(String(said.title ?? key))
  const record: FileRecord = {
    resource: 'events',
    place: `${source}: ${title} ${saidStart(event.said)}`,
    values: fate === 'cancel' ? { ...said, event_status: 'canceled' } : said,
    cleared: [],
    mistakes: [],
    ...(fate === 'trash' && { action: 'trash' as const }),
    ...(language && { lang_code: language }),
  }
  const more = fate === 'cancel' ? { event_status: 'canceled' } : { [removalSign]: true }
  return { source, key, record, said: { ...said, ...more }, event }
}
