import { grouped, groupedWithKey } from '../base/groups.ts'
import { wallAt } from '../base/time/zone.ts'
import type { Values } from '../client/client.ts'
import { splitFeedSlug } from '../files/icalendar/event-visibility.ts'
import type { Remembered, SourceMemory } from './memory.ts'
import { isSameEvent } from './record-finder.ts'
import { type Clock, saidStart } from './vanished.ts'
import { dayOf, keyOfValues, removalSign, type Word } from './word.ts'

/**
 * The words of one source, of which those with a new key continue what the source said under another one that it no longer has: the same
 * event at the same moment and place, or one that was moved. What an editor changed or rejected stays so.
 */
export function withEarlierKeys(words: readonly Word[], memory: SourceMemory, { now, zone }: Clock): Word[] {
  const [first] = words
  if (!first || words.every(({ event }) => event)) return [...words]
  const keys = new Set(words.map(({ key }) => key))
  const gone = new Set<Remembered>()
  for (const event of memory.all()) if (event.source === first.source && !keys.has(event.key)) gone.add(event)
  const byDay = grouped(gone, ({ said }) => dayOf(said))
  const same = words.map(word => {
    const event = word.event ?? byDay.get(dayOf(word.said))?.find(one => gone.has(one) && isContinued(one, word, zone))
    if (event) gone.delete(event)
    return event ? { ...word, event } : word
  })
  const wall = wallAt(now.getTime(), zone)
  return withMovedDates(withMovedDates(same, gone, wall, seriesOf), gone, wall, titleAndStart)
}

const isContinued = (event: Remembered, { record }: Word, zone: string): boolean =>
  isSameEvent({ values: allSaid(event) }, record, zone)

type Said = Pick<Remembered, 'key' | 'said' | 'waiting'>

const allSaid = ({ said, waiting }: Said): Values => ({ ...said, ...(said[removalSign] as object), ...waiting })

/** Whether a row has neither UID nor ID, so that its key lasts no longer than its values. */
const isKeyMade = (event: Said): boolean => event.key === keyOfValues(allSaid(event))

/** What an event has in common with the one that it continues; undefined if its key lasts. */
type Common = (event: Said) => string | undefined

const seriesOf: Common = event => inCommon(event, 'venue') ?? splitFeedSlug(event.key).uidSlug

const titleAndStart: Common = event => inCommon(event, 'start_date')

function inCommon(event: Said, name: string): string | undefined {
  const said = allSaid(event)
  return isKeyMade(event) ? JSON.stringify([said.title, said[name]]) : undefined
}

/** The words of which the new dates continue those that the source no longer has. */
function withMovedDates(words: readonly Word[], gone: Set<Remembered>, now: string, common: Common): Word[] {
  const isFresh = (word: Word) =>
    !word.event && word.record.action !== 'trash' && (word.record.series !== undefined || isKeyMade(word))
  const moved = new Map<Word, Remembered>()
  // What the source itself called off was not moved.
  const left = groupedWithKey(
    [...gone].filter(({ said }) => !(removalSign in said)),
    common,
  )
  for (const [group, dates] of groupedWithKey(words.filter(isFresh), common)) {
    for (const [date, event] of pairsOf(dates, left.get(group) ?? [])) {
      // The next date of what has taken place is another event.
      if (isKeyMade(date) && saidStart(event.said) <= now && saidStart(date.said) > now) continue
      moved.set(date, event)
      gone.delete(event)
    }
  }
  return words.map(word => {
    const event = moved.get(word)
    return event ? { ...word, event } : word
  })
}

/** The most by which a date of a series moves, in days: what is farther away is another date. */
const farthest = 31

/** New dates with those that they continue: if there are as many, in their order, else the nearest ones. */
function pairsOf(dates: readonly Word[], left: readonly Remembered[]): [Word, Remembered][] {
  const inOrder = dates.toSorted((one, other) => dayNumber(one) - dayNumber(other))
  const before = left.toSorted((one, other) => dayNumber(one) - dayNumber(other))
  const isOneForOne = inOrder.length === before.length
  return inOrder.flatMap((date, index): [Word, Remembered][] => {
    const distance = (other: Remembered) => Math.abs(dayNumber(other) - dayNumber(date))
    const [nearest] = before.toSorted((one, other) => distance(one) - distance(other))
    const event = isOneForOne ? before[index] : nearest
    if (!event || distance(event) > farthest) return []
    if (!isOneForOne) before.splice(before.indexOf(event), 1)
    return [[date, event]]
  })
}

const dayNumber = ({ said }: Pick<Word, 'said'>): number => Date.parse(dayOf(said)) / 86_400_000
