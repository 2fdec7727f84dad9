import ICAL from 'ical.js'
import { decodeEntities } from '../../text/normalize.ts'

/** A value of a feed that is invalid; what was expected completes "expected …" */
export class InvalidProperty extends Error {
  constructor(
    readonly property: string,
    readonly expected: string,
    readonly value: string,
  ) {
    super(`${property}: expected ${expected}, got "${value}"`)
  }
}

export const valuesOf = (property: ICAL.Property): string[] => property.getValues().map(value => String(value).trim())

/** The first value of a property; empty if there is none. */
export function firstValueOf(component: ICAL.Component, name: string): string {
  const [property] = component.getAllProperties(name)
  return (property && valuesOf(property)[0]) ?? ''
}

/** The first value of a property; undefined if there is none, or a blank one. */
export const optionalValueOf = (component: ICAL.Component, name: string): string | undefined =>
  firstValueOf(component, name) || undefined

/**
 * The properties that calctl adds to those that other calendars read, so that an event comes back unchanged: its slug, the time
 * zone of an event written in UTC, the address of its page, and what properties of iCalendar cannot hold: HTML, commas in the
 * names of venues, more than one organizer.
 */
type XCalctlName = 'slug' | 'timezone' | 'description' | 'venue' | 'organizer' | 'page'

const xCalctl = (name: XCalctlName): string => `x-calctl-${name}`

export function addXCalctl(component: ICAL.Component, name: XCalctlName, text: string): void {
  const property = new ICAL.Property(xCalctl(name))
  property.resetType('text')
  property.setValue(text)
  component.addProperty(property)
}

export const xCalctlValues = (component: ICAL.Component, name: XCalctlName): string[] =>
  component.getAllProperties(xCalctl(name)).flatMap(valuesOf)

/** HTML as plain text, for the properties of iCalendar; undefined for what is not text, or blank. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/p>\s*(?=<p\b)/gi, '\n\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
  return decodeEntities(text).trim() || undefined
}
