import ICAL from 'ical.js'
import { valuesOf } from './properties.ts'

/**
 * What calctl writes beside what other calendars read, so that an event comes back as the one it was: its slug, the time zone
 * of one that is written in UTC, and what a property of iCalendar cannot hold whole.
 */
type OwnName = 'slug' | 'timezone' | 'description' | 'venue' | 'organizer' | 'page'

const nameOf = (name: OwnName) => `x-calctl-${name}`

/** Writes one of calctl's own properties. */
export function addOwn(component: ICAL.Component, name: OwnName, text: string): void {
  const property = new ICAL.Property(nameOf(name))
  property.resetType('text')
  property.setValue(text)
  component.addProperty(property)
}

/** Reads the values of one of calctl's own properties; none in what other programs wrote. */
export const ownValues = (component: ICAL.Component, name: OwnName): string[] =>
  component.getAllProperties(nameOf(name)).flatMap(valuesOf)
