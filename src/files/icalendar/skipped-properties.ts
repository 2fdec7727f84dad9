import { counted, listOfFirst, nounFor } from '../../text/words.ts'
import type { Component, Property } from './component.ts'
import { htmlOf, imageProperties, isWebsite } from './event-entries.ts'
import { isTentative } from './event-visibility.ts'
import { valuesOf, xCalctlValues } from './properties.ts'

/** What a feed has and no field can hold, to be reported once per kind. */
export interface Skipped {
  /** Adds what a calendar has besides events. */
  addComponents(calendar: Component): void
  /** Adds an event that is read; what is wrong with an invalid one is said of that. */
  addEvent(event: Component): void
  /** Adds an event that ends at the wall time at which it begins, or earlier, because clocks go back in between. */
  addTurnedBack(event: string): void
  sentences(): string[]
}

/** What has a field, and what says how old an event is. */
const read = new Set([
  ...['uid', 'dtstamp', 'created', 'last-modified', 'sequence', 'recurrence-id', 'status', 'class'],
  ...['summary', 'description', 'location', 'categories', 'organizer', 'dtstart', 'dtend', 'duration'],
  ...['rrule', 'rdate', 'exdate'],
])

export function createSkipped(): Skipped {
  const properties = new Map<string, number>()
  const components = new Map<string, number>()
  const lines: number[] = []
  const turnedBack: string[] = []
  let untitled = 0
  let tentative = 0
  return {
    addComponents(calendar) {
      for (const { name } of calendar.components)
        if (!/^(vevent|vtimezone|vcalendar)$/.test(name)) count(components, name.toUpperCase())
    },
    addEvent(event) {
      for (const kind of kindsWithoutField(event)) count(properties, kind)
      for (const { number } of event.unreadable) lines.push(number)
      if (!event.has('summary') && !event.has('recurrence-id')) untitled += 1
      if (isTentative(event)) tentative += 1
    },
    addTurnedBack(event) {
      turnedBack.push(event)
    },
    sentences() {
      const kinds = [...properties].map(([name, number]) => `${name} (${counted(number, 'event')})`)
      const others = [...components].map(([name, number]) => `${number} ${name}`)
      return [
        ...(kinds.length > 0 ? [`skipped properties that have no field: ${kinds.join(', ')}`] : []),
        ...(others.length > 0 ? [`skipped what is not an event: ${others.join(', ')}`] : []),
        ...(lines.length > 0
          ? [`skipped ${counted(lines.length, 'line')} that cannot be read: ${placesOf(lines)}`]
          : []),
        ...(untitled > 0 ? [`${counted(untitled, 'event')} without SUMMARY: titled "(no title)"`] : []),
        ...(tentative > 0
          ? [`${counted(tentative, 'event')} ${nounFor(tentative, 'is', 'are')} tentative: published like the others`]
          : []),
        ...(turnedBack.length > 0
          ? [
              `${counted(turnedBack.length, 'event')} ${nounFor(turnedBack.length, 'ends no later on the clock than it begins', 'end no later on the clock than they begin')}, because clocks go back in between: ${listOfFirst(turnedBack, maxPlaces, 'other')}`,
            ]
          : []),
      ]
    },
  }
}

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

const maxPlaces = 5

const placesOf = (lines: readonly number[]): string => {
  const more = lines.length > maxPlaces ? ` and ${lines.length - maxPlaces} more` : ''
  return `line ${lines.slice(0, maxPlaces).join(', ')}${more}`
}

/** The kinds of properties of an event that no field can hold, each once. */
function kindsWithoutField(event: Component): Set<string> {
  const kinds = new Set<string>()
  const images = imageProperties(event)
  // The venue and the organizers of an exported event have them already.
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
