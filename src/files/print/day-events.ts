/**
 * Events on the days of a calendar: what agendas, months and printed sheets share. Input: records as a site returns them. Output: events
 * with the days on which they take place, and the column or lane in which they are shown. `terminal/` and `files/print/` decide how that
 * looks.
 */

import { grouped } from '../../base/groups.ts'
import { lookupTable, once } from '../../base/memoize.ts'
import { decodeEntities, sanitizeLine } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { capitalized } from '../../base/text/sentence-parts.ts'
import { localeFor, weekdaysFrom, weekStart, writtenDay } from '../../base/time/calendar-words.ts'
import { dayAfter, daysBetween, daysThrough, readDate } from '../../base/time/dates.ts'
import { interfaceLanguage } from '../../base/words/phrase.ts'
import { statusReasonOf, unsaidStatusOf } from '../../contract/event-status.ts'
import type { Language, Words } from '../../contract/languages.ts'
import { costFor } from '../../contract/price.ts'
import type { Answer } from '../../contract/resource.ts'
import words from './day-words.json' with { type: 'json' }

/** A category of an event, which decides its colour. */
export interface EventCategory {
  readonly id: number
  readonly name: string
  /** That of its translations, too. */
  readonly slug: string
}

/** An event for agendas and months: its texts are on one line, without HTML entities and control characters. */
export interface DayEvent {
  readonly id: number
  readonly title: string
  /** Empty if there is none. */
  readonly venue: string
  readonly address: readonly string[]
  /** The public page of the event; empty if there is none. */
  readonly url: string
  readonly cost: string
  /** The first one decides its colour: the same one in every language. */
  readonly categories: readonly EventCategory[]
  /** Undefined if everybody can see the event. */
  readonly status: string | undefined
  /** Why it does not take place; empty if unknown. */
  readonly reason: string
  readonly isAllDay: boolean
  /** `HH:MM`; both are the same for an event without an end. */
  readonly startTime: string
  readonly endTime: string
  readonly firstDay: string
  /** The last day on which the event is shown: a night belongs to the day on which it begins. */
  readonly lastDay: string
  /** The day on which it ends. */
  readonly endDay: string
  /** The abbreviation of its time zone, if it is not that of the calendar. */
  readonly zone: string | undefined
}

/** Days from one to another, both included. */
export interface DaySpan {
  readonly first: string
  readonly last: string
}

/** An event that ends by this hour of the next day lasts a night, not a second day. */
const nightEnds = '06:00'

/** An event, or undefined for a record without dates. */
export function dayEvent(record: Answer, siteZone?: string): DayEvent | undefined {
  const start = wallOf(record.start_date)
  if (!start) return undefined
  const end = wallOf(record.end_date) ?? start
  const isAllDay = record.all_day === true
  const venue = isObject(record.venue) ? record.venue : {}
  const { timezone, timezone_abbr: abbreviation } = record
  const isForeign = typeof timezone === 'string' && siteZone !== undefined && timezone !== siteZone
  return {
    id: record.id,
    title: text(record.title),
    venue: text(venue.venue),
    address: [venue.address, venue.city].map(text).filter(Boolean),
    url: publicPage(record),
    cost: costFor(interfaceLanguage(), text(record.cost)),
    categories: [record.categories].flat().filter(isObject).map(category).toSorted(bySlug),
    status: shownStatus(record),
    reason: unsaidStatusOf(record) === undefined ? '' : text(statusReasonOf(record)),
    isAllDay,
    startTime: start.time,
    endTime: end.day < start.day ? start.time : end.time,
    firstDay: start.day,
    lastDay: lastDay(start, end, isAllDay),
    endDay: end.day,
    zone: isForeign && !isAllDay ? text(abbreviation) || text(timezone) : undefined,
  }
}

