import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import { writtenDay } from '../../base/time/calendar-words.ts'
import { dayAfter, daysBetween } from '../../base/time/dates.ts'
import { type DayEvent, hasManyDays, hoursOn, markOf, titleWithStatus } from '../../files/print/day-events.ts'
import { type LookOf, legendItems, looksOf } from '../../files/print/sheet-page.ts'
import {
  type Days,
  daysAround,
  drawnDays,
  isOfMonth,
  keptByDay,
  turned,
  type ViewName,
} from '../../files/print/view-days.ts'
import type { CalendarClock } from './calendar-clock.ts'
import { element, fillStyled } from './elements.ts'
import type { Speech } from './event-card.ts'
import { kindMark } from './plan-preview.ts'
import { isPublic } from './read-view.ts'
import { detailsIn, type ShownEvent } from './shown-event.ts'

/** What the calendar tells the page. */
export interface ViewEvents {
  /** Called when other days are shown. */
  onDays(): void
  /** `place` is the element of the event that was chosen. */
  onClick(shown: ShownEvent, place: HTMLElement): void
  /** Called when somebody wants to see the day of which a month shows only a part. */
  onMore(day: string): void
}

/** The names of the views in the library; a narrow screen has room for a week of three days, or one of large text. */
const libraryViews = {
  month: 'dayGridMonth',
  7: 'timeGridWeek',
  3: 'days',
  1: 'day',
  agenda: 'agenda',
  list: 'listMonth',
}

/** The style sheet has the same widths, which grow with the text. */
export const narrowScreen = matchMedia('(width < 37.5em)')
const tiny = matchMedia('(width < 18em)')

/** The calendar on the page: its views, with events on their days, and the categories below. */
export class CalendarPart {
  readonly part = element('div', { class: 'calendar' })
  readonly #place = element('div', { class: 'ec-auto-dark' })
  readonly #legend = element('ul', { class: 'legend' })
  #calendar: Calendar | undefined
  #speech: Speech | undefined
  view: ViewName = 'month'
  lookOf = looksOf([])
  date: string
  /** When the days of the view are there, without events. */
  isDrawn = Promise.resolve()
  #isTurning = false
  #drawn: readonly Calendar.EventInput[] = []
  #today = ''
  #gap = 1
  #hours = ''

  constructor(
    private readonly clock: CalendarClock,
    private readonly events: ViewEvents,
  ) {
    this.date = clock.today
    this.part.append(this.#place, this.#legend)
    describeViews(this.#place)
    for (const one of [narrowScreen, tiny]) one.addEventListener('change', () => this.goTo(this.date))
    // There the events of a month are marks: a finger means their day, and the style sheet lets it through to that.
    this.#place.addEventListener('click', ({ target }) => {
      const day = (target as Element).closest('.ec-day-grid .ec-day')?.querySelector('time')?.dateTime
      if (day !== undefined && narrowScreen.matches) this.events.onMore(day)
    })
    setInterval(() => this.drawPresent(), presentPause)
  }

