import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import { dayAfter, daysBetween, daysThrough } from '../../base/time/dates.ts'
import { type DayEvent, detailsOf, hasManyDays, markOf, titleWithStatus } from '../../files/print/day-events.ts'
import { firstCategories } from '../../files/print/sheet-page.ts'
import type { CalendarClock } from './calendar-clock.ts'
import { type Days, daysAround, daysOf, drawnDays, isOfMonth, turned, type ViewName } from './calendar-days.ts'
import type { CategoryLook, Look } from './category-look.ts'
import { element } from './elements.ts'
import type { Speech } from './event-card.ts'
import { kindMark } from './plan-preview.ts'
import { isPublic } from './read-view.ts'
import type { ShownEvent } from './shown-event.ts'

/** What the calendar tells the page. */
export interface ViewEvents {
  /** Called when other days are shown. */
  onDays(): void
  /** `place` is the element of the event that was chosen. */
  onClick(shown: ShownEvent, place: HTMLElement): void
  /** Called when somebody wants to see the day of which a month shows only a part. */
  onMore(day: string): void
}

/** The names of the views in the library; `days` is the week of a narrow screen. */
const libraryViews = { month: 'dayGridMonth', week: 'timeGridWeek', days: 'days', agenda: 'agenda', list: 'listMonth' }

const narrow = matchMedia('(max-width: 600px)')

/** The calendar on the page: its views, with events on their days, and the categories below. */
export class CalendarPart {
  readonly part = element('div', { class: 'calendar' })
  readonly #place = element('div', { class: 'ec-auto-dark' })
  readonly #legend = element('ul', { class: 'legend' })
  #calendar: Calendar | undefined
  #speech: Speech | undefined
  view: ViewName = 'month'
  date: string
  /** When the days of the view are there, without events. */
  isDrawn = Promise.resolve()
  #isTurning = false
  #drawn: readonly Calendar.EventInput[] = []
  #today = ''
  #gap = 1

  constructor(
    private readonly clock: CalendarClock,
    private readonly events: ViewEvents,
  ) {
    this.date = clock.today
    this.part.append(this.#place, this.#legend)
    describeViews(this.#place)
    narrow.addEventListener('change', () => this.goTo(this.date))
    // There the events of a month are marks: a finger means their day, and the style sheet lets it through to that.
    this.#place.addEventListener('click', ({ target }) => {
      const day = (target as Element).closest('.ec-day-grid .ec-day')?.querySelector('time')?.dateTime
      if (day !== undefined && narrow.matches) this.events.onMore(day)
    })
    setInterval(() => this.drawPresent(), presentPause)
  }

  /** The days of the view without those before and after a month. */
  get days(): Days {
    return daysAround(this.view, this.date, narrow.matches)
  }

  /** All days that are drawn. */
  get drawnDays(): Days {
    return drawnDays(this.view, this.date, narrow.matches)
  }

  /** The days in words. */
  titleIn({ days }: Speech): string {
    const { from, until } = this.days
    const last = dayAfter(until, -1)
    if (isOfMonth(this.view)) return days.month(from.slice(0, 7))
    // 7–13 December 2026
    return from.slice(0, 7) === last.slice(0, 7)
      ? `${Number(from.slice(8))}–${days.range(last, last)}`
      : days.range(from, last)
  }

  /** Shows a day, in a view; a phone begins with the agenda. */
  goTo(day: string, view: ViewName = this.view): void {
    this.date = day
    this.view = view
    if (this.#calendar && !this.#isTurning) this.isDrawn = this.#turn()
    this.events.onDays()
  }

  /** Draws the days that somebody went to, after a frame with their title above the last ones: thousands of events take long to remove. */
  async #turn(): Promise<void> {
    this.#isTurning = true
    this.part.classList.add('turning')
    await nextFrame()
    this.#isTurning = false
    this.#legend.replaceChildren()
    // The library would draw these events in the next view first: thousands in a month take it half a minute.
    this.#drawn = []
    this.#calendar?.setOption('events', [])
    await undefined
    this.#calendar?.setOption('view', this.#libraryView)
    this.#calendar?.setOption('date', this.date)
    this.part.classList.remove('turning')
  }