/** What readers must know about an event, unless its title says it. */
function shownStatus(record: Answer): string | undefined {
  const { status } = record
  return unsaidStatusOf(record) ?? (status === undefined || status === 'publish' ? undefined : text(status))
}

function publicPage({ url, status = 'publish' }: Answer): string {
  const address = text(url)
  if (status !== 'publish' || !/^https?:/i.test(address) || !URL.canParse(address)) return ''
  return new URL(address).href
}

interface Wall {
  readonly day: string
  readonly time: string
}

function wallOf(value: unknown): Wall | undefined {
  const wall = typeof value === 'string' ? readDate(value)?.wall : undefined
  return wall === undefined ? undefined : { day: wall.slice(0, 10), time: wall.slice(11, 16) }
}

function lastDay(start: Wall, end: Wall, isAllDay: boolean): string {
  if (end.day <= start.day) return start.day
  const isNight = !isAllDay && end.day === dayAfter(start.day) && end.time <= nightEnds
  return isNight || end.time === '00:00' ? dayAfter(end.day, -1) : end.day
}

const text = (value: unknown): string =>
  typeof value === 'string' ? sanitizeLine(decodeEntities(value)).replace(/\s+/g, ' ').trim() : ''

const category = ({ id, name, slug }: Record<string, unknown>): EventCategory => ({
  id: typeof id === 'number' ? id : 0,
  name: text(name) || text(slug),
  slug: text(slug),
})

/** The order of categories that is the same in every language. */
export const bySlug = ({ slug }: EventCategory, other: EventCategory): number =>
  Number(slug > other.slug) - Number(slug < other.slug)

/** Whether an event is shown on more than one day. */
export const hasManyDays = ({ firstDay, lastDay }: DayEvent): boolean => firstDay !== lastDay

/** The part of an event within a range of days. A night that began on the day before the range is shown on its first day. */
export function daysWithin({ firstDay, lastDay, endDay, endTime }: DayEvent, { first, last }: DaySpan): DaySpan {
  const isNightBefore = lastDay < first && endDay === first && endTime > '00:00'
  if (isNightBefore) return { first, last: first }
  return { first: firstDay > first ? firstDay : first, last: lastDay < last ? lastDay : last }
}

/**
 * The events of each day of a range that has any, each on the first of its days: first those that began before or last all day, then by
 * hour.
 */
