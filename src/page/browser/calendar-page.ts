import { dayWords, statusIn } from '../../files/print/day-events.ts'
import { CalendarPart, type Days } from './calendar-view.ts'
import { DeveloperPanel } from './developer-panel.ts'
import { button, element } from './elements.ts'
import { eventCard, type Speech } from './event-card.ts'
import { followChanges } from './live.ts'
import { PlanPreview } from './plan-preview.ts'
import { printSheets } from './print-sheet.ts'
import {
  ApiReader,
  type CalendarView,
  type FilterName,
  filterResources,
  isPublic,
  type PageEvent,
  queryOf,
  type RecordFilter,
  readChoices,
} from './read-view.ts'
import { ReferencePanel } from './reference-panel.ts'
import { requestPanel } from './request-panel.ts'
import { type ShownEvent, shownEvent } from './shown-event.ts'
import { problemOf, SignIn } from './sign-in.ts'
import { type PageLanguage, pageLanguages, words } from './words.ts'

/** The page of the calendar: its state, the controls above the calendar, and what belongs to the view below it. */

const {
  api: root = '',
  baseUrl = '',
  namespace = '',
  access = '',
  plan: planAddress,
  version = '',
} = document.body.dataset

const asked = new URLSearchParams(location.search)
const wanted = (navigator.languages ?? []).map(name => name.slice(0, 2))
const first = pageLanguages.find(language => asked.get('lang') === language)

/** `?month=2026-12` is the month that is shown first. */
const month = asked.get('month') ?? ''
const firstDay = /^\d{4}-\d\d$/.test(month) ? new Date(`${month}-01T00:00:00`) : new Date()

/** How long nothing must be typed before the calendar is searched, in ms. */
const typingPause = 150
/** After how long a view that the server refused is requested again, in ms. */
const retryPause = 3000

const speechOf = (language: PageLanguage): Speech => ({
  language,
  words: words[language],
  days: dayWords(language, {}),
})

const api = new ApiReader(root, planAddress === undefined ? 'omit' : 'same-origin')
let speech = speechOf(first ?? pageLanguages.find(one => wanted.includes(one)) ?? 'en')
let view: CalendarView = {
  from: '',
  until: '',
  search: '',
  filters: {},
  language: speech.language,
  readsAll: false,
}
let shown: readonly ShownEvent[] = []
let shownText = ''
let shownView: CalendarView | undefined
/** The view that is being read. */
let pending: CalendarView | undefined
let reading = new AbortController()

const controls = element('form', { class: 'controls', role: 'search' })
const notice = element('p', { class: 'notice', role: 'status' })
const request = requestPanel()
const { card, show: showCard } = eventCard(api)
const developer = new DeveloperPanel(baseUrl)
const reference = new ReferencePanel(root)
const signIn = new SignIn(api, restart, access === 'everybody')
const calendar = new CalendarPart(firstDay, {
  onDays: changeDays,
  onClick: one => showCard(one, speech),
})

const plan = planAddress === undefined ? undefined : new PlanPreview(planAddress, day => calendar.goTo(day))

function drawControls(): void {
  const { language, words } = speech
  document.documentElement.lang = language
  const search = element('input', { type: 'search', name: 'search', value: view.search })
  let pause: ReturnType<typeof setTimeout> | undefined
  search.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(() => change({ search: search.value }), typingPause)
  })
  const languages = pageLanguages.map(one =>
    button(one, () => speak(one), { lang: one, 'aria-pressed': String(one === language) }),
  )
  signIn.draw(words)
  plan?.draw(words)
  reference.draw(speech)
  developer.draw(words)
  controls.replaceChildren(
    element('label', { class: 'search' }, words.search, search),
    ...(Object.keys(filterResources) as RecordFilter[]).map(choiceOfRecord),
    ...(signIn.session.readsAll ? [choiceOfStatus()] : []),
    element('div', { class: 'languages', role: 'group', 'aria-label': words.language }, ...languages),
    ...(plan ? [] : [element('a', { href: `/calendar.ics?lang_code=${language}` }, words.subscribe)]),
  )
  controls.addEventListener('submit', event => event.preventDefault())
}

/** A list from which one record of a kind is chosen; it is filled when the calendar has been read. */
function choiceOfRecord(name: RecordFilter): HTMLLabelElement {
  const select = choice(name)
  const { language } = speech
  void firstView
    .then(() => readChoices(api, name, language))
    .then(choices => {
      for (const [id, label] of choices) select.add(new Option(label, id, false, id === view.filters[name]))
    })
    // The view says what is wrong with the server.
    .catch(() => {})
  return element('label', {}, speech.words[name], select)
}

