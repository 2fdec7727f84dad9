import type { Answer } from '../../contract/resource.ts'
import { dayWords } from '../../files/print/day-events.ts'
import { firstCategories } from '../../files/print/sheet-page.ts'
import { type Place, placeIn, queryOfPlace } from './address.ts'
import { CalendarClock } from './calendar-clock.ts'
import { isOfMonth, type ViewName } from './calendar-days.ts'
import { CalendarPart } from './calendar-view.ts'
import { looksOf } from './category-look.ts'
import { Controls, type Sought } from './controls.ts'
import { DeveloperPanel } from './developer-panel.ts'
import { button, element } from './elements.ts'
import { eventCard, type Speech } from './event-card.ts'
import { followChanges } from './live.ts'
import { Notice } from './notice.ts'
import { PlanPreview } from './plan-preview.ts'
import { printSheets } from './print-sheet.ts'
import {
  ApiReader,
  type CalendarView,
  choicesOf,
  isPublic,
  nextStart,
  type PageEvent,
  queryOf,
  type RecordFilter,
  readRecords,
  townOf,
} from './read-view.ts'
import { ReferencePanel } from './reference-panel.ts'
import { requestPanel } from './request-panel.ts'
import { type ShownEvent, shownEvent } from './shown-event.ts'
import { problemOf, SignIn } from './sign-in.ts'
import { Toolbar } from './toolbar.ts'
import { type PageLanguage, pageLanguages, words } from './words.ts'

/** The page of the calendar: its state, the controls above the calendar, and what belongs to the view below it. */

const {
  api: root = '',
  baseUrl = '',
  namespace = '',
  access = '',
  name = '',
  timezone = 'UTC',
  now = '',
  clock: clockState,
  plan: planAddress,
  version = '',
} = document.body.dataset

const speechOf = (language: PageLanguage): Speech => ({
  language,
  words: words[language],
  days: dayWords(language, {}),
})

const wanted = (navigator.languages ?? []).map(name => name.slice(0, 2))
const usualLanguage = pageLanguages.find(one => wanted.includes(one)) ?? 'en'
/** A phone has no room for a month of titles. */
const usualView = (): ViewName => (matchMedia('(max-width: 600px)').matches ? 'agenda' : 'month')

const clock = new CalendarClock(timezone)
clock.set({ now, stands: clockState === 'stands' })

const api = new ApiReader(root, planAddress === undefined ? 'omit' : 'same-origin')
const opened = placeIn(location.search)
let speech = speechOf(opened.language ?? usualLanguage)
let view: CalendarView = {
  from: '',
  until: '',
  search: opened.search,
  filters: opened.filters,
  language: speech.language,
  readsAll: false,
}
let shown: readonly ShownEvent[] = []
let shownText = ''
let shownView: CalendarView | undefined
/** The event whose card is open, or will be when its day has been read. */
let openEvent = opened.event
let reading = new AbortController()

const heading = element('h1', {}, name)
const town = element('p', { class: 'town' })
const tools = element('div', { class: 'tools' })
const notice = new Notice(
  () => clock.wall,
  () => void refresh(),
)
const request = requestPanel()
const { card, show: showCard } = eventCard(api, leaveCard)
const developer = new DeveloperPanel(baseUrl)
const reference = new ReferencePanel(root)
const signIn = new SignIn(api, restart, access === 'everybody')
const controls = new Controls(choicesFor, seek)
const toolbar = new Toolbar({ turn, toToday, toView, search: controls.focusSearch })
const calendar = new CalendarPart(clock, { onDays: readDays, onClick: openCard, onMore: day => go(day, 'agenda') })
const plan = planAddress === undefined ? undefined : new PlanPreview(planAddress, day => go(day))

/** Draws everything that speaks. */
function draw(): void {
  const { language, words } = speech
  document.documentElement.lang = language
  heading.textContent = name === '' ? words.calendar : name
  const languages = pageLanguages.map(one =>
    button(one, () => speak(one), { lang: one, 'aria-pressed': String(one === language) }),
  )
  request.draw(words)
  signIn.draw(words)
  plan?.draw(words)
  reference.draw(speech)
  developer.draw(words)
  toolbar.draw(words)
  tools.replaceChildren(
    ...(plan ? [] : [element('a', { href: `/calendar.ics?lang_code=${language}` }, words.subscribe)]),
    ...(access === 'users' ? [signIn.part] : []),
    element('div', { class: 'languages', role: 'group', 'aria-label': words.language }, ...languages),
    toolbar.helpButton(words),
  )
  controls.draw(speech, signIn.session.readsAll)
}

