/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import { type CalendarView, eventPlace, type PageEvent, queryOf, readView, textOfHtml } from './read-view.ts'
import { type PageLanguage, type PageWords, pageLanguages, words } from './words.ts'

/** The page of the calendar: its state, the controls above the calendar, and what the view asked for below it. */

const { api = '', baseUrl = '', namespace = '' } = document.body.dataset

const wanted = (navigator.languages ?? []).map(name => name.slice(0, 2))
const first = pageLanguages.find(language => new URLSearchParams(location.search).get('lang') === language)
let language: PageLanguage = first ?? pageLanguages.find(one => wanted.includes(one)) ?? 'en'
let view: CalendarView = { from: '', until: '', search: '', category: '', language }
let shown = ''
let calendar: Calendar | undefined

/** How often the view is read again, in ms: what anybody writes appears by itself. */
const interval = 3000

const say = (): PageWords => words[language]

type Children = readonly (Node | string)[]

function element<T extends keyof HTMLElementTagNameMap>(
  name: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Children
): HTMLElementTagNameMap[T] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

const main = element('main')
const controls = element('form', { class: 'controls', role: 'search' })
const place = element('div', { class: 'ec-auto-dark' })
const notice = element('p', { class: 'notice', role: 'status' })
const card = element('dialog', { class: 'card' })
const requests = element('details', { class: 'asked' })

function drawControls(): void {
  document.documentElement.lang = language
  const { search: searchWord, category: categoryWord, language: languageWord, all, subscribe } = say()
  const search = element('input', { type: 'search', name: 'search', value: view.search })
  search.addEventListener('input', () => change({ search: search.value }))
  const category = element('select', { name: 'category' }, new Option(all, ''))
  category.addEventListener('change', () => change({ category: category.value }))
  void readCategories(category)
  const languages = pageLanguages.map(one => {
    const button = element('button', { type: 'button', 'aria-pressed': String(one === language), lang: one }, one)
    button.addEventListener('click', () => speak(one))
    return button
  })
  controls.replaceChildren(
    element('label', {}, searchWord, search),
    element('label', {}, categoryWord, category),
    element('div', { role: 'group', 'aria-label': languageWord }, ...languages),
    element('a', { href: `/calendar.ics?lang_code=${language}` }, subscribe),
    element('a', { href: `${api}/doc?lang=${language}` }, 'OpenAPI'),
  )
}

async function readCategories(select: HTMLSelectElement): Promise<void> {
  const response = await fetch(`${api}/categories?per_page=50&lang_code=${language}`).catch(() => undefined)
  if (!response?.ok) return
  const { categories } = (await response.json()) as { categories: { id: number; name: string }[] }
  for (const { id, name } of categories)
    select.add(new Option(textOfHtml(name), String(id), false, String(id) === view.category))
}

function speak(one: PageLanguage): void {
  language = one
  view = { ...view, language, category: '' }
  drawControls()
  drawCalendar()
}

function change(part: Partial<CalendarView>): void {
  view = { ...view, ...part }
  void refresh()
}

/** Eight colours that differ, by category. */
const colors = 8

const asEntry = (event: PageEvent) => ({
  id: String(event.id),
  start: event.start_date,
  end: shownEnd(event),
  allDay: event.all_day === true,
  title: textOfHtml(event.title),
  classNames: [
    `color-${(event.categories[0]?.id ?? 0) % colors}`,
    ...(event.status === 'publish' ? [] : ['not-public']),
    ...(event.event_status ? ['off'] : []),
  ],
  extendedProps: { event },
})

/** What ends in the small hours belongs to its evening: a month shows it on one day. */
const smallHours = '06:00'

const isOfOneDay = ({ start_date, end_date, all_day }: PageEvent): boolean =>
  all_day !== true &&
  (start_date.slice(0, 10) === end_date.slice(0, 10) ||
    (dayAfter(start_date) === end_date.slice(0, 10) && end_date.slice(11, 16) <= smallHours))

function shownEnd(event: PageEvent): string {
  if (event.all_day) return dayAfter(event.end_date)
  const isInMonth = calendar?.getView().type === 'dayGridMonth'
  return isInMonth && isOfOneDay(event) ? event.start_date : event.end_date
}

