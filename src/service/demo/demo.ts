/**
 * The demo: the calendar of a small town that does not exist, in three languages, around the current week. Input: the time, and the town as
 * data (`town.json`, which `scripts/demo.js` makes from `scripts/demo.yaml`). Output: rows for a store. Events are acts, whose dates are
 * relative to the week; `pictures.ts` draws their pictures.
 */
import { fnv1a } from '../../base/text/fnv1a.ts'
import { msWall, wallMs } from '../../base/time/dates.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Language, languages, type Words } from '../../contract/languages.ts'
import { noDate, type Status } from '../../contract/post-status.ts'
import { copySizes, type PixelSize, readCopyName } from '../render/image-sizes.ts'
import {
  blanks,
  type CategoryRow,
  type EventRow,
  type ImageRow,
  type OrganizerRow,
  type Rows,
  type Site,
  type TableName,
  type TermRow,
  type VenueRow,
} from '../store/rows.ts'
import type { ReadableFiles } from '../store/store.ts'
import { townData } from './town-data.lib.ts'

type BySlug<T> = Readonly<Record<string, T>>

type Entry = { readonly description: Words; readonly phone?: string; readonly website?: string }

/** The town of the demo, in which records refer to others by slug. */
interface Town {
  readonly venues: BySlug<
    Entry & {
      readonly venue: Words
      readonly address: string
      readonly picture?: string
      readonly geo_lat?: number
      readonly geo_lng?: number
    }
  >
  readonly organizers: BySlug<Entry & { readonly organizer: Words; readonly email: string }>
  readonly categories: BySlug<{ readonly name: Words; readonly parent?: string }>
  readonly tags: BySlug<{ readonly name: Words }>
  readonly events: readonly Act[]
  readonly series: readonly Series[]
}

const town = townData as unknown as Town

export interface Demo {
  readonly site: Site
  readonly rows: { readonly [T in TableName]: Rows[T][] }
  readonly files: ReadableFiles
}

/** Within a week, the calendar is always the same, IDs included; with each week, everything moves by a week. */
export function demoRows(now: Date): Demo {
  const thisWeek = weekNumber(now)
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
  const { images } = register
  return {
    site: { language: 'ca', timezone: demoTimezone, quirks: false },
    rows: { ...rows, images },
    files: demoFiles(images.map(image => image.url)),
  }
}

/** The pictures of the demo, drawn when they are requested, in all the sizes that WordPress makes. */
function demoFiles(paths: readonly string[]): ReadableFiles {
  const sizes = Object.values(copySizes(pictureSize))
  return {
    has: path => paths.includes(path),
    hasCopiesOf: path => paths.includes(path),
    async read(path) {
      const isFull = paths.includes(path)
      const { picture, size } = isFull ? { picture: path, size: pictureSize } : (readCopyName(path) ?? {})
      if (!picture || !paths.includes(picture)) return undefined
      if (!isFull && !sizes.some(({ width, height }) => width === size?.width && height === size.height))
        return undefined
      const { drawPicture } = await import('./pictures.ts')
      return drawPicture(picture, size ?? pictureSize)
    },
  }
}

export const actsOf = (thisWeek: number): Act[] => [
  ...town.events,
  ...town.series.flatMap(each => occurrencesOf(each, thisWeek)),
]

const categoryRows = (lang_code: Language, register: Register): CategoryRow[] =>
  Object.entries(town.categories).map(([slug, category]) => ({
    ...blanks.categories,
    id: register.term('categories', lang_code, slug),
    lang_code,
    slug,
    name: category.name[lang_code],
    parent: category.parent ? register.term('categories', lang_code, category.parent) : null,
  }))

const tagRows = (lang_code: Language, register: Register): TermRow[] =>
  Object.entries(town.tags).map(([slug, { name }]) => ({
    ...blanks.tags,
    id: register.term('tags', lang_code, slug),
    lang_code,
    slug,
    name: name[lang_code],
  }))

