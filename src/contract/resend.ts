import { readDate } from '../time/dates.ts'
import { withOffsetIfAmbiguous } from '../time/zone.ts'
import { isZone } from '../time/zone-name.ts'
import type { ResourceName } from './field.ts'
import { type Answer, isObject } from './resource.ts'

/** The value to send so that a field stays as this answer shows it. */
type Form = (answer: Answer) => unknown

const same =
  (name: string): Form =>
  answer =>
    answer[name]

/** Images are answered as objects and written as text: the ID. */
const imageId: Form = ({ image }) => (isObject(image) && image.id !== undefined ? String(image.id) : undefined)

const linkedIds: Form = ({ organizer }) => (Array.isArray(organizer) ? organizer.map(({ id }) => id) : undefined)

/** A site answers the event's own address where there is no website, and escapes ampersands. */
const website: Form = ({ website, url }) => (website === url ? '' : String(website ?? '').replaceAll('&amp;', '&'))

/**
 * A site draws its own currency symbol on a cost that has none, and writes a word for nothing; sent back as shown, symbol and
 * word would become the event's own.
 */
const cost: Form = ({ cost, cost_details: details }) => {
  if (!isObject(details) || details.currency_symbol !== '' || !Array.isArray(details.values)) return cost
  const shown = String(cost)
  const beside = shown.replace(/[\d.,\s–-]+/g, ' ').trim()
  const drawn = /\d/.test(shown) ? beside.length > 0 && beside.length <= 3 : details.values.join() === '0'
  return drawn ? details.values.join(' - ') : cost
}

/** Some services take the other of the two moments that a repeated hour means. */
const end =
  (name: 'start_date' | 'end_date'): Form =>
  ({ [name]: wall, [`utc_${name}`]: utc, timezone: zone }) =>
    isDate(wall) && isDate(utc) && typeof zone === 'string' && isZone(zone)
      ? withOffsetIfAmbiguous(wall, utc, zone)
      : wall

const isDate = (value: unknown): value is string => typeof value === 'string' && readDate(value) !== undefined

const asIs = (...names: string[]): Record<string, Form> => Object.fromEntries(names.map(name => [name, same(name)]))

const texts =
  (name: string): Form =>
  answer =>
    answer[name] === undefined ? undefined : String(answer[name])

/**
 * What an update destroys on production when it leaves the field out, and the form in which the field survives being sent
 * back. Terms are the only records whose updates leave alone what is not named.
 */
export const resent: Readonly<Record<ResourceName, Readonly<Record<string, Form>>>> = {
  events: {
    ...asIs('status', 'date', 'timezone', 'all_day'),
    start_date: end('start_date'),
    end_date: end('end_date'),
    ...asIs('show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'),
    website,
    cost,
    image: imageId,
    organizer: linkedIds,
  },
  venues: {
    ...asIs('status', 'stateprovince'),
    show_map: texts('show_map'),
    show_map_link: texts('show_map_link'),
    image: imageId,
  },
  organizers: { ...asIs('status'), image: imageId },
  categories: {},
  tags: {},
}

/** Fields that say the same in another way: where the one is given, the other is not sent back. */
export const saysTheSame: Readonly<Record<string, string>> = { date: 'date_utc' }

/** What changes by itself when a field is changed, and is no drift. */
export const follows: Readonly<Record<string, readonly string[]>> = {
  status: ['slug', 'date', 'date_utc'],
  date: ['date_utc', 'status'],
  date_utc: ['date', 'status'],
  all_day: ['start_date', 'end_date'],
  state: ['stateprovince'],
  province: ['stateprovince'],
  stateprovince: ['state', 'province'],
}
