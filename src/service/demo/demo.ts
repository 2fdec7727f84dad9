import { type Language, languages } from '../../contract/words.ts'
import { blankCategory, blankOrganizer, blankTag, blankVenue } from '../store/blank.ts'
import type { CategoryRow, OrganizerRow, Rows, Site, TableName, TermRow, VenueRow } from '../store/rows.ts'
import { toUtc, wallIn, weekOf, zone } from './clock.ts'
import { datesOf, eventRow } from './event.ts'
import { music } from './music.ts'
import { organizers, venues } from './places.ts'
import { createRegister, type Register } from './register.ts'
import { stage } from './stage.ts'
import { categories, tags } from './terms.ts'
import { town } from './town.ts'
import { weeklyActs } from './weekly.ts'

/** A calendar as a store takes it. */
export interface Demo {
  readonly site: Site
  readonly rows: { readonly [T in TableName]: Rows[T][] }
}

/**
 * The calendar of a town's cultural office in the week of `now`: the same for everyone who looks in that week, ids included;
 * a week later all of it has moved by a week, and what is weekly has gone on.
 */
export function demoRows(now: Date): Demo {
  const thisWeek = weekOf(now)
  const register = createRegister()
  const acts = [...music, ...stage, ...town, ...weeklyActs(thisWeek)]
  const planned = acts.map(act => ({ act, dates: datesOf(act, thisWeek) }))
  const inEach = <R>(make: (language: Language) => R[]): R[] => languages.flatMap(make)
  const rows = {
    categories: inEach(language => categoryRows(language, register)),
    tags: inEach(language => tagRows(language, register)),
    venues: inEach(language => venueRows(language, register, thisWeek)),
    organizers: inEach(language => organizerRows(language, register, thisWeek)),
    events: inEach(language => planned.flatMap(({ act, dates }) => eventRow(act, dates, language, register) ?? [])),
  }
  return { site: { language: 'ca', timezone: zone, quirks: false }, rows: { ...rows, images: register.images } }
}

const categoryRows = (lang_code: Language, register: Register): CategoryRow[] =>
  Object.entries(categories).map(([slug, category]) => ({
    ...blankCategory,
    id: register.term('categories', lang_code, slug),
    lang_code,
    slug,
    name: category.name[lang_code],
    parent: 'parent' in category ? register.term('categories', lang_code, category.parent) : null,
  }))

const tagRows = (lang_code: Language, register: Register): TermRow[] =>
  Object.entries(tags).map(([slug, { name }]) => ({
    ...blankTag,
    id: register.term('tags', lang_code, slug),
    lang_code,
    slug,
    name: name[lang_code],
  }))

const venueRows = (lang_code: Language, register: Register, thisWeek: number): VenueRow[] =>
  Object.entries(venues).map(([slug, { venue, description, ...rest }], at) => {
    const { picture, ...place } = { picture: undefined, ...rest }
    return {
      ...blankVenue,
      ...place,
      ...longAgo(thisWeek, at),
      id: register.post('venues', lang_code, slug),
      lang_code,
      slug,
      venue: venue[lang_code],
      description: description[lang_code],
      city: 'Riumajor',
      zip: '17555',
      province: 'Girona',
      stateprovince: 'Girona',
      country: { ca: 'Espanya', en: 'Spain', es: 'España' }[lang_code],
      image: register.image(picture),
    }
  })

const organizerRows = (lang_code: Language, register: Register, thisWeek: number): OrganizerRow[] =>
  Object.entries(organizers).map(([slug, { organizer, description, ...rest }], at) => ({
    ...blankOrganizer,
    ...rest,
    ...longAgo(thisWeek, at),
    id: register.post('organizers', lang_code, slug),
    lang_code,
    slug,
    organizer: organizer[lang_code],
    description: description[lang_code],
  }))

/** Places were entered one after another on a morning about a year back. */
function longAgo(thisWeek: number, at: number) {
  const date = wallIn(thisWeek - 50, 1, 10 + at / 4)
  return { date, date_utc: toUtc(date), modified: date, modified_utc: toUtc(date) }
}
