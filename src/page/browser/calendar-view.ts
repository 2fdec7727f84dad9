import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import { weekdaysFrom } from '../../base/time/calendar-words.ts'
import { dayAfter } from '../../base/time/dates.ts'
import { type DayEvent, detailsOf, titleToCut, titleWithStatus } from '../../files/print/day-events.ts'
import { colorsOf, firstCategories } from '../../files/print/sheet-page.ts'
import { element } from './elements.ts'
import type { ShownEvent, Speech } from './event-card.ts'

/** Days, the last one not included. */
interface Days {
  readonly from: string
  readonly until: string
}

/** What the calendar tells the page. */
export interface ViewEvents {
  /** Other days are shown. */
  onDays(days: Days): void
  onClick(shown: ShownEvent): void
}

const monthView = 'dayGridMonth'
const weekView = 'timeGridWeek'

/** The calendar on the page: its views, with events on their days and the categories below. */
export class CalendarView {
  readonly part = element('div', { class: 'calendar' })
  readonly #place = element('div', { class: 'ec-auto-dark' })
  readonly #legend = element('ul', { class: 'legend' })
  #calendar: Calendar | undefined

  constructor(
    private readonly firstDay: Date,
    private readonly events: ViewEvents,
  ) {
    this.part.append(this.#place, this.#legend)
    describeViews(this.#place)
  }

  /** The days of the view without those around a month, and whether they are a month. */
  get shownDays(): Days & { readonly isMonth: boolean } {
    const view = this.#calendar?.getView()
    const [from, until] = [view?.currentStart ?? this.firstDay, view?.currentEnd ?? this.firstDay].map(dayOf)
    return { from: from ?? '', until: until ?? '', isMonth: view?.type === monthView }
  }

  /** Draws the calendar anew in a language, with the same days in the same view. */
  draw(speech: Speech): void {
    const before = this.#calendar?.getView()
    const { words, language, days } = speech
    const { today, previous, next, close, month, week, agenda, list } = words
    if (this.#calendar) void destroyCalendar(this.#calendar)
    this.#calendar = createCalendar(this.#place, [DayGrid, TimeGrid, List], {
      view: before?.type ?? (matchMedia('(max-width: 600px)').matches ? 'agenda' : monthView),
      views: { agenda: { type: 'listWeek', duration: { days: 7 } }, [monthView]: { height: '60rem' } },
      locale: language,
      date: before?.currentStart ?? this.firstDay,
      firstDay: weekdaysFrom(days.locale)[0] === 0 ? 0 : 1,
      headerToolbar: { start: 'prev,next today', center: 'title', end: `${monthView},${weekView},agenda,listMonth` },
      buttonText: { today, close, next, prev: previous, agenda, [monthView]: month, [weekView]: week, listMonth: list },
      slotLabelFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      scrollTime: '08:00:00',
      nowIndicator: true,
      allDayContent: words.allDay,
      noEventsContent: words.none,
      moreLinkContent: ({ num }) => words.more.replace('{count}', String(num)),
      dayMaxEvents: true,
      datesSet: ({ start, end }) => this.events.onDays({ from: dayOf(start), until: dayOf(end) }),
      eventClick: ({ event }) => this.events.onClick(event.extendedProps as unknown as ShownEvent),
      eventContent: ({ event, view }) => ({
        domNodes: contentOf(event.extendedProps as unknown as ShownEvent, view.type, speech),
      }),
    })
  }

  show(shown: readonly ShownEvent[]): void {
    const colorOf = colorsOf(shown.map(({ day }) => day))
    const isMonth = this.#calendar?.getView().type === monthView
    this.#calendar?.setOption(
      'events',
      shown.map(one => entryOf(one, isMonth, colorOf(one.day.categories[0]))),
    )
    const items = firstCategories(shown.map(({ day }) => day)).map(category => {
      const item = element('li', {}, category.name)
      item.style.setProperty('--color', colorOf(category))
      return item
    })
    this.#legend.replaceChildren(...items)
  }
}

function entryOf(shown: ShownEvent, isMonth: boolean, backgroundColor: string) {
  const { event, day } = shown
  const isOfManyDays = day.firstDay !== day.lastDay
  // A month shows what ends in the small hours on its evening.
  const end = isMonth && !isOfManyDays ? event.start_date : event.end_date
  return {
    id: String(event.id),
    start: event.start_date,
    end: day.isAllDay ? dayAfter(day.lastDay) : end,
    allDay: day.isAllDay,
    title: day.title,
    backgroundColor,
    classNames: [
      ...(event.status === 'publish' ? [] : ['not-public']),
      ...(day.status === 'canceled' || day.status === 'postponed' ? ['off'] : []),
    ],
    extendedProps: { ...shown },
  }
}

/** Texts are texts: a title with markup shows it. */
function contentOf({ day }: ShownEvent, view: string, { days }: Speech): Node[] {
  if (view === monthView || view === weekView) {
    const hours = day.isAllDay || day.firstDay !== day.lastDay ? '' : day.startTime
    const text = `${hours} ${titleToCut(day, days)}`.trim()
    return [element('span', { class: 'entry', title: text.slice(0, 300) }, text)]
  }
  const details = view === 'agenda' ? detailsOf(day) : day.venue
  return [
    element('span', { class: 'hours' }, hoursOf(day, days)),
    element('span', { class: 'name' }, titleWithStatus(day, days)),
    ...(details === '' ? [] : [element('span', { class: 'details' }, details)]),
  ]
}

/** When an event is, on each of its days: the row of a list does not say which day it is on. */
function hoursOf({ isAllDay, firstDay, lastDay, startTime, endTime }: DayEvent, days: Speech['days']): string {
  if (firstDay !== lastDay) return days.range(firstDay, lastDay)
  if (isAllDay) return days.allDay
  return startTime === endTime ? startTime : `${startTime}–${endTime}`
}

/**
 * The library gives its boxes roles of a table and a list that have no rows and items: without them a reader hears days in order. Its
 * buttons do not say which view is shown.
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
