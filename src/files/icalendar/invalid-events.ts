import { listOfFirst, saidOfCounts } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordCount } from '../../contract/resource-words.ts'
import type { FileRecord } from '../records/file-record.ts'
import type { Build, RecordEntry } from '../records/record-builder.ts'
import type { Component, Property } from './component.ts'
import { htmlOf, imageProperties, isWebsite, noTitle } from './event-entries.ts'
import { describeEvent, isTentative, type PlacedEvent } from './event-visibility.ts'
import type { InvalidProperty } from './invalid-property.ts'
import { valuesOf, xCalctlValues } from './parse-components.ts'

/** The events of a feed that cannot be read: each becomes a record with a mistake, which stops no other event as long as one is valid. */

/** Makes the mistakes failures of the whole feed if no event is valid: otherwise it would look like a feed without changes. */
export function* stoppingIfAllInvalid(records: Iterable<FileRecord>): Generator<FileRecord> {
  let invalid: FileRecord[] | undefined = []
  for (const record of records) {
    if (record.mistakes.length > 0 && invalid) {
      invalid.push(record)
      continue
    }
    if (invalid) yield* invalid
    invalid = undefined
    yield record
  }
  for (const { stopsOnlyItself, ...record } of invalid ?? []) yield record
}

/** The record of an event with an invalid property. */
export function recordWithMistake(
  event: PlacedEvent,
  slug: readonly RecordEntry[],
  { property, expected, value }: InvalidProperty,
  build: Build,
): FileRecord {
  const column = property.toUpperCase()
  const isMissing = property !== '' && value === ''
  const message = isMissing ? phrase('{column} is missing', { column }) : undefined
  const mistakes = [{ column, expected, value, message }]
  return { ...build(resourceNamed('events'), slug, describeEvent(event)), mistakes }
}

/** Properties that are read into a field, or that tell how old an event is. */
const read: ReadonlySet<string> = new Set(
  `uid dtstamp created last-modified sequence recurrence-id status class summary description location
  categories organizer dtstart dtend duration rrule rdate exdate`.split(/\s+/),
)

/** What a feed contains but no field can express, reported once for each kind. */
export function createSkipped() {
  const properties = new Map<string, number>()
  const components = new Map<string, number>()
  const lines: number[] = []
  const turnedBack: string[] = []
  let untitled = 0
  let tentative = 0
  return {
    /** Adds what a calendar has besides events. */
    addComponents(calendar: Component) {
      for (const { name } of calendar.components)
        if (!/^(vevent|vtimezone|vcalendar)$/.test(name)) count(components, name.toUpperCase())
    },
    /** Adds an event that was read. For an invalid event, its mistake is reported instead. */
    addEvent(event: Component) {
      for (const kind of kindsWithoutField(event)) count(properties, kind)
      for (const { number } of event.unreadable) lines.push(number)
      if (!event.has('summary') && !event.has('recurrence-id')) untitled += 1
      if (isTentative(event)) tentative += 1
    },
    /** Adds an event that ends at the wall time at which it begins, or earlier, because clocks are set back in between. */
    addTurnedBack(event: string) {
      turnedBack.push(event)
    },
    sentences(): string[] {
      const kinds = [...properties].map(([name, number]) => `${name} (${recordCount(number, 'events')})`)
      const others = [...components].map(([name, number]) => `${number} ${name}`)
      return saidOfCounts([
        [kinds.length, () => phrase('skipped properties that have no field: {kinds}', { kinds: kinds.join(', ') })],
        [others.length, () => phrase('skipped components that are not events: {kinds}', { kinds: others.join(', ') })],
        [lines.length, () => skippedLines(lines)],
        [
          untitled,
          count =>
            phrase('{count, plural, one {# event} other {# events}} without SUMMARY: titled "{title}"', {
              count,
              title: noTitle,
            }),
        ],
        [
          tentative,
          count =>
            phrase(
              '{count, plural, one {# event is tentative: published like the others} other {# events are tentative: published like the others}}',
              { count },
            ),
        ],
        [turnedBack.length, () => endsEarlier(turnedBack)],
      ])
    },
  }
}

export type Skipped = ReturnType<typeof createSkipped>

const maxPlaces = 5

const skippedLines = (lines: readonly number[]): string =>
  phrase(
    '{count, plural, one {skipped # line that cannot be read: line {lines}} other {skipped # lines that cannot be read: lines {lines}}}',
    { count: lines.length, lines: listOfFirst(lines.map(String), maxPlaces) },
  )

const endsEarlier = (events: readonly string[]): string =>
  phrase(
    '{count, plural, one {# event ends no later on the clock than it begins} other {# events end no later on the clock than they begin}}, because clocks go back in between: {events}',
    { count: events.length, events: listOfFirst(events, maxPlaces) },
  )

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** The kinds of properties of an event that no field can express, each once. */
function kindsWithoutField(event: Component): Set<string> {
  const kinds = new Set<string>()
  const images = imageProperties(event)
  // An exported event has its venue and organizers in other properties already.
  const isExported = (['venue', 'slug', 'id'] as const).some(name => xCalctlValues(event, name).length > 0)
  for (const property of event.properties) {
    const { name } = property
    if (read.has(name) || name.startsWith('x-calctl-')) continue
    if (isExported && (name === 'geo' || name === 'contact')) continue
    if (!hasField(event, property, images)) kinds.add(name.toUpperCase())
  }
  for (const { name } of event.components) kinds.add(name.toUpperCase())
  return kinds
}

function hasField(event: Component, property: Property, images: readonly Property[]): boolean {
  if (property.name === 'url') return isWebsite(valuesOf(property)[0])
  // An event has one image.
  if (property.name === 'image' || property.name === 'attach') return property === images[0]
  return property.name === 'x-alt-desc' && htmlOf(event) !== undefined
}
