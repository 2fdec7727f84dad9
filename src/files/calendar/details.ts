import type ICAL from 'ical.js'
import type { Entry } from '../build.ts'
import { textOf, valuesOf } from './values.ts'

const isUrl = (text: string | undefined): text is string => text !== undefined && /^https?:\/\//i.test(text)

/** What an event says beside its dates. What is missing is left as it is. */
export function textEntries(component: ICAL.Component): Entry[] {
  const location = textOf(component, 'location')
  const url = [textOf(component, 'url'), location].find(isUrl)
  const found: readonly (readonly [string, unknown, string])[] = [
    ['title', textOf(component, 'summary'), 'SUMMARY'],
    ['description', textOf(component, 'description'), 'DESCRIPTION'],
    ['venue', location && !isUrl(location) ? [location] : undefined, 'LOCATION'],
    ['organizer', organizersOf(component), 'ORGANIZER'],
    ['categories', categoriesOf(component), 'CATEGORIES'],
    ['website', url, 'URL'],
    // What its owner shares with nobody is not for the public either.
    ['status', /^(private|confidential)$/i.test(textOf(component, 'class') ?? '') ? 'private' : undefined, 'CLASS'],
  ]
  return found.map(([name, value, column]) => ({ name, value, column }))
}

/** By name, or by address where that is all there is. */
function organizersOf(component: ICAL.Component): string[] | undefined {
  const names = component.getAllProperties('organizer').map(property => {
    const [address] = valuesOf(property)
    const name = property.getFirstParameter('cn')
    return (name || (address ?? '').replace(/^mailto:/i, '')).trim()
  })
  const given = names.filter(name => name !== '')
  return given.length > 0 ? given : undefined
}

function categoriesOf(component: ICAL.Component): string[] | undefined {
  const names = component.getAllProperties('categories').flatMap(valuesOf)
  const given = [...new Set(names.filter(name => name !== ''))]
  return given.length > 0 ? given : undefined
}
