import { grouped } from '../base/groups.ts'
import { splitFeedSlug } from '../files/icalendar/event-visibility.ts'
import type { Remembered, SourceMemory } from './memory.ts'
import { isSameEvent } from './record-finder.ts'
import { dayOf, removalSign, type Word } from './word.ts'

/**
 * The words of one source, of which those with a new key continue what the source said under another one that it no longer has: the same
 * event at the same moment and place, or a date of a series that was moved. What an editor changed or rejected stays so.
 */
export function withEarlierKeys(words: readonly Word[], memory: SourceMemory, zone: string): Word[] {
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
  return withMovedDates(same, gone)
}

const isContinued = ({ said, waiting }: Remembered, { record }: Word, zone: string): boolean =>
  isSameEvent({ values: { ...said, ...waiting } }, record, zone)

/** The words of which the new dates of a series continue those that it no longer has. */
function withMovedDates(words: readonly Word[], gone: ReadonlySet<Remembered>): Word[] {
  const fresh = grouped(
    words.filter(({ event, record }) => !event && record.series && record.action !== 'trash'),
    ({ key }) => splitFeedSlug(key).uidSlug,
  )
  const moved = new Map<Word, Remembered>()
  for (const [series, dates] of fresh) {
    // What the source itself called off was not moved.
    const left = [...gone].filter(({ key, said }) => !(removalSign in said) && splitFeedSlug(key).uidSlug === series)
    for (const pair of pairsOf(dates, left)) moved.set(...pair)
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
