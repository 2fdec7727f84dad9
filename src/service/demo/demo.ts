/**
 * The demo: the calendar of a small town that does not exist, in three languages, around the week it is opened in. In: the time.
 * Out: rows for a store. `directory.ts` lists venues, organizers, categories and tags; `music.ts`, `stage.ts`, `town.ts` and
 * `weekly.ts` hold the events, as acts (`act.ts`) that are dated relative to the week.
 */

import { type Language, languages } from '../../contract/languages.ts'
import type { Status } from '../../contract/post-status.ts'
import { blanks } from '../store/blank-rows.ts'
import type { CategoryRow, OrganizerRow, Rows, Site, TableName, TermRow, VenueRow } from '../store/rows.ts'
import { type Act, createRegister, datesOf, eventRow, type Register } from './act.ts'
import { demoCategories, demoOrganizers, demoTags, demoVenues } from './directory.ts'
import { music } from './music.ts'
import { stage } from './stage.ts'
import { town } from './town.ts'
import { weeklyActs } from './weekly.ts'
import { demoTimezone, madridToUtc, wallIn, weekOf } from './weeks.ts'

export interface Demo {
  readonly site: Site
  readonly rows: { readonly [T in TableName]: Rows[T][] }
}

/** Within a week, the calendar is always the same, IDs included; with each week, everything moves by a week. */
export function demoRows(now: Date): Demo {
  const thisWeek = weekOf(now)
  const register = createRegister()
  const acts = actsOf(thisWeek)
  const planned = acts.map(act => ({ act, dates: datesOf(act, thisWeek) }))
  const inEach = <R>(build: (language: Language) => R[]): R[] => languages.flatMap(build)
  const rows = {
    categories: inEach(language => categoryRows(language, register)),
    tags: inEach(language => tagRows(language, register)),
    venues: inEach(language => venueRows(language, register, thisWeek)),
    organizers: inEach(language => organizerRows(language, register, thisWeek)),
    events: inEach(language => planned.flatMap(({ act, dates }) => eventRow(act, dates, language, register) ?? [])),
  }
  return { site: { language: 'ca', timezone: demoTimezone, quirks: false }, rows: { ...rows, images: register.images } }
}

const actsOf = (thisWeek: number): Act[] => [...music, ...stage, ...town, ...weeklyActs(thisWeek)]

/** An event that the demo does not have in all languages. */
export interface DemoGap {
  /** In the first language that it has. */
  readonly title: string
  readonly status: Status
  readonly missing: readonly Language[]
}

/** The gaps that the demo has, because no act has texts for them: venues, organizers and terms are there in all languages. */
export const demoGaps = (now: Date): DemoGap[] =>
  actsOf(weekOf(now)).flatMap(({ status = 'publish', texts }) => {
    const missing = languages.filter(language => texts[language] === undefined)
    const [title = ''] = languages.flatMap(language => texts[language]?.[0] ?? [])
    return missing.length > 0 ? [{ title, status, missing }] : []
  })

const categoryRows = (lang_code: Language, register: Register): CategoryRow[] =>
  Object.entries(demoCategories).map(([slug, category]) => ({
    ...blanks.categories,
    id: register.term('categories', lang_code, slug),
    lang_code,
    slug,
    name: category.name[lang_code],
    parent: 'parent' in category ? register.term('categories', lang_code, category.parent) : null,
  }))

const tagRows = (lang_code: Language, register: Register): TermRow[] =>
  Object.entries(demoTags).map(([slug, { name }]) => ({
    ...blanks.tags,
    id: register.term('tags', lang_code, slug),
    lang_code,
    slug,
    name: name[lang_code],
  }))

const venueRows = (lang_code: Language, register: Register, thisWeek: number): VenueRow[] =>
  Object.entries(demoVenues).map(([slug, { venue, description, ...others }], index) => {
    const { picture, ...place } = { picture: undefined, ...others }
    return {
      ...blanks.venues,
      ...place,
      ...entryDates(thisWeek, index),
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
  Object.entries(demoOrganizers).map(([slug, { organizer, description, ...others }], index) => ({
    ...blanks.organizers,
    ...others,
    ...entryDates(thisWeek, index),
    id: register.post('organizers', lang_code, slug),
    lang_code,
    slug,
    organizer: organizer[lang_code],
    description: description[lang_code],
  }))

/** Venues and organizers were entered one after another on a morning about a year ago. */
function entryDates(thisWeek: number, index: number) {
  const date = wallIn(thisWeek - 50, 1, 10 + index / 4)
  return { date, date_utc: madridToUtc(date), modified: date, modified_utc: madridToUtc(date) }
}