const venueRows = (lang_code: Language, register: Register, thisWeek: number): VenueRow[] =>
  Object.entries(town.venues).map(([slug, { venue, description, picture, ...place }], index) => ({
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
  }))

const organizerRows = (lang_code: Language, register: Register, thisWeek: number): OrganizerRow[] =>
  Object.entries(town.organizers).map(([slug, { organizer, description, ...others }], index) => ({
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

type Texts = Readonly<Record<Language, readonly [title: string, description: string]>>

/** An act that repeats every few weeks. Its programme depends on the number of the week, so that a week never changes. */
interface Series extends Omit<Act, 'week' | 'texts'> {
  readonly every: number
  /** The first and the last week, relative to the current one. */
  readonly weeks: readonly [from: number, until: number]
  readonly programme: readonly Texts[]
}

/** The acts of a series in the weeks before and after a week, by its number. */
function occurrencesOf({ every, weeks: [from, until], programme, ...act }: Series, thisWeek: number): Act[] {
  return Array.from({ length: until - from + 1 }, (_, index) => from + index)
    .filter(week => (thisWeek + week) % every === 0)
    .map(week => {
      const number = thisWeek + week
      const slug = `${act.slug}-${wallIn(number, act.day).slice(0, 10)}`
      return { ...act, week, slug, texts: programme[(number / every) % programme.length] ?? {} }
    })
}

/** Assigns IDs: the same record always gets the same one. */
interface Register {
  post(of: ResourceName, language: Language, slug: string): number
  term(of: ResourceName, language: Language, slug: string): number
  /** The ID of a picture on the town's server; null without a file name. */
  image(file: string | undefined): number | null
  readonly images: ImageRow[]
}

/** The full size of each picture in the demo. */
const pictureSize: PixelSize = { width: 1200, height: 800 }

/** Posts and pictures share one sequence, terms have another, as in WordPress. */
function createRegister(): Register {
  const posts = sequence()
  const terms = sequence()
  const images: ImageRow[] = []
  return {
    post: (of, language, slug) => posts(`${of}/${language}/${slug}`),
    term: (of, language, slug) => terms(`${of}/${language}/${slug}`),
    image(file) {
      if (file === undefined) return null
      const url = `2026/09/${file}`
      const id = posts(url)
      if (!images.some(image => image.id === id))
        images.push({ ...blanks.images, ...pictureSize, mime_type: 'image/png', id, url })
      return id
    },
    images,
  }
}

function sequence(): (key: string) => number {
  const ids = new Map<string, number>()
  return key => {
    const id = ids.get(key) ?? ids.size + 1
    ids.set(key, id)
    return id
  }
}

/** When an act takes place. */
interface Moment {
  /** Relative to the current week. */
  readonly week: number
  /** 0 is Monday. */
  readonly day: number
  /** `20:30`; missing if the act lasts whole days. */
  readonly at?: string
  /** Hours with `at`, days without. */
  readonly lasts: number
}

/** One event of the demo; it exists in the languages for which it has texts. */
interface Act extends Moment {
  readonly slug: string
  readonly venue?: string
  readonly organizers: readonly string[]
  readonly categories: readonly string[]
  readonly tags?: readonly string[]
  /** 0 is free; without it, the event does not state a cost. */
  readonly euros?: number
  readonly picture?: string
  readonly website?: string
  readonly featured?: boolean
  readonly status?: Status
  readonly texts: Readonly<Partial<Record<Language, readonly [title: string, description?: string]>>>
  /** The description of those that have none of their own. */
  readonly about?: Words
}

/** The columns of an act's rows that hold dates. */
const datesOf = (act: Act, thisWeek: number) => ({ ...publication(act, thisWeek), ...times(act, thisWeek) })

/** The row of an act in a language; undefined if it has no texts in it. */
function eventRow(
  act: Act,
  dates: ReturnType<typeof datesOf>,
  lang_code: Language,
  register: Register,
): EventRow | undefined {
  const [title, description = act.about?.[lang_code]] = act.texts[lang_code] ?? []
  if (title === undefined || description === undefined) return undefined
  const isTrashed = act.status === 'trash'
  const termIds = (of: 'categories' | 'tags', slugs: readonly string[] = []) =>
    slugs.map(slug => register.term(of, lang_code, slug))
  return {
    ...blanks.events,
    ...dates,
    lang_code,
    title,
    description,
    status: act.status ?? 'publish',
    trashed_from: isTrashed ? 'publish' : null,
    slug: isTrashed ? `${act.slug}__trashed` : act.slug,
    cost: costText(act.euros, lang_code),
    website: act.website ?? null,
    featured: act.featured ?? false,
    show_map: act.venue !== undefined,
    show_map_link: act.venue !== undefined,
    categories: termIds('categories', act.categories),
    tags: termIds('tags', act.tags),
    venue: act.venue ? register.post('venues', lang_code, act.venue) : null,
    organizer: act.organizers.map(slug => register.post('organizers', lang_code, slug)),
    image: register.image(act.picture),
    id: register.post('events', lang_code, act.slug),
  }
}

const free = { ca: 'Gratuït', en: 'Free', es: 'Gratis' }

function costText(euros: number | undefined, language: Language): string {
  if (euros === undefined) return ''
  return euros === 0 ? free[language] : `${euros} €`
}

function times({ week, day, at, lasts }: Moment, thisWeek: number) {
  const number = thisWeek + week
  const [hour = 0, minute = 0] = at?.split(':').map(Number) ?? []
  const start_date = wallIn(number, day, hour + minute / 60)
  const end_date =
    at === undefined ? lastSecond(wallIn(number, day + lasts - 1)) : wallIn(number, day, hour + minute / 60 + lasts)
  return {
    all_day: at === undefined,
    timezone: demoTimezone,
    start_date,
    end_date,
    utc_start_date: madridToUtc(start_date),
    utc_end_date: madridToUtc(end_date),
  }
}

const lastSecond = (wall: string) => `${wall.slice(0, 10)} 23:59:59`

/** Announced one to five weeks before, on a working morning; seeded by the slug, so that it is always the same morning. */
function publication({ slug, week, status }: Act, thisWeek: number) {
  const seed = fnv1a(slug)
  const date = wallIn(thisWeek + Math.min(week, 0) - 1 - (seed % 5), seed % 4, 9 + ((seed >>> 4) % 16) / 4)
  const date_utc = madridToUtc(date)
  return { date, date_utc: status === 'draft' ? noDate : date_utc, modified: date, modified_utc: date_utc }
}

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day
const firstMonday = Date.UTC(1970, 0, 5)

/** Its offsets are computed below, because a library for all zones takes longer to load than the whole demo. */
const demoTimezone = 'Europe/Madrid'

/** Summer time runs from the last Sunday of March to the last of October, each at 01:00 UTC. */
function offsetOf(utcMs: number): number {
  const year = new Date(utcMs).getUTCFullYear()
  const isSummer = utcMs >= lastSunday(year, 2) + hour && utcMs < lastSunday(year, 9) + hour
  return isSummer ? 2 * hour : hour
}

const lastSunday = (year: number, month: number): number => {
  const lastDay = Date.UTC(year, month + 1, 0)
  return lastDay - new Date(lastDay).getUTCDay() * day
}

/** A wall time in Madrid as a wall time in UTC. */
export function madridToUtc(wall: string): string {
  const ms = wallMs(wall)
  return msWall(ms - offsetOf(ms - hour))
}

/** The number of the current week in Madrid, from Monday to Sunday, since 1970. */
export const weekNumber = (now: Date): number =>
  Math.floor((now.getTime() + offsetOf(now.getTime()) - firstMonday) / week)

/** The wall time a number of days and hours after the start of a week. */
const wallIn = (weekNumber: number, days: number, hours = 0): string =>
  msWall(firstMonday + weekNumber * week + days * day + hours * hour)
