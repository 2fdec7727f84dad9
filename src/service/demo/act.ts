import { msWall, wallMs } from '../../base/time/dates.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { noDate, type Status } from '../../contract/post-status.ts'
import type { PixelSize } from '../render/image-sizes.ts'
import { blanks, type EventRow, type ImageRow } from '../store/rows.ts'
import type { CategorySlug, OrganizerSlug, TagSlug, VenueSlug } from './directory.ts'

/** Assigns IDs: the same record always gets the same one. */
export interface Register {
  post(of: ResourceName, language: Language, slug: string): number
  term(of: ResourceName, language: Language, slug: string): number
  /** The ID of a picture on the town's server; null without a file name. */
  image(file: string | undefined): number | null
  readonly images: ImageRow[]
}

/** The size of each picture of the demo in full. */
export const pictureSize: PixelSize = { width: 1200, height: 800 }

/** Posts and pictures share one sequence, terms have another, as in WordPress. */
export function createRegister(): Register {
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
export interface Act extends Moment {
  readonly slug: string
  readonly venue?: VenueSlug
  readonly organizers: readonly OrganizerSlug[]
  readonly categories: readonly CategorySlug[]
  readonly tags?: readonly TagSlug[]
  /** 0 is free; without it, the event does not state a cost. */
  readonly euros?: number
  readonly picture?: string
  readonly website?: string
  readonly featured?: true
  readonly status?: Status
  readonly texts: Readonly<Partial<Record<Language, readonly [title: string, description: string]>>>
}

/** The columns of an act's rows that hold dates. */
export const datesOf = (act: Act, thisWeek: number) => ({ ...publication(act, thisWeek), ...times(act, thisWeek) })

/** The row of an act in a language; undefined if it has no texts in it. */
export function eventRow(
  act: Act,
  dates: ReturnType<typeof datesOf>,
  lang_code: Language,
  register: Register,
): EventRow | undefined {
  const [title, description] = act.texts[lang_code] ?? []
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
  const seed = seedOf(slug)
  const date = wallIn(thisWeek + Math.min(week, 0) - 1 - (seed % 5), seed % 4, 9 + ((seed >>> 4) % 16) / 4)
  const date_utc = madridToUtc(date)
  return { date, date_utc: status === 'draft' ? noDate : date_utc, modified: date, modified_utc: date_utc }
}

/** FNV-1a. */
const seedOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5)

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day
const firstMonday = Date.UTC(1970, 0, 5)

/** Its offsets are computed below, because a library for all zones takes longer to load than the whole demo. */
export const demoTimezone = 'Europe/Madrid'

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

/** The wall time so many days and hours after the start of a week. */
export const wallIn = (weekNumber: number, days: number, hours = 0): string =>
  msWall(firstMonday + weekNumber * week + days * day + hours * hour)