export function eventsByDay(events: readonly DayEvent[], range: DaySpan): Map<string, DayEvent[]> {
  const shown = events.map(event => ({ day: daysWithin(event, range).first, event }))
  const days = [...grouped(shown, ({ day }) => day)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(
    days.map(([day, all]) => [day, all.map(({ event }) => event).toSorted((one, other) => compareOn(day, one, other))]),
  )
}

/** By hour, then in the order of the site. */
function compareOn(day: string, one: DayEvent, other: DayEvent): number {
  const [first, second] = [one, other].map(({ isAllDay, firstDay, startTime }) =>
    isAllDay || firstDay < day ? '' : startTime,
  )
  if (first === second) return 0
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** What a sheet says about an event that not everybody can see. */
const statuses: Readonly<Record<string, Words>> = lookupTable(words.statuses)

/** The status of an event in a language. */
export const statusIn = (language: Language, status: string): string => statuses[status]?.[language] ?? status

/** `draft`, `cancelled: rain`: the status of an event that not everybody can see, or that does not take place; otherwise empty. */
export const saidStatus = ({ status, reason }: DayEvent, language: Language): string =>
  status === undefined ? '' : [statusIn(language, status), reason].filter(Boolean).join(': ')

/** The same as the mark of a title: `(draft)`. */
export const markOf = (event: DayEvent, { language }: Pick<DayWords, 'language'>): string =>
  event.status === undefined ? '' : `(${saidStatus(event, language)})`

/** The title of an event with its mark: `Concert (draft)`. */
export const titleWithStatus = (event: DayEvent, words: Pick<DayWords, 'language'>): string =>
  [event.title, markOf(event, words)].filter(Boolean).join(' ')

/** The same where the end may be cut off: the mark comes first, without a reason. */
export const titleToCut = (event: DayEvent, words: DayWords): string =>
  [markOf({ ...event, reason: '' }, words), event.title].filter(Boolean).join(' ')

/** The place and price of an event: `Teatre Principal, Carrer Nou 1, Girona · 5 €` */
export const detailsOf = (event: DayEvent): string => [whereOf(event), event.cost].filter(Boolean).join(' · ')

/** The venue of an event and its address, neither of them twice. */
export function whereOf({ venue, address }: DayEvent): string {
  const isInAddress = address.some(part => part.startsWith(`${venue},`))
  return [isInAddress ? '' : venue, ...address.filter(part => !venue.includes(part))].filter(Boolean).join(', ')
}

/**
 * How days, months and times are written in a language, with weeks in the order of the user's locale. Only single words come from the platform, because its versions
 * disagree about the commas between them.
 */
export function dayWords(language: Language, env: Readonly<Record<string, string | undefined>>) {
  const locale = localeFor(language, env)
  const word = (options: Intl.DateTimeFormatOptions) => {
    // Each of these takes milliseconds to make, and few are used.
    const formatter = once(() => new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }))
    return (day: string) => formatter().format(new Date(`${day}T00:00:00Z`))
  }
  const weekday = { long: word({ weekday: 'long' }), short: word({ weekday: 'short' }) }
  const month = { long: word({ month: 'long' }), short: word({ month: 'short' }) }
  const comma = language === 'en' ? ' ' : ', '
  const withYear = (day: string) => `${weekday.long(day)}${comma}${writtenDay(day, language)}`
  const withoutYear = (day: string) => `${weekday.long(day)}${comma}${writtenDay(day, language, day.slice(0, 4))}`
  const allDay = words.allDay[language]
  const shortDay = (day: string) => `${weekday.short(day)} ${Number(day.slice(8))} ${month.short(day)}`
  return {
    language,
    /** Decides on which day the week begins for the user. */
    locale,
    today: words.today[language],
    allDay,
    /** `Saturday 21 November`; with the year if it is not that of today. */
    heading: (day: string, today: string) => capitalized(isSameYear(day, today) ? withoutYear(day) : withYear(day)),
    /** `Sat 21 Nov`, where there is little room. */
    shortHeading: (day: string) => capitalized(shortDay(day)),
    shortDay,
    /** `November 2026` */
    month: (text: string) =>
      capitalized(`${month.long(`${text}-01`)} ${language === 'en' ? '' : 'de '}${text.slice(0, 4)}`),
    /** `21–27 November 2026`, `28 November – 4 December 2026` */
    range(first: string, last: string): string {
      const until = writtenDay(last, language)
      if (first === last) return until
      if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))}–${until}`
      return `${writtenDay(first, language, last.slice(0, 4))} – ${until}`
    },
    /** `Saturday 5 December 2026, 19:00–21:00` */
    when(event: DayEvent): string {
      const { isAllDay, firstDay, lastDay, startTime, endTime, zone } = event
      const zoned = (text: string) => capitalized(zone === undefined ? text : `${text} ${zone}`)
      if (!hasManyDays(event)) return zoned(`${withYear(firstDay)}, ${isAllDay ? allDay : hoursOf(event)}`)
      const first = isSameYear(firstDay, lastDay) ? withoutYear(firstDay) : withYear(firstDay)
      if (isAllDay) return zoned(`${first} – ${withYear(lastDay)}, ${allDay}`)
      return zoned(`${first}, ${startTime} – ${withYear(lastDay)}, ${endTime}`)
    },
    /** The days of the week in the order of the locale. */
    // 4 January 1970 was a Sunday.
    weekdays: (form: 'long' | 'short') =>
      weekdaysFrom(locale).map(index => weekday[form](`1970-01-${String(4 + index).padStart(2, '0')}`)),
  }
}

export type DayWords = ReturnType<typeof dayWords>

const hoursOf = ({ startTime, endTime }: DayEvent): string =>
  startTime === endTime ? startTime : `${startTime}–${endTime}`

const isSameYear = (one: string, other: string): boolean => one.slice(0, 4) === other.slice(0, 4)

/**
 * The hours of an event on one of its days: `19:00–21:00`, `19:00`, `all day`; for an event of several days `10:00 →` on the first, `→` on
 * those in between, `→ 20:00` on the last.
 */
export function hoursOn(event: DayEvent, day: string, { allDay }: DayWords): string {
  const { isAllDay, startTime, endTime, firstDay, lastDay, zone } = event
  if (isAllDay) return allDay
  const hours = () => {
    if (day > lastDay) return `→ ${endTime}`
    if (!hasManyDays(event)) return hoursOf(event)
    if (day === firstDay) return `${startTime} →`
    return day === lastDay ? `→ ${endTime}` : '→'
  }
  return zone === undefined ? hours() : `${hours()} ${zone}`
}

/** The hour at which an event begins or, on the next day, until which its night lasts; empty for a whole day. */
export function hourIn(day: string, { isAllDay, startTime, endTime, lastDay }: DayEvent): string {
  if (isAllDay) return ''
  return day > lastDay ? `→ ${endTime}` : startTime
}

/** The last day of an event that continues on other days: `(until Sun 22 Nov)`; otherwise empty. */
export const lastDayOf = ({ lastDay }: DayEvent, day: string, { language, shortDay }: DayWords): string =>
  day < lastDay ? `(${words.until[language]} ${shortDay(lastDay)})` : ''

/** A week of a month: its days, their events, and bars for events of several days. */
export type WeekRow = ReturnType<typeof weekRows>[number]

/** A part of an event of several days in a week. */
export type Bar = ReturnType<typeof barOf>

/** The weeks of a range of days, which begin as the locale has it. */
export function weekRows(events: readonly DayEvent[], range: DaySpan, locale: string) {
  const long = events.filter(hasManyDays)
  const others = events.filter(event => !hasManyDays(event))
  const short = eventsByDay(others, range)
  const start = weekStart(range.first, locale)
  const weeks = Math.floor(daysBetween(start, range.last) / 7) + 1
  return Array.from({ length: weeks }, (_, index) => {
    const first = dayAfter(start, index * 7)
    const week = daysThrough(first, dayAfter(first, 6))
    const within = week.filter(day => day >= range.first && day <= range.last)
    return {
      /** The seven days; undefined outside the range. */
      days: week.map(day => (within.includes(day) ? day : undefined)),
      /** The events on one day only, by weekday. */
      events: week.map(day => short.get(day) ?? []),
      /** Lanes of bars, one below another; bars in one lane do not touch. */
      lanes: lanesOf(long, within, first),
    }
  })
}

function lanesOf(events: readonly DayEvent[], days: readonly string[], start: string): Bar[][] {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const bars = events
    .filter(event => event.firstDay <= last && event.lastDay >= first)
    .map(event => barOf(event, { first, last }, start))
    // Long bars come first, so that they stay in one lane over several weeks.
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const lanes: Bar[][] = []
  for (const bar of bars) {
    const lane = lanes.find(others => others.every(other => other.to < bar.from || other.from > bar.to))
    if (lane) lane.push(bar)
    else lanes.push([bar])
  }
  return lanes
}

function barOf(event: DayEvent, range: DaySpan, start: string) {
  const { first, last } = daysWithin(event, range)
  return {
    event,
    /** The columns, counted from 0. */
    from: daysBetween(start, first),
    to: daysBetween(start, last),
    /** Whether the event begins or ends in another week. */
    beginsBefore: event.firstDay < first,
    endsAfter: event.lastDay > last,
  }
}