  /** The day that the next page shows, or the previous one. */
  turned = (by: 1 | -1): string => turned(this.view, this.date, by, narrow.matches)

  get #libraryView(): string {
    return libraryViews[this.view === 'week' && narrow.matches ? 'days' : this.view]
  }

  /** Draws the calendar in a language. */
  draw(speech: Speech): void {
    if (this.#speech?.language === speech.language) return
    this.#speech = speech
    const { words, language } = speech
    if (this.#calendar) void destroyCalendar(this.#calendar)
    this.#today = this.clock.today
    this.#calendar = createCalendar(this.#place, [DayGrid, TimeGrid, List], {
      view: this.#libraryView,
      views: {
        agenda: { type: 'listWeek', duration: { days: 7 } },
        days: { type: 'timeGridWeek', duration: { days: daysOf('week', true) } },
      },
      locale: language,
      date: this.date,
      // The same in all languages of the page; asking `Intl.Locale` takes a browser 30 ms.
      firstDay: 1,
      headerToolbar: { start: '', center: '', end: '' },
      // Today is a day that the page highlights: the library would ask the clock and the zone of the browser.
      highlightedDates: [this.#today],
      theme: theme => ({ ...theme, today: 'browser-day', highlight: 'ec-today' }),
      // The page writes the hours of an event itself; the library would write them, too, which takes 10 ms for 160 events.
      eventTimeFormat: () => '',
      slotLabelFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      scrollTime: '08:00:00',
      listDaySideFormat: { day: 'numeric', month: 'long' },
      allDayContent: words.allDay,
      noEventsContent: '',
      eventClick: ({ event, el }) => this.#open(shownIn(event), el),
      eventContent: ({ event }) => ({ domNodes: contentOf(shownIn(event), this.view, speech) }),
    })
    this.drawPresent()
  }

  show(shown: readonly ShownEvent[], look: Look): void {
    const days = this.drawnDays
    const entries: Entry[] = this.view === 'month' ? limitedByDay(shown, days, this.#mostPerDay) : [...shown]
    const drawn = entries.map(one =>
      'count' in one ? moreOf(one) : entryOf(one, { view: this.view, days, look: look(one.day.categories[0]) }),
    )
    this.#draw(drawn)
    const items = firstCategories(shown.map(({ day }) => day)).map(category => {
      const { color, shape } = look(category)
      const item = element('li', { class: shape }, category.name)
      item.style.setProperty('--color', color)
      return item
    })
    this.#legend.replaceChildren(...items)
  }

  /** The element of an event that is shown. */
  elementOf = (id: number): HTMLElement | null => this.#place.querySelector(`.event-${id}`)

  /** Marks today, and says how much of it is over: the style sheet draws a line there. */
  drawPresent(): void {
    const { wall, today } = this.clock
    const [hours = 0, minutes = 0] = wall.slice(11).split(':').map(Number)
    this.part.style.setProperty('--present', `${((hours * 60 + minutes) / (24 * 60)) * 100}%`)
    if (today !== this.#today) this.#calendar?.setOption('highlightedDates', [today])
    this.#today = today
  }

  /** How many events of a day a month shows before it counts the others, so that its weeks fit on the screen. */
  get #mostPerDay(): number {
    const { from, until } = this.drawnDays
    const row = (innerHeight - aroundMonth) / (daysBetween(from, until) / 7)
    const line = narrow.matches ? markOfDay : lineOfDay
    return Math.max(2, Math.min(8, Math.floor((row - headOfDay) / line) - 1))
  }

  /**
   * The library measures each event of a month when it adds it, and the browser lays out the page again each time: a second for 200 events.
   * So they are added while hidden, and measured when all of them are there; setting a different gap makes the library measure.
   */
  #draw(events: Calendar.EventInput[]): void {
    // A list that is there already is not shortened under those who read it.
    const atOnce = isList(this.view) && this.#drawn.length === 0 ? rowsAtOnce : events.length
    this.#drawn = events
    this.part.classList.add('drawing')
    this.#calendar?.setOption('events', events.slice(0, atOnce))
    void this.#addRest(events, atOnce)
    queueMicrotask(() => {
      this.part.classList.remove('drawing')
      this.#gap = this.#gap === 1 ? 1.01 : 1
      this.#calendar?.setOption('eventGap', this.#gap)
    })
  }

  /** Adds the rows below the first ones with frames in between, in which the browser answers: it takes a second for 2,000. */
  async #addRest(events: readonly Calendar.EventInput[], from: number): Promise<void> {
    if (from >= events.length) return
    await nextFrame()
    if (this.#drawn !== events) return
    for (const one of events.slice(from, from + rowsAtOnce)) this.#calendar?.addEvent(one)
    await this.#addRest(events, from + rowsAtOnce)
  }

  #open(entry: Entry, place: HTMLElement): void {
    if (this.#isTurning) return
    if ('count' in entry) this.events.onMore(entry.on)
    else this.events.onClick(entry, place)
  }
}

