import type ICAL from 'ical.js'
import { events } from '../../contract/events.ts'
import { checkValue } from '../../contract/kinds.ts'
import { organizers } from '../../contract/organizers.ts'
import type { Entry } from '../records/record-builder.ts'
import { ownValues } from './own.ts'
import { plainText } from './plain-text.ts'
import { textOf, valuesOf } from './properties.ts'

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
    ['image', imagesOf(component)[0], 'ATTACH'],
    ['website', websiteOf(component, location), 'URL'],
    // What its owner shares with nobody is not for the public either.
    ['status', /^(private|confidential)$/i.test(textOf(component, 'class') ?? '') ? 'private' : undefined, 'CLASS'],
  ]
  return found.map(([name, value, column]) => ({ name, value, column }))
}

/** What events say, and there is no field for; where a venue of calctl's lies, it says by itself. */
export const leftOut = (component: ICAL.Component): string[] => [
  ...(component.getAllProperties('attach').length > imagesOf(component).length ? ['ATTACH'] : []),
  ...(component.hasProperty('geo') && ownValues(component, 'venue').length === 0 ? ['GEO'] : []),
]

/** The addresses of pictures, the event's own first. */
const imagesOf = (component: ICAL.Component): string[] =>
  component.getAllProperties('attach').flatMap(property => {
    const [address = ''] = valuesOf(property)
    const type = String(property.getFirstParameter('fmttype') ?? '')
    const isImage = type === '' ? /\.(jpe?g|png|gif|webp|avif)([?#]|$)/i.test(address) : /^image\//i.test(type)
    return isImage && isUrl(address) && checkValue(events.fields.image, address).ok ? [address] : []
  })

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

interface Organizer {
  readonly organizer: string
  readonly email?: string
}

/** By name; with an address where there is one, for those that are not there yet. */
function organizersOf(component: ICAL.Component): (Organizer | string)[] | undefined {
  const told = component
    .getAllProperties('organizer')
    .map(organizerIn)
    .filter(({ organizer }) => organizer !== '')
  const own = ownValues(component, 'organizer')
  const given = told.some(({ organizer }) => own.includes(organizer))
    ? own.map(name => told.find(({ organizer }) => organizer === name) ?? { organizer: name })
    : told
  return given.length > 0 ? given.map(one => (one.email === undefined ? one.organizer : one)) : undefined
}

function organizerIn(property: ICAL.Property): Organizer {
  const [address = ''] = valuesOf(property)
  const [, mail = ''] = /^mailto:\s*(.+)$/i.exec(address) ?? []
  const name = decodedName(property.getFirstParameter('cn') ?? '').trim()
  const unnamed = mail === '' ? address.replace(/^invalid:.*/i, '') : mail.replace(/@.*/, '')
  return { organizer: name || unnamed, ...(isForPeople(mail) && { email: mail }) }
}

/** Whether an organizer can be written to, and not only a program that writes feeds. */
const isForPeople = (mail: string): boolean =>
  mail !== '' &&
  checkValue(organizers.fields.email, mail).ok &&
  !/^(no-?reply|do-?not-?reply|unknownorganizer)@|@group\.calendar\.google\.com$/i.test(mail)

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