/** The categories of each language: their looks are needed at once. */
const categories = new Map<string, Promise<Answer[]>>()

function categoriesIn(language: string): Promise<Answer[]> {
  const known = categories.get(language)
  if (known) return known
  const read = readRecords(api, 'categories', language)
  categories.set(language, read)
  read.catch(() => categories.delete(language))
  return read
}

async function choicesFor(name: RecordFilter) {
  const { language } = speech
  await firstView
  const records = await (name === 'categories' ? categoriesIn(language) : readRecords(api, name, language))
  const where = townOf(name === 'venue' ? records : [])
  if (where !== '' && where.toLowerCase() !== heading.textContent?.toLowerCase()) town.textContent = where
  return choicesOf(records, language)
}

/** Shows a place of the page: the one in its address when it is opened, or when somebody goes back. */
function enter(place: Place): void {
  const { language = usualLanguage, search, filters, event } = place
  const isSpoken = language === speech.language
  speech = speechOf(language)
  view = { ...view, language, search, filters: allowed(filters) }
  openEvent = event
  if (event === undefined) card.close()
  shownText = ''
  calendar.goTo(place.date ?? clock.today, place.view ?? usualView())
  if (isSpoken) controls.show(view)
  else draw()
  calendar.draw(speech)
}

/** Writes the place into the address; a step that can be gone back from, unless it replaces the last one. */
function record(how: 'pushState' | 'replaceState' = 'pushState'): void {
  const { language, search, filters } = view
  const place = {
    view: calendar.view,
    date: calendar.date,
    language: speech.language,
    search,
    filters,
    event: openEvent,
  }
  const query = queryOfPlace(place)
  if (query === location.search || language !== speech.language) return
  history[how]({ isCard: openEvent !== undefined && how === 'pushState' }, '', location.pathname + query)
}

function go(day: string, to: ViewName = calendar.view): void {
  calendar.goTo(day, to)
  record()
}

function turn(by: 1 | -1): void {
  calendar.turn(by)
  record()
}

function toToday(): void {
  go(clock.today)
}

/** A smaller view of days with today shows today. */
function toView(to: ViewName): void {
  const { from, until } = calendar.days
  const { today } = clock
  const isNearer = isOfMonth(calendar.view) && !isOfMonth(to) && today >= from && today < until
  go(isNearer ? today : calendar.date, to)
}

function speak(language: PageLanguage): void {
  speech = speechOf(language)
  const { status = '' } = view.filters
  // IDs are those of records in one language.
  view = { ...view, language, filters: { status } }
  openEvent = undefined
  record()
  restart()
}

function seek(sought: Sought, isCorrection = false): void {
  const isTyping = view.search !== '' && sought.search !== '' && view.search !== sought.search
  view = { ...view, ...sought }
  controls.show(view)
  record(isTyping || isCorrection ? 'replaceState' : 'pushState')
  void refresh()
}

/** Only who sees more than the public can choose a status. */
const allowed = (filters: Sought['filters']): Sought['filters'] =>
  signIn.session.readsAll ? filters : { ...filters, status: '' }

/** Draws everything again, in another language or for another reader. */
function restart(): void {
  view = { ...view, readsAll: signIn.session.readsAll, filters: allowed(view.filters) }
  draw()
  readDays()
  calendar.draw(speech)
}

function readDays(): void {
  view = { ...view, ...calendar.drawnDays }
  shownText = ''
  toolbar.show(calendar.view, calendar.titleIn(speech))
  void refresh()
}

function openCard(one: ShownEvent, place: HTMLElement | null): void {
  const id = String(one.event.id)
  const isNew = openEvent !== id
  openEvent = id
  if (isNew) record()
  showCard(one, speech, place)
}

