import { toUtc } from '../../src/base/time/zone.ts'
import type { Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import {
  blanks,
  type CategoryRow,
  type EventRow,
  type OrganizerRow,
  type TermRow,
  type VenueRow,
} from '../../src/service/store/rows.ts'
import { testTime, worldOf } from '../support/world.ts'

/** The rows of a calendar, to be changed before it is opened. */
export interface CalendarRows {
  events: EventRow[]
  venues: VenueRow[]
  organizers: OrganizerRow[]
  categories: CategoryRow[]
  tags: TermRow[]
}

const zone = 'Europe/Madrid'

const descriptions = [
  'Una tarda de música a la plaça amb els veïns del barri i sopar per a tothom.',
  'La companyia porta a l’escenari una història de mar, de vent i de paciència.',
  'Vint fotografies de la vall abans de l’embassament, comentades per qui hi vivia.',
  'Taller per aprendre a cuidar l’hort d’hivern, amb llavors per endur-se a casa.',
  'Cançons que els avis cantaven a la feina, amb acordió i dues veus joves.',
]

const names = [
  'Cant coral',
  'Teatre breu',
  'Mirada llarga',
  'Taller verd',
  'Veus joves',
  'Orgue obert',
  'Nit de contes',
]

const places = ['Sala Gran', 'Casal de la Vila', 'Celler Vell', 'Pavelló Nord', 'Hort del Rector']

const entered = {
  date: '2026-11-01 10:00:00',
  date_utc: '2026-11-01 09:00:00',
  modified: '2026-11-01 10:00:00',
  modified_utc: '2026-11-01 09:00:00',
}

/** A wall time so many days after the first Monday of 2027, which is after the time of all tests. */
export const wall = (day: number, time: string): string =>
  `${new Date(Date.UTC(2027, 0, 4) + day * 86_400_000).toISOString().slice(0, 10)} ${time}:00`

/** The columns of an event that is at these wall times. */
export const at = (start_date: string, end_date: string, timezone = zone) => ({
  start_date,
  end_date,
  timezone,
  utc_start_date: toUtc(start_date, timezone),
  utc_end_date: toUtc(end_date, timezone),
})

/** A season without problems: each venue has an evening of each of its series, week by week. */
export function cleanCalendar(weeks = 6): CalendarRows {
  const venues = places.map((venue, index) => ({
    ...blanks.venues,
    ...entered,
    id: index + 1,
    slug: `espai-${index}`,
    venue,
    address: `Carrer Nou, ${index + 1}`,
    city: 'Vilanova',
    geo_lat: 41.2 + index / 1000,
    geo_lng: 1.7,
  }))
  const organizers = ['Ajuntament', 'Ateneu'].map((organizer, index) => ({
    ...blanks.organizers,
    ...entered,
    id: index + 11,
    slug: `entitat-${index}`,
    organizer,
  }))
  const categories = ['Música', 'Teatre', 'Tallers'].map((name, index) => ({
    ...blanks.categories,
    id: index + 1,
    slug: `categoria-${index}`,
    name,
  }))
  const tags = ['Familiar', 'Gratis', 'Accessible'].map((name, index) => ({
    ...blanks.tags,
    id: index + 11,
    slug: `etiqueta-${index}`,
    name,
  }))
  const events: EventRow[] = []
  for (let week = 0; week < weeks; week++)
    for (const [index, venue] of venues.entries())
      for (const [day, hour] of [0, 2, 4].entries()) {
        const title = `${names[(index + day) % names.length]} ${index * 3 + day}`
        events.push({
          ...blanks.events,
          ...at(wall(week * 7 + day, `${18 + hour / 2}:00`), wall(week * 7 + day, `${19 + hour / 2}:30`)),
          ...entered,
          id: 100 + events.length,
          slug: `acte-${events.length}`,
          title,
          description: `<p>${descriptions[events.length % descriptions.length]}</p>`,
          excerpt: 'Entrada lliure.',
          venue: venue.id,
          organizer: [11 + (events.length % 2)],
          categories: [1 + (events.length % 3)],
          tags: [11 + (events.length % 3)],
          image: 90,
        })
      }
  return { events, venues, organizers, categories, tags }
}

/** A command line with a calendar of these rows. */
export function calendarOf(rows: CalendarRows, baseUrl = 'https://town.example') {
  const store = memoryStore(
    { language: 'ca', timezone: zone, quirks: false },
    { ...rows, images: [{ ...blanks.images, id: 90, url: 'https://town.example/poster.jpg' }] },
  )
  const transport: Transport = createService({
    store,
    now: () => testTime,
    baseUrl,
    namespace: 'calendar/events/v1',
  })
  return worldOf({ transport })
}
