import type ICAL from 'ical.js'

/** A value of the feed that cannot be read. */
export class WrongValue extends Error {
  constructor(
    readonly property: string,
    readonly expected: string,
    readonly given: string,
  ) {
    super(`${property}: expected ${expected}, got "${given}"`)
  }
}

/** The decoded values of a property; throws `WrongValue`. */
export function valuesOf(property: ICAL.Property, expected: string): unknown[] {
  try {
    return property.getValues()
  } catch {
    throw new WrongValue(property.name, expected, rawOf(property))
  }
}

/** A property's first value as ical.js keeps it before decoding; empty where there is none. */
export const rawOf = (property: ICAL.Property | null): string => String(property?.toJSON()[3] ?? '').trim()

/** A text, if there is one that is not blank; throws `WrongValue`. */
export function textOf(component: ICAL.Component, property: string): string | undefined {
  const read = component.getFirstProperty(property)
  const [value] = read ? valuesOf(read, 'a text') : []
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