const statuses = ['publish', 'draft', 'pending', 'private', 'future']

function choiceOfStatus(): HTMLLabelElement {
  const select = choice('status')
  const { language, words } = speech
  for (const status of statuses) {
    const text = status === 'publish' ? words.published : statusIn(language, status)
    select.add(new Option(text, status, false, status === view.filters.status))
  }
  return element('label', {}, words.status, select)
}

function choice(name: FilterName): HTMLSelectElement {
  const select = element('select', { name }, new Option(speech.words.all, ''))
  select.addEventListener('change', () => change({ filters: { ...view.filters, [name]: select.value } }))
  return select
}

function speak(language: PageLanguage): void {
  speech = speechOf(language)
  const { status = '' } = view.filters
  // IDs are those of records in one language.
  view = { ...view, language, filters: { status } }
  restart()
}

/** Draws everything again, in another language or for another reader. */
function restart(): void {
  const { readsAll } = signIn.session
  const { status = '' } = view.filters
  view = { ...view, readsAll, filters: { ...view.filters, status: readsAll ? status : '' } }
  if (view.from === '') view = { ...view, ...calendar.firstDays }
  shownText = ''
  void refresh()
  drawControls()
  void drawWhenAnswered()
}

function change(part: Partial<CalendarView>): void {
  view = { ...view, ...part }
  void refresh()
}

/** Called when other days are shown, or the same ones in another view; they may have been read while the calendar was being made. */
function changeDays(days: Days): void {
  shownText = ''
  if (pending !== view || days.from !== view.from || days.until !== view.until) change(days)
}

let answerBegins = () => {}
/** Draws the calendar while the server is still answering, or without waiting for a slow server. */
async function drawWhenAnswered(): Promise<void> {
  await new Promise<void>(resolve => {
    answerBegins = resolve
    setTimeout(resolve, 100)
  })
  calendar.draw(speech)
}

let viewIsShown = () => {}
const firstView = new Promise<void>(resolve => {
  viewIsShown = resolve
})

/** Reads the view; does not wait for the answer to an earlier request. */
async function refresh(): Promise<void> {
  reading.abort()
  reading = new AbortController()
  const { signal } = reading
  const read = view
  pending = read
  try {
    const { records, first, text } = await api.list('events', queryOf(read), { signal, onFirst: () => answerBegins() })
    notice.textContent = shown.length === 0 ? speech.words.none : ''
    if (text === shownText && read === shownView) return
    if (text !== shownText) showEvents(records as PageEvent[])
    shownText = text
    shownView = read
    const { user } = signIn.session
    request.show({ view: read, root, baseUrl, namespace, user, answer: first }, speech.words)
  } catch (error) {
    if (signal.aborted) return
    notice.textContent = problemOf(error, speech.words)
    setTimeout(() => view === read && void refresh(), retryPause)
  } finally {
    if (!signal.aborted) {
      pending = undefined
      viewIsShown()
    }
  }
}

function showEvents(records: readonly PageEvent[]): void {
  shown = plan?.over(records, view) ?? records.map(event => shownEvent(event)).filter(one => one !== undefined)
  notice.textContent = shown.length === 0 ? speech.words.none : ''
  calendar.show(shown)
}

/** The public part of the view, which alone is printed. */
function printed() {
  const events = shown
    .filter(({ event, planned }) => isPublic(event) && planned?.isBefore !== true)
    .map(({ day }) => day)
  return { ...calendar.shownDays, events, words: speech.days }
}

const header = element('header', {}, element('h1', {}, document.title))
if (access === 'users') header.append(signIn.part)
const before = plan ? [plan.part] : []
// A plan is shown to this browser alone: the panels say how other programs read a calendar.
const after = plan ? [card] : [request.part, reference.part, developer.part, card]
document.body.append(element('main', {}, header, ...before, controls, notice, calendar.part, ...after))
printSheets(printed)
if (plan) void showPlan(plan)
else {
  restart()
  followChanges({
    version: Number(version),
    onChange: () => void refresh(),
    onLost: () => {
      notice.textContent = speech.words.lost
    },
    onFound: () => void refresh(),
  })
}

/** Shows the beginning of a plan. Its calendar does not change any more while the page is open. */
async function showPlan(preview: PlanPreview): Promise<void> {
  try {
    await preview.read()
    if (month === '' && preview.firstDay !== undefined) calendar.goTo(preview.firstDay)
    restart()
  } catch (error) {
    notice.textContent = problemOf(error, speech.words)
  }
}
