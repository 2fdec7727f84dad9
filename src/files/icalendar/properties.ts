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

/** The values of a property. */
export const valuesOf = (property: ICAL.Property): string[] => property.getValues().map(value => String(value).trim())

/** A property's first value; empty where there is none. */
export const rawOf = (component: ICAL.Component, property: string): string => {
  const [read] = component.getAllProperties(property)
  return (read && valuesOf(read)[0]) ?? ''
}

/** A text, if there is one that is not blank. */
export const textOf = (component: ICAL.Component, property: string): string | undefined =>
  rawOf(component, property) || undefined
