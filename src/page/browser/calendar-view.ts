import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import { dayAfter, daysThrough, mondayOf } from '../../base/time/dates.ts'
import { type DayEvent, detailsOf, hasManyDays, markOf, titleWithStatus } from '../../files/print/day-events.ts'
import { colorsOf, firstCategories } from '../../files/print/sheet-page.ts'
import { element } from './elements.ts'
import type { Speech } from './event-card.ts'
import { kindMark } from './plan-preview.ts'
import { isPublic } from './read-view.ts'
import type { ShownEvent } from './shown-event.ts'

/** A span of days without the last one. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** What the calendar tells the page. */
export interface ViewEvents {
  /** Called when other days are shown. */
  onDays(days: Days): void
  onClick(shown: ShownEvent): void
}

const monthView = 'dayGridMonth'
const weekView = 'timeGridWeek'

const firstView = () => (matchMedia('(max-width: 600px)').matches ? 'agenda' : monthView)

/** The calendar on the page: its views, with events on their days, and the categories below. */
export class CalendarPart {
  readonly part = element('div', { class: 'calendar' })
  readonly #place = element('div', { class: 'ec-auto-dark' })
  readonly #legend = element('ul', { class: 'legend' })
  #calendar: Calendar | undefined
  #gap = 1

  constructor(
    private firstDay: Date,
    private readonly events: ViewEvents,
  ) {
    this.part.append(this.#place, this.#legend)
    describeViews(this.#place)
  }

  /** Shows a day; before the calendar is drawn, sets the day that it will show first. */
  goTo(day: string): void {
    this.firstDay = new Date(`${day}T00:00:00`)
    this.#calendar?.setOption('date', this.firstDay)
  }

  /** The days of the view without those before and after a month, and whether they are a month. */
  get shownDays(): Days & { readonly isMonth: boolean } {
    const view = this.#calendar?.getView()
    const [from, until] = [view?.currentStart ?? this.firstDay, view?.currentEnd ?? this.firstDay].map(dayOf)
    return { from: from ?? '', until: until ?? '', isMonth: view?.type === monthView }
  }

  /** The days that the calendar will show when it is first drawn, as whole weeks. */
  get firstDays(): Days {
    const day = dayOf(this.firstDay)
    if (firstView() !== monthView) return { from: day, until: dayAfter(day, 7) }
    const { firstDay } = this
    const last = dayOf(new Date(firstDay.getFullYear(), firstDay.getMonth() + 1, 0))
    return { from: mondayOf(`${day.slice(0, 8)}01`), until: dayAfter(mondayOf(last), 7) }
  }

  /** Draws the calendar in another language, with the same days in the same view. */
  draw(speech: Speech): void {
    const before = this.#calendar?.getView()
    const { words, language } = speech
    const { today, previous, next, close, month, week, agenda, list } = words
    if (this.#calendar) void destroyCalendar(this.#calendar)
    this.#calendar = createCalendar(this.#place, [DayGrid, TimeGrid, List], {
      view: before?.type ?? firstView(),
      views: { agenda: { type: 'listWeek', duration: { days: 7 } } },
      locale: language,
      date: before?.currentStart ?? this.firstDay,
      // The same in all languages of the page; asking `Intl.Locale` takes a browser 30 ms.
      firstDay: 1,
      headerToolbar: { start: 'prev,next today', center: 'title', end: `${monthView},${weekView},agenda,listMonth` },
      buttonText: { today, close, next, prev: previous, agenda, [monthView]: month, [weekView]: week, listMonth: list },
      // The page writes the hours of an event itself; the library would write them, too, which takes 10 ms for 160 events.
      eventTimeFormat: () => '',
      slotLabelFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      scrollTime: '08:00:00',
      nowIndicator: true,
      allDayContent: words.allDay,
      noEventsContent: words.none,
      datesSet: ({ start, end }) => this.events.onDays({ from: dayOf(start), until: dayOf(end) }),
      eventClick: ({ event }) => this.#open(event.extendedProps as unknown as Entry),
      eventContent: ({ event, view }) => ({
        domNodes: contentOf(event.extendedProps as unknown as Entry, view.type, speech),
      }),
    })
  }

  show(shown: readonly ShownEvent[]): void {
    const view = this.#calendar?.getView()
    const colorOf = colorsOf(shown.map(({ day }) => day))
    const isMonth = view?.type === monthView
    const entries: Entry[] =
      view && isMonth
        ? limitedByDay(shown, { from: dayOf(view.activeStart), until: dayOf(view.activeEnd) })
        : [...shown]
    this.#draw(
      entries.map(one => ('count' in one ? moreOf(one) : entryOf(one, isMonth, colorOf(one.day.categories[0])))),
    )
    const items = firstCategories(shown.map(({ day }) => day)).map(category => {
      const item = element('li', {}, category.name)
      item.style.setProperty('--color', colorOf(category))
      return item
    })
    this.#legend.replaceChildren(...items)
  }