  /** The days of the view without those before and after a month. */
  get days(): Days {
    return daysAround(this.view, this.date, this.#room)
  }

  /** All days that are drawn. */
  get drawnDays(): Days {
    return drawnDays(this.view, this.date, this.#room)
  }

  /** The days in words. */
  titleIn({ days }: Speech): string {
    const { from, until } = this.days
    return isOfMonth(this.view) ? days.month(from.slice(0, 7)) : days.range(from, dayAfter(until, -1))
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
  turned = (by: 1 | -1): string => turned(this.view, this.date, by, this.#room)

  get #room() {
    return tiny.matches ? 1 : narrowScreen.matches ? 3 : 7
  }

  get #libraryView(): string {
    return libraryViews[this.view === 'week' ? this.#room : this.view]
  }

  /** Draws the calendar in a language. */
  draw(speech: Speech): void {
    if (this.#speech?.language === speech.language) return
    this.#speech = speech
    this.part.dataset.loading = speech.words.loading
    const { words, language, days } = speech
    if (this.#calendar) void destroyCalendar(this.#calendar)
    this.#today = this.clock.today
    this.#calendar = createCalendar(this.#place, [DayGrid, TimeGrid, List], {
      view: this.#libraryView,
      views: {
        dayGridMonth: { dayHeaderFormat: { weekday: 'short' }, dayHeaderAriaLabelFormat: { weekday: 'long' } },
        agenda: { type: 'listWeek', duration: { days: 7 } },
        days: { type: 'timeGridWeek', duration: { days: 3 } },
        day: { type: 'timeGridWeek', duration: { days: 1 } },
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
      // The 16 hours to midnight fill the screen, as far as they can still be read: much takes place in the evening.
      slotHeight: Math.floor(Math.max(0.6875 * textSize(), (innerHeight - aroundHours * textSize()) / 32)),
      scrollTime: `${firstHour}:00`,
      slotLabelFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      // The library would write days as the browser does in its language.
      dayHeaderFormat: date => days.shortHeading(dayOf(date)),
      dayHeaderAriaLabelFormat: date => days.heading(dayOf(date), this.#today),
      listDaySideFormat: date => writtenDay(dayOf(date), language, this.#today.slice(0, 4)),
      slotEventOverlap: false,
      allDayContent: words.allDay,
      noEventsContent: words.loading,
      eventDidMount({ event, el }) {
        const { count } = shownIn(event) as Partial<More>
        if (count === 0) for (const name of ['role', 'tabindex']) el.removeAttribute(name)
      },
      eventClick: ({ event, el }) => this.#open(shownIn(event), el),
      eventContent: ({ event }) => ({ domNodes: contentOf(shownIn(event), this.view, speech) }),
    })
    this.drawPresent()
  }

  show(shown: readonly ShownEvent[], look: LookOf): void {
    this.lookOf = look
    const days = this.drawnDays
    const entries: Entry[] = this.view === 'month' ? limitedByDay(shown, days, this.#mostPerDay) : [...shown]
    const isOnDate = ({ day: { firstDay, lastDay } }: ShownEvent) => firstDay <= this.date && lastDay >= this.date
    if (this.view === 'agenda' && shown.length > 0 && !shown.some(isOnDate)) entries.push({ count: 0, on: this.date })
    const drawn = entries.map(one =>
      'count' in one ? moreOf(one) : entryOf(one, this.view, days, look(one.day.categories)),
    )
    this.#draw(drawn)
    if (this.view === 'week') this.#scrollTo(shown)
    const all = shown.map(({ day }) => day)
    fillStyled(this.#legend, legendItems(all, look).join(''))
  }

  /** Shows the hours from the first event of the week on. */
  #scrollTo(shown: readonly ShownEvent[]): void {
    const short = shown.filter(({ day }) => !day.isAllDay && !hasManyDays(day) && day.firstDay >= this.days.from)
    const [first = firstHour] = short.map(({ day }) => day.startTime.slice(0, 2)).toSorted()
    // The same again would scroll back somebody who looks at other hours.
    if (this.date + first === this.#hours) return
    this.#hours = this.date + first
    this.#calendar?.setOption('scrollTime', `${first}:00`)
  }

  /** The element of an event that is shown. */
  elementOf = (id: number): HTMLElement | null => this.#place.querySelector(`.event-${id}`)

  /** Brings the event with a class into view and outlines it, when it has been drawn. */
  point(name: string): void {
    requestAnimationFrame(() => {
      const found = this.#place.querySelector(`.${name}`)
      found?.classList.add('pointed')
      found?.scrollIntoView({ block: 'center' })
    })
  }

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
    if (tiny.matches) return 0
    const { from, until } = this.drawnDays
    const row = (innerHeight / textSize() - aroundDays) / (daysBetween(from, until) / 7)
    const line = narrowScreen.matches ? markOfDay : lineOfDay
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
const rowsAtOnce = 50

/** At which a week begins on the screen before its events are known. */
const firstHour = '08'

/** How often the present is drawn, in ms. */
const presentPause = 20_000

/** In pixels, as the reader has set it. */
const textSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The heights of what is around a month, and around the hours of a week with three rows of long events; of the head of a day, and of an event in it, in the size of the text. */
const aroundDays = 15
const aroundHours = 19
const headOfDay = 1.75
const lineOfDay = 1.3125
/** On a narrow screen, an event of a month is the mark of its category. */
const markOfDay = 0.875

/** How many events a month leaves out on a day; none on a day that an agenda was asked for. */
interface More {
  readonly count: number
  readonly on: string
}

type Entry = ShownEvent | More

/** A date of the library, which is in the zone of the browser. */
const dayOf = (date: Date): string => date.toLocaleDateString('sv-SE')

/** An entry as it was given to the library, which keeps it without its type. */
const shownIn = ({ extendedProps }: { readonly extendedProps: object }): Entry => extendedProps as Entry

/** The events that fit on their days, changes of a plan in any case, and how many more each day has. */
function limitedByDay(shown: readonly ShownEvent[], { from, until }: Days, most: number): Entry[] {
  const { kept, more } = keptByDay(
    shown,
    { first: from, last: dayAfter(until, -1) },
    most,
    one => one.planned !== undefined,
  )
  return [...kept, ...[...more].map(([on, count]) => ({ on, count }))]
}

/** Below the events of its day. */
const moreOf = (more: More) => ({
  start: `${more.on} 23:59:59`,
  end: `${more.on} 23:59:59`,
  classNames: [more.count === 0 ? 'none' : 'more'],
  extendedProps: { ...more },
})

function entryOf(shown: ShownEvent, view: ViewName, days: Days, look: string): Calendar.EventInput {
  const { event, day, planned } = shown
  return {
    id: String(event.id),
    ...timesOf(shown, view, days),
    title: day.title,
    styles: [look],
    classNames: [
      `event-${event.id}`,
      ...(hasManyDays(day) ? ['long'] : []),
      ...(isPublic(event) ? [] : ['not-public']),
      ...(planned ? ['planned', planned.isBefore ? 'before' : planned.change.kind] : []),
      // What is moved is pointed at where it will be.
      ...(planned && !(planned.isBefore && planned.change.after) ? [`change-${planned.change.number}`] : []),
      ...(day.status === 'canceled' || day.status === 'postponed' ? ['off'] : []),
    ],
    extendedProps: { ...shown },
  }
}

/**
 * Where a view draws an event. One of several days is above those with hours, and once in lists, on its first day there; a month shows one
 * that ends in the small hours on its evening.
 */
function timesOf({ event, day }: ShownEvent, view: ViewName, { from }: Days) {
  const { firstDay, lastDay, isAllDay } = day
  const isLong = hasManyDays(day)
  if (isLong && isList(view)) {
    const start = firstDay > from ? firstDay : from
    return { start, end: dayAfter(start), allDay: true }
  }
  if (isAllDay || isLong) return { start: firstDay, end: dayAfter(lastDay), allDay: true }
  return { start: event.start_date, end: view === 'week' ? event.end_date : event.start_date, allDay: false }
}

const isList = (view: ViewName): boolean => view === 'agenda' || view === 'list'

/** Titles are shown as text, including any markup. */
function contentOf(entry: Entry, view: ViewName, { days, words }: Speech): Node[] {
  if ('count' in entry) {
    const count = String(entry.count)
    return [element('span', { 'data-count': count }, count === '0' ? words.none : words.more.replace('{count}', count))]
  }
  const { day, planned } = entry
  const marks = planned ? [kindMark(planned.change.kind, words)] : []
  if (!isList(view)) {
    const text = `${markOf({ ...day, reason: '' }, days)} ${day.title}`.trim()
    const hour = day.isAllDay || hasManyDays(day) ? [] : [element('span', { class: 'hour' }, day.startTime), ' ']
    const title = `${hoursOf(day, days)} ${text}`.slice(0, 300)
    // The place of an event in a week tells its hour, too.
    const parts = view === 'week' ? [text, ...hour.toReversed()] : [...hour, text]
    return [element('span', { class: 'entry', title }, ...marks, ...parts)]
  }
  const details = view === 'agenda' ? detailsIn(day) : day.venue
  return [
    element('span', { class: 'hours' }, hoursOf(day, days)),
    element('span', { class: 'name' }, ...marks, titleWithStatus(day, days)),
    ...(details === '' ? [] : [element('span', { class: 'details' }, details)]),
  ]
}

/** The time of an event on each of its days, or its days as short as they can be: `26 nov. – 20 des.` */
function hoursOf(event: DayEvent, days: Speech['days']): string {
  const { firstDay, lastDay } = event
  if (!hasManyDays(event)) return hoursOn(event, firstDay, days)
  const [first, last] = [firstDay, lastDay].map(day => days.shortDay(day).replace(/^\S+ /, ''))
  if (firstDay.slice(0, 7) === lastDay.slice(0, 7)) return `${Number(firstDay.slice(8))}–${last}`
  return `${first} – ${last}${lastDay.startsWith(firstDay.slice(0, 4)) ? '' : ` ${lastDay.slice(0, 4)}`}`
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
