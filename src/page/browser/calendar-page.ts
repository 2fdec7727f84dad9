import { type Calendar, createCalendar, DayGrid, destroyCalendar, List, TimeGrid } from '@event-calendar/core'
import {
  type CalendarView,
  eventPlace,
  type FilterName,
  filterResources,
  type PageEvent,
  queryOf,
  readChoices,
  readView,
  textOfHtml,
  translationOf,
} from './read-view.ts'
import { type PageLanguage, type PageWords, pageLanguages, words } from './words.ts'

/** The page of the calendar: its state, the controls above the calendar, and what the view asked for below it. */

const { api = '', baseUrl = '', namespace = '' } = document.body.dataset

const wanted = (navigator.languages ?? []).map(name => name.slice(0, 2))
const first = pageLanguages.find(language => new URLSearchParams(location.search).get('lang') === language)
let language: PageLanguage = first ?? pageLanguages.find(one => wanted.includes(one)) ?? 'en'
let view: CalendarView = { from: '', until: '', search: '', filters: {}, language }
let shown = ''
let calendar: Calendar | undefined

/** `?month=2026-12` is the month that is shown first. */
const month = new URLSearchParams(location.search).get('month') ?? ''
const firstDay = /^\d{4}-\d\d$/.test(month) ? new Date(`${month}-01T00:00:00`) : new Date()

/** How often the view is read again, in ms: what anybody writes appears by itself. */
const interval = 3000

const filterNames = Object.keys(filterResources) as FilterName[]

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
  const { search: searchWord, language: languageWord, subscribe } = say()
  const search = element('input', { type: 'search', name: 'search', value: view.search })
  search.addEventListener('input', () => change({ search: search.value }))
  const languages = pageLanguages.map(one => {
    const button = element('button', { type: 'button', 'aria-pressed': String(one === language), lang: one }, one)
    button.addEventListener('click', () => speak(one))
    return button
  })
  controls.replaceChildren(
    element('label', {}, searchWord, search),
    ...filterNames.map(choiceOf),
    element('div', { role: 'group', 'aria-label': languageWord }, ...languages),
    element('a', { href: `/calendar.ics?lang_code=${language}` }, subscribe),
    element('a', { href: `${api}/doc?lang_code=${language}` }, 'OpenAPI'),
  )
}

/** A list from which one record of a kind is chosen. */
function choiceOf(name: FilterName): HTMLLabelElement {
  const select = element('select', { name }, new Option(say().all, ''))
  select.addEventListener('change', () => change({ filters: { ...view.filters, [name]: select.value } }))
  void readChoices(api, name, language).then(choices => {
    for (const [id, label] of choices) select.add(new Option(label, id, false, id === view.filters[name]))
  })
  return element('label', {}, say()[name], select)
}

function speak(one: PageLanguage): void {
  language = one
  view = { ...view, language, filters: {} }
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

/** Counts the reads: an answer that comes after that of a later read is not shown. */
let reads = 0

async function refresh(): Promise<void> {
  if (view.from === '') return
  const read = ++reads
  try {
    const events = await readView(api, view)
    if (read !== reads) return
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
  const filters = Object.entries(view.filters).map(([name, id]) => (id === '' ? '' : ` --${name} ${id}`))
  const flags = [view.search && ` --search ${quoted(view.search)}`, ...filters]
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
  void addTranslations(event)
}

/** The texts of an event in the other languages, as far as it has them. */
async function addTranslations(event: PageEvent): Promise<void> {
  for (const one of pageLanguages.filter(one => one !== language)) {
    const translation = await translationOf(api, event, one).catch(() => undefined)
    if (!translation || !card.open) continue
    const text = element('p', { lang: one }, textOfHtml(translation.description))
    const title = element('summary', { lang: one }, `${one}: ${textOfHtml(translation.title)}`)
    card.lastChild?.before(element('details', {}, title, text))
  }
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
    date: firstDay,
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
