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

/** A property's first value as ical.js keeps it before decoding. */
export const rawOf = (property: ICAL.Property): string => String(property.toJSON()[3] ?? '')

/** A text, if there is one that is not blank. */
export function textOf(component: ICAL.Component, property: string): string | undefined {
  const value = component.getFirstPropertyValue(property)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