/** The card was closed: the page is where it was before, unless it was opened with the card. */
function leaveCard(): void {
  if (openEvent === undefined) return
  openEvent = undefined
  if ((history.state as { isCard?: boolean } | null)?.isCard) history.back()
  else record('replaceState')
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
  calendar.part.setAttribute('aria-busy', 'true')
  try {
    const looks = categoriesIn(read.language).catch(() => undefined)
    const { records, first, text } = await api.list('events', queryOf(read), { signal })
    const known = await looks
    if (signal.aborted) return
    notice.clear()
    if (text !== shownText || read !== shownView) showEvents(records as PageEvent[], known)
    shownText = text
    shownView = read
    if (shown.length === 0) void offer(read)
    const { user } = signIn.session
    request.show({ view: read, root, baseUrl, namespace, user, answer: first }, speech.words)
  } catch (error) {
    if (!signal.aborted) notice.problem(problemOf(error, speech.words), speech.words)
  } finally {
    if (!signal.aborted) {
      calendar.part.removeAttribute('aria-busy')
      viewIsShown()
    }
  }
}

function showEvents(records: readonly PageEvent[], known: readonly Answer[] | undefined): void {
  shown = plan?.over(records, view) ?? records.map(event => shownEvent(event)).filter(one => one !== undefined)
  const used = firstCategories(shown.map(({ day }) => day))
  calendar.show(shown, looksOf((known ?? used).map(({ id }) => id)))
  const wanted = shown.find(({ event }) => String(event.id) === openEvent)
  if (wanted && !card.open) showCard(wanted, speech, calendar.elementOf(wanted.event.id))
  else if (openEvent !== undefined && !wanted) leaveCard()
}

/** What can be done where nothing is found. */
async function offer(read: CalendarView): Promise<void> {
  const { words, days } = speech
  const title = `${words.none} · ${calendar.titleIn(speech)}`
  notice.empty(title)
  const next = await nextStart(api, read).catch(() => undefined)
  if (read !== view || shown.length > 0) return
  const isFiltered = read.search !== '' || Object.values(read.filters).some(Boolean)
  const add = `calctl events create --title "…" --start-date "${calendar.date} 19:00" --base-url ${baseUrl} --namespace ${namespace}`
  const hints = [
    ...(next === undefined
      ? []
      : [button(`${words.nextEvents}: ${days.month(next.slice(0, 7))}`, () => go(next.slice(0, 10)))]),
    ...(isFiltered ? [button(words.clear, () => seek({ search: '', filters: {} }))] : []),
    ...(read.readsAll && !plan ? [element('p', {}, `${words.addOne} `, element('code', { tabindex: '0' }, add))] : []),
  ]
  notice.empty(title, ...hints)
}

/** The public part of the view, which alone is printed. */
function printed() {
  const events = shown
    .filter(({ event, planned }) => isPublic(event) && planned?.isBefore !== true)
    .map(({ day }) => day)
  const place = [heading.textContent, town.textContent].filter(Boolean).join(' · ')
  return { ...calendar.days, isMonth: calendar.view === 'month', events, words: speech.days, place, today: clock.today }
}

const header = element('header', {}, element('div', { class: 'site' }, heading, town), tools)
const before = plan ? [plan.part] : []
const calendarArea = element('div', { class: 'area' }, notice.part, calendar.part)
// A plan is shown to this browser alone: the panels say how other programs read a calendar.
const after = plan ? [] : [request.part, reference.part, developer.part]
document.body.append(
  element('main', {}, header, ...before, controls.part, toolbar.part, calendarArea, ...after, card, toolbar.help),
)
addEventListener('popstate', () => enter(placeIn(location.search)))
printSheets(printed)
if (plan) void showPlan(plan)
else {
  begin()
  followChanges({
    version: Number(version),
    onChange: () => void refresh(),
    onClock: state => {
      clock.set(state)
      calendar.drawPresent()
    },
    onLost: () => void refresh(),
    onFound: () => void refresh(),
  })
}

function begin(): void {
  view = { ...view, readsAll: signIn.session.readsAll }
  draw()
  enter(opened)
}

/** Shows the beginning of a plan. Its calendar does not change any more while the page is open. */
async function showPlan(preview: PlanPreview): Promise<void> {
  try {
    await preview.read()
    begin()
    if (opened.date === undefined && preview.firstDay !== undefined) calendar.goTo(preview.firstDay)
  } catch (error) {
    notice.problem(problemOf(error, speech.words), speech.words)
  }
}