/** Resolves when the browser has shown what is drawn now: it begins the frame after that, in which long work would delay it. */
const nextFrame = () =>
  new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))

/** How many rows of a list are drawn at once: more than a screen has. */
const rowsAtOnce = 100

/** How often the present is drawn, in ms. */
const presentPause = 20_000

/** The heights of what is around a month, of the head of a day, and of an event in it, in pixels. */
const aroundMonth = 240
const headOfDay = 28
const lineOfDay = 21
/** On a narrow screen, an event of a month is the mark of its category. */
const markOfDay = 14

/** How many events a month leaves out on a day. */
interface More {
  readonly count: number
  readonly on: string
}

type Entry = ShownEvent | More

/** An entry as it was given to the library, which keeps it without its type. */
const shownIn = ({ extendedProps }: { readonly extendedProps: object }): Entry => extendedProps as Entry

type Sums = Map<string, number>

/** The events that fit on their days, beginning with changes of a plan and events of several days, and how many more each day has. */
function limitedByDay(shown: readonly ShownEvent[], { from, until }: Days, most: number): Entry[] {
  const last = dayAfter(until, -1)
  const placed = shown.map(one => {
    const { firstDay, lastDay } = one.day
    const days = daysThrough(firstDay > from ? firstDay : from, lastDay).filter(day => day <= last)
    return { one, days, rank: (one.planned ? 0 : 1) + (hasManyDays(one.day) ? 0 : 2) }
  })
  const [all, counts, more] = [0, 1, 2].map(() => new Map<string, number>()) as [Sums, Sums, Sums]
  const count = (sums: Sums, day: string) => sums.set(day, (sums.get(day) ?? 0) + 1)
  for (const { days } of placed) for (const day of days) count(all, day)
  // A line that says "1 more" would take as much room as the event.
  const hasRoom = (day: string) => (all.get(day) ?? 0) <= most + 1 || (counts.get(day) ?? 0) < most
  const ordered = placed.toSorted((one, other) => one.rank - other.rank)
  const kept = ordered.filter(({ one, days }) => {
    const fits = one.planned !== undefined || days.every(hasRoom)
    for (const day of days) count(fits ? counts : more, day)
    return fits
  })
  return [...kept.map(({ one }) => one), ...[...more].map(([on, count]) => ({ on, count }))]
}

/** Below the events of its day. */
const moreOf = (more: More) => ({
  start: `${more.on} 23:59:59`,
  end: `${more.on} 23:59:59`,
  classNames: ['more'],
  extendedProps: { ...more },
})

interface Drawing {
  readonly view: ViewName
  readonly days: Days
  readonly look: CategoryLook
}

