import { isUtf8 } from 'node:buffer'
import { decodeEntities } from '../../base/text/escaping.ts'
import type { Component, Property } from './component.ts'

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

/** Properties with several values, separated by commas. */
const lists = new Set(['categories', 'exdate', 'rdate', 'resources'])

/** Properties whose values are not texts: in them a backslash is a backslash. */
const notTexts = new Set([
  ...['dtstart', 'dtend', 'duration', 'exdate', 'rdate', 'rrule', 'exrule', 'recurrence-id'],
  ...[
    'dtstamp',
    'created',
    'last-modified',
    'url',
    'organizer',
    'attendee',
    'attach',
    'image',
    'conference',
    'geo',
    'sequence',
  ],
])

/** The values of a property, decoded. */
export function valuesOf({ name, parameters, value }: Property): string[] {
  const text = decodeQuotedPrintable(value, parameters)
  const values = lists.has(name) ? splitList(text) : [text]
  return values.map(each => (notTexts.has(name) ? each : unescapeText(each)).trim())
}

const splitList = (text: string): string[] =>
  text.includes('\\') ? text.split(/(?<!(?<!\\)(?:\\\\)*\\),/) : text.split(',')

/** RFC 5545, 3.3.11 */
const unescapeText = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\([\\;,n])/gi, (_, character: string) =>
        character === 'n' || character === 'N' ? '\n' : character,
      )
    : text

/** vCalendar 1.0 encodes texts as e-mails do. */
function decodeQuotedPrintable(value: string, parameters: Property['parameters']): string {
  if (parameters.size === 0 || !/^quoted-printable$/i.test(parameters.get('encoding') ?? '')) return value
  const bytes = value.replace(/[^\0-\xff]/g, character => Buffer.from(character).toString('latin1'))
  const decoded = bytes.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const buffer = Buffer.from(decoded, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : buffer.toString('latin1')
}

/** The first value of a property; empty if there is none. */
export const firstValueOf = (component: Component, name: string): string => firstOf(component.first(name))

/** The first value of a property; empty without one. */
export const firstOf = (property: Property | undefined): string => (property && valuesOf(property)[0]) ?? ''

/** The first value of a property; undefined if there is none, or a blank one. */
export const optionalValueOf = (component: Component, name: string): string | undefined =>
  firstValueOf(component, name) || undefined

/**
 * The properties that calctl adds to those that other calendars read, so that an event comes back unchanged: its slug, or the ID of
 * a draft that has none and the calendar of that ID; the time zone of an event written in UTC, the address of its page, and what
 * properties of iCalendar cannot hold: HTML, commas in the names of venues, more than one organizer, and who may see an event
 * (event-visibility.ts).
 */
export type XCalctlName =
  | 'slug'
  | 'id'
  | 'origin'
  | 'timezone'
  | 'description'
  | 'venue'
  | 'organizer'
  | 'page'
  | 'status'
  | 'date'
  | 'hide-from-listings'
  | 'protected'

export const xCalctl = (name: XCalctlName): string => `x-calctl-${name}`

export const xCalctlValues = (component: Component, name: XCalctlName): string[] =>
  component.all(xCalctl(name)).flatMap(valuesOf)

/** HTML as plain text, for the properties of iCalendar; undefined for what is not text, or blank. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/p>\s*(?=<p\b)/gi, '\n\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
  return decodeEntities(text).trim() || undefined
}
