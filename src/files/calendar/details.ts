import type ICAL from 'ical.js'
import type { Entry } from '../build.ts'
import { ownValues } from './own.ts'
import { plainText } from './plain-text.ts'
import { textOf, valuesOf } from './values.ts'

const isUrl = (text: string | undefined): text is string => text !== undefined && /^https?:\/\//i.test(text)

/** What an event says beside its dates. What is missing is left as it is. */
export function textEntries(component: ICAL.Component): Entry[] {
  const location = textOf(component, 'location')
  const found: readonly (readonly [string, unknown, string])[] = [
    ['title', textOf(component, 'summary'), 'SUMMARY'],
    ['description', descriptionOf(component), 'DESCRIPTION'],
    ['venue', location && !isUrl(location) ? venueOf(component, location) : undefined, 'LOCATION'],
    ['organizer', organizersOf(component), 'ORGANIZER'],
    ['categories', categoriesOf(component), 'CATEGORIES'],
    ['website', websiteOf(component, location), 'URL'],
    // What its owner shares with nobody is not for the public either.
    ['status', /^(private|confidential)$/i.test(textOf(component, 'class') ?? '') ? 'private' : undefined, 'CLASS'],
  ]
  return found.map(([name, value, column]) => ({ name, value, column }))
}

/** With its markup, unless another program has changed the text since. */
function descriptionOf(component: ICAL.Component): string | undefined {
  const text = textOf(component, 'description')
  return ownValues(component, 'description').find(html => plainText(html) === text) ?? text
}

/** The first line is its name; what follows, its address. */
function venueOf(component: ICAL.Component, location: string): unknown {
  const own = ownValues(component, 'venue').find(name => location.startsWith(name))
  if (own) return [own]
  const [name = '', ...rest] = location.split('\n').map(line => line.trim())
  const address = rest.filter(line => line !== '').join(', ')
  return [address === '' ? name : { venue: name, address }]
}

/** The event's own page at the site it was written from is not a website of its own. */
function websiteOf(component: ICAL.Component, location: string | undefined): string | undefined {
  const url = textOf(component, 'url')
  return [ownValues(component, 'page').includes(url ?? '') ? undefined : url, location].find(isUrl)
}

/** By name, or by address where that is all there is. */
function organizersOf(component: ICAL.Component): string[] | undefined {
  const names = component.getAllProperties('organizer').map(property => {
    const [address = ''] = valuesOf(property)
    const name = decodedName(property.getFirstParameter('cn') ?? '')
    return (name || address.replace(/^mailto:/i, '')).trim()
  })
  const own = ownValues(component, 'organizer')
  const given = (names.some(name => own.includes(name)) ? own : names).filter(name => name !== '')
  return given.length > 0 ? given : undefined
}

/** The Events Calendar writes names as they stand in addresses: `Coral%20Vella`. */
function decodedName(name: string): string {
  if (!/^(?=.*%)(?:[\w.~-]|%[0-9a-f]{2})+$/i.test(name)) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function categoriesOf(component: ICAL.Component): string[] | undefined {
  const names = component.getAllProperties('categories').flatMap(valuesOf)
  const given = [...new Set(names.filter(name => name !== ''))]
  return given.length > 0 ? given : undefined
}