function entryOf(shown: ShownEvent, { view, days, look }: Drawing): Calendar.EventInput {
  const { event, day, planned } = shown
  return {
    id: String(event.id),
    ...timesOf(shown, view, days),
    title: day.title,
    styles: [`--color: ${look.color}`],
    classNames: [
      `event-${event.id}`,
      look.shape,
      ...(hasManyDays(day) ? ['long'] : []),
      ...(isPublic(event) ? [] : ['not-public']),
      ...(planned ? ['planned', planned.isBefore ? 'before' : planned.change.kind] : []),
      ...(day.status === 'canceled' || day.status === 'postponed' ? ['off'] : []),
    ],
    extendedProps: { ...shown },
  }
}

/**
 * Where a view draws an event. One of several days is in the row above the hours of a week, and once in lists, on its first day there; a
 * month shows one that ends in the small hours on its evening.
 */
function timesOf({ event, day }: ShownEvent, view: ViewName, { from }: Days) {
  const { firstDay, lastDay, isAllDay } = day
  const isLong = hasManyDays(day)
  if (isLong && isList(view)) {
    const start = firstDay > from ? firstDay : from
    return { start, end: dayAfter(start), allDay: true }
  }
  if (isAllDay || (isLong && view === 'week')) return { start: firstDay, end: dayAfter(lastDay), allDay: true }
  const isNight = view !== 'week' && !isLong
  return { start: event.start_date, end: isNight ? event.start_date : event.end_date, allDay: false }
}

const isList = (view: ViewName): boolean => view === 'agenda' || view === 'list'

/** Titles are shown as text, including any markup. */
function contentOf(entry: Entry, view: ViewName, { days, words }: Speech): Node[] {
  if ('count' in entry) return [element('span', {}, words.more.replace('{count}', String(entry.count)))]
  const { day, planned } = entry
  const marks = planned ? [kindMark(planned.change.kind, words)] : []
  if (!isList(view)) {
    const hours = day.isAllDay || hasManyDays(day) ? '' : day.startTime
    const text = `${markOf({ ...day, reason: '' }, days)} ${day.title}`.trim()
    const hour = hours === '' ? [] : [element('span', { class: 'hour' }, `${hours} `)]
    return [
      element('span', { class: 'entry', title: `${hours} ${text}`.trim().slice(0, 300) }, ...marks, ...hour, text),
    ]
  }
  const details = view === 'agenda' ? detailsOf(day) : day.venue
  return [
    element('span', { class: 'hours' }, hoursOf(day, days)),
    element('span', { class: 'name' }, ...marks, titleWithStatus(day, days)),
    ...(details === '' ? [] : [element('span', { class: 'details' }, details)]),
  ]
}

/** The time of an event on each of its days: a row of the list does not say which day it is on. */
function hoursOf(event: DayEvent, days: Speech['days']): string {
  const { isAllDay, firstDay, lastDay, startTime, endTime } = event
  if (hasManyDays(event)) return days.range(firstDay, lastDay)
  if (isAllDay) return days.allDay
  return startTime === endTime ? startTime : `${startTime}–${endTime}`
}

/**
 * The library gives its boxes the roles of tables and lists without rows and items, and makes a landmark of the hours: without these roles,
 * a screen reader reads the days in order.
 */
function describeViews(place: HTMLElement): void {
  const observer = new MutationObserver(() => {
    for (const box of place.querySelectorAll('[role], [aria-colindex], [aria-rowindex]')) {
      if (!['button', 'dialog', 'none'].includes(box.getAttribute('role') ?? '')) box.removeAttribute('role')
      for (const name of ['aria-colindex', 'aria-rowindex']) box.removeAttribute(name)
    }
    for (const hours of place.querySelectorAll('aside:not([role])')) hours.setAttribute('role', 'none')
    for (const day of place.querySelectorAll('h4:not([aria-level])')) day.setAttribute('aria-level', '3')
  })
  observer.observe(place, { subtree: true, childList: true, attributeFilter: ['role'] })
}