  /**
   * The library measures each event of a month when it adds it, and the browser lays out the page again each time: a second for 200 events.
   * So they are added while hidden, and measured when all of them are there; setting a different gap makes the library measure.
   */
  #draw(events: Calendar.EventInput[]): void {
    this.part.classList.add('drawing')
    this.#calendar?.setOption('events', events)
    queueMicrotask(() => {
      this.part.classList.remove('drawing')
      this.#gap = this.#gap === 1 ? 1.01 : 1
      this.#calendar?.setOption('eventGap', this.#gap)
    })
  }

  /** Opens an event, or the agenda of a day of which a month shows only a part. */
  #open(entry: Entry): void {
    if ('count' in entry) {
      this.goTo(entry.on)
      this.#calendar?.setOption('view', 'agenda')
    } else this.events.onClick(entry)
  }
}

/** How many events a month leaves out on a day. */
interface More {
  readonly count: number
  readonly on: string
}

type Entry = ShownEvent | More

/** How many events a month shows on a day, so that rows stay low and thousands of events are drawn at once. */
const mostPerDay = 4

type Sums = Map<string, number>

/** The events that fit on their days, beginning with changes of a plan and events of several days, and how many more each day has. */
function limitedByDay(shown: readonly ShownEvent[], { from, until }: Days): Entry[] {
  const last = dayAfter(until, -1)
  const daysOf = ({ day: { firstDay, lastDay } }: ShownEvent) =>
    daysThrough(firstDay > from ? firstDay : from, lastDay > last ? last : lastDay)
  const [all, counts, more] = [0, 1, 2].map(() => new Map<string, number>()) as [Sums, Sums, Sums]
  const count = (sums: Sums, day: string) => sums.set(day, (sums.get(day) ?? 0) + 1)
  for (const one of shown) for (const day of daysOf(one)) count(all, day)
  // A line that says "1 more" would take as much room as the event.
  const hasRoom = (day: string) => (all.get(day) ?? 0) <= mostPerDay + 1 || (counts.get(day) ?? 0) < mostPerDay
  const rankOf = ({ day, planned }: ShownEvent) => (planned ? 0 : 1) + (hasManyDays(day) ? 0 : 2)
  const ordered = shown.toSorted((one, other) => rankOf(one) - rankOf(other))
  const kept = ordered.filter(one => {
    const fits = one.planned !== undefined || [...daysOf(one)].every(hasRoom)
    for (const day of daysOf(one)) count(fits ? counts : more, day)
    return fits
  })
  return [...kept, ...[...more].map(([on, count]) => ({ on, count }))]
}

/** Below the events of its day. */
const moreOf = (more: More) => ({
  start: `${more.on} 23:59:59`,
  end: `${more.on} 23:59:59`,
  classNames: ['more'],
  extendedProps: { ...more },
})

function entryOf(shown: ShownEvent, isMonth: boolean, backgroundColor: string) {
  const { event, day, planned } = shown
  // A month shows an event that ends in the small hours on its evening.
  const end = isMonth && !hasManyDays(day) ? event.start_date : event.end_date
  return {
    id: String(event.id),
    start: event.start_date,
    end: day.isAllDay ? dayAfter(day.lastDay) : end,
    allDay: day.isAllDay,
    title: day.title,
    backgroundColor,
    classNames: [
      ...(isPublic(event) ? [] : ['not-public']),
      ...(planned ? ['planned', planned.isBefore ? 'before' : planned.change.kind] : []),
      ...(day.status === 'canceled' || day.status === 'postponed' ? ['off'] : []),
    ],
    extendedProps: { ...shown },
  }
}

/** Titles are shown as text, including any markup. */
function contentOf(entry: Entry, view: string, { days, words }: Speech): Node[] {
  if ('count' in entry) return [element('span', {}, words.more.replace('{count}', String(entry.count)))]
  const { day, planned } = entry
  const marks = planned ? [kindMark(planned.change.kind, words)] : []
  if (view === monthView || view === weekView) {
    const hours = day.isAllDay || hasManyDays(day) ? '' : day.startTime
    const text = `${hours} ${markOf({ ...day, reason: '' }, days)} ${day.title}`.replace(/ {2,}/g, ' ').trim()
    return [element('span', { class: 'entry', title: text.slice(0, 300) }, ...marks, text)]
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
 * The library gives its boxes the roles of tables and lists without rows and items: without these roles, a screen reader reads the days in
 * order. Its buttons do not say which view is shown.
 */
function describeViews(place: HTMLElement): void {
  const observer = new MutationObserver(() => {
    for (const box of place.querySelectorAll('[role], [aria-colindex], [aria-rowindex]')) {
      if (!['button', 'dialog'].includes(box.getAttribute('role') ?? '')) box.removeAttribute('role')
      for (const name of ['aria-colindex', 'aria-rowindex']) box.removeAttribute(name)
    }
    for (const button of place.querySelectorAll('.ec-toolbar .ec-end button')) {
      const isPressed = String(button.classList.contains('ec-active'))
      if (button.getAttribute('aria-pressed') !== isPressed) button.setAttribute('aria-pressed', isPressed)
    }
  })
  observer.observe(place, { subtree: true, childList: true, attributeFilter: ['role', 'class'] })
}

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')