const dayAfter = (moment: string): string =>
  new Date(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

async function refresh(): Promise<void> {
  if (view.from === '') return
  try {
    const events = await readView(api, view)
    notice.textContent = events.length === 0 ? say().none : ''
    const text = JSON.stringify(events)
    if (text === shown) return
    shown = text
    calendar?.setOption('events', events.map(asEntry))
    drawAsked(text)
  } catch {
    notice.textContent = say().lost
  }
}

/** What this view asked for: as a URL, for curl, calctl and the library; and the answer. */
function drawAsked(text: string): void {
  const asked = queryOf(view)
  const url = new URL(`${api}/events?${asked}`, location.href)
  const flags = [view.search && ` --search ${quoted(view.search)}`, view.category && ` --categories ${view.category}`]
  const line = `calctl events list --base-url ${baseUrl} --namespace ${namespace} --ends-after ${asked.get('ends_after')} --starts-before ${asked.get('starts_before')} --lang ${language}${flags.join('')}`
  const code = `client.events.list({ endsAfter: '${asked.get('ends_after')}', startsBefore: '${asked.get('starts_before')}' })`
  requests.replaceChildren(
    element('summary', {}, say().request),
    ...[url.href, `curl ${quoted(url.href)}`, line, code].map(one => element('pre', {}, one)),
    element('h2', {}, say().answer),
    element('pre', { tabindex: '0' }, JSON.stringify(JSON.parse(text), null, 2).slice(0, 20_000)),
  )
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function showCard(event: PageEvent): void {
  const { close, page, hiddenFromPublic, canceled, postponed, allDay } = say()
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'full',
    ...(event.all_day ? {} : { timeStyle: 'short' }),
    timeZone: 'UTC',
  })
  const moment = (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
  const button = element('button', { type: 'button' }, close)
  button.addEventListener('click', () => card.close())
  const marks = [
    event.status !== 'publish' && hiddenFromPublic,
    event.event_status === 'canceled' && canceled,
    event.event_status === 'postponed' && postponed,
    event.all_day && allDay,
  ].filter(mark => mark !== false && mark !== null)
  card.setAttribute('aria-label', textOfHtml(event.title))
  card.replaceChildren(
    element('h2', {}, textOfHtml(event.title)),
    ...(marks.length > 0 ? [element('p', { class: 'marks' }, marks.join(' · '))] : []),
    ...(event.image ? [picture(event.image)] : []),
    element('p', {}, format.formatRange(moment(event.start_date), moment(event.end_date))),
    element('p', {}, [eventPlace(event), textOfHtml(event.cost)].filter(Boolean).join(' · ')),
    element('p', {}, textOfHtml(event.description)),
    element('p', {}, element('a', { href: event.url }, page)),
    button,
  )
  card.showModal()
}

function picture({ url, alt = '' }: { readonly url: string; readonly alt?: string }): HTMLImageElement {
  const image = element('img', { src: url, alt, loading: 'lazy' })
  image.addEventListener('error', () => image.remove())
  return image
}

function drawCalendar(): void {
  const { month, week, list, today, previous, next, none, allDay } = say()
  if (calendar) void destroyCalendar(calendar)
  shown = ''
  calendar = createCalendar(place, [DayGrid, TimeGrid, List], {
    view: matchMedia('(max-width: 600px)').matches ? 'listMonth' : 'dayGridMonth',
    locale: language,
    firstDay: language === 'en' ? 0 : 1,
    headerToolbar: { start: 'prev,next today', center: 'title', end: 'dayGridMonth,timeGridWeek,listMonth' },
    buttonText: { today, dayGridMonth: month, timeGridWeek: week, listMonth: list, prev: previous, next },
    allDayContent: allDay,
    noEventsContent: none,
    dayMaxEvents: true,
    datesSet: ({ start, end }) => {
      shown = ''
      change({ from: dayOf(start), until: dayOf(end) })
    },
    eventClick: ({ event }) => showCard(event.extendedProps.event as PageEvent),
    // Texts are texts: a title with markup shows it.
    eventContent: ({ event, timeText }) => {
      const hours = isOfOneDay(event.extendedProps.event as PageEvent) ? timeText : ''
      return { domNodes: [element('span', {}, `${hours} ${String(event.title)}`.trim())] }
    },
  })
}

/** The library gives its boxes roles of a table and a list that have no rows and items: without them a reader hears days in order. */
const withoutRoles = new MutationObserver(() => {
  for (const box of place.querySelectorAll('[role], [aria-colindex], [aria-rowindex]')) {
    if (!['button', 'dialog'].includes(box.getAttribute('role') ?? '')) box.removeAttribute('role')
    for (const name of ['aria-colindex', 'aria-rowindex']) box.removeAttribute(name)
  }
})
withoutRoles.observe(place, { subtree: true, childList: true, attributeFilter: ['role'] })

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')

main.append(element('h1', {}, 'calctl'), controls, notice, place, requests, card)
document.body.append(main)
drawControls()
drawCalendar()
setInterval(() => {
  if (document.visibilityState === 'visible') void refresh()
}, interval)
