import type { Answer } from '../../contract/resource.ts'
import { dayWords, statusIn } from '../../files/print/day-events.ts'
import { looksOf } from '../../files/print/sheet-page.ts'
import { isOfMonth, type ViewName, viewNames } from '../../files/print/view-days.ts'
import { type Place, placeIn, queryOfPlace, type Wrong, wrongIn } from './address.ts'
import { CalendarClock } from './calendar-clock.ts'
import { AddressNotice, CalendarNotice } from './calendar-notice.ts'
import { CalendarPart, narrowScreen } from './calendar-view.ts'
import { Controls, type Sought } from './controls.ts'
import { DeveloperPanel } from './developer-panel.ts'
import { button, element } from './elements.ts'
import { eventCard, type Speech } from './event-card.ts'
import { followChanges } from './live.ts'
import { PlanPreview } from './plan-preview.ts'
import { printSheets } from './print-sheet.ts'
import {
  ApiReader,
  type CalendarView,
  choicesOf,
  type FilterName,
  isPublic,
  type PageEvent,
  queryOf,
  recordsFor,
  startsAround,
  statusChoices,
} from './read-view.ts'
import { requestPanel } from './request-panel.ts'
import { ledBy, type ShownEvent, shownEvent } from './shown-event.ts'
import { problemOf, SignIn } from './sign-in.ts'
import { Toolbar } from './toolbar.ts'
import { type PageLanguage, pageLanguages, words } from './words.ts'

/** The page of the calendar: its state, the controls above the calendar, and what belongs to the view below it. */

const { dataset } = document.body
const { api: root = '', baseUrl = '', namespace = '', access = '', town = '', plan: planAddress } = dataset
/** The site of a plan may have no name: its address is no heading. */
const [address, name = ''] = /^https?:/.test(dataset.name ?? '') ? [dataset.name] : ['', dataset.name]

const speechOf = (language: PageLanguage): Speech => ({
  language,
  words: words[language],
  days: dayWords(language, {}),
})

const wanted = (navigator.languages ?? []).map(name => name.slice(0, 2))
const usualLanguage = pageLanguages.find(one => wanted.includes(one)) ?? 'en'
/** A phone has no room for a month of titles. */
const usualView = (): ViewName =>
  location.pathname.startsWith('/events') ? 'list' : narrowScreen.matches ? 'agenda' : 'month'

const clock = new CalendarClock(dataset.timezone ?? 'UTC')
clock.set({ now: dataset.now ?? '', stands: dataset.clock === 'stands' })

const api = new ApiReader(root, planAddress === undefined ? 'omit' : 'same-origin')
const opened = placeIn(location.search)
let speech = speechOf(opened.language ?? usualLanguage)
let view: CalendarView = { from: '', until: '', search: '', filters: {}, language: speech.language, readsAll: false }
let shown: readonly ShownEvent[] = []
let shownText = ''
let shownView: CalendarView | undefined
/** The event whose card is open, or will be when its day has been read. */
let openEvent = opened.event
/** The change of a plan whose event is to be shown. */
let pointed: number | undefined
let reading = new AbortController()

const heading = element('h1', {}, name)
const tools = element('div', { class: 'tools' })
const notice = new CalendarNotice(clock, refresh)
const corrected = new AddressNotice()
const request = requestPanel()
const { card, show: showCard } = eventCard(api, leaveCard, () => ({ ...view, lookOf: calendar.lookOf }))
const developer = new DeveloperPanel(baseUrl, root, request.part)
const isOpen = access === 'everybody' && planAddress === undefined
const signIn = new SignIn(api, restart, isOpen, planAddress !== undefined || (isOpen && !!opened.filters.status))
const controls = new Controls(choicesFor, seek)
const toolbar = new Toolbar([
  { key: 'ArrowLeft', word: 'previous', act: () => go(calendar.turned(-1)) },
  { key: 'ArrowRight', word: 'next', act: () => go(calendar.turned(1)) },
  { key: 't', word: 'today', act: () => go(clock.today) },
  // The first letter of each in English: m, w, a, l.
  ...viewNames.map(word => ({ key: word.charAt(0), word, act: () => toView(word) })),
  { key: '/', word: 'search', act: controls.focusSearch },
])
const calendar = new CalendarPart(clock, { onDays: readDays, onClick: openCard, onMore: day => go(day, 'agenda') })
const plan = planAddress === undefined ? undefined : new PlanPreview(planAddress, showChange)

/** Draws everything that speaks. */
function draw(): void {
  const { language, words } = speech
  document.documentElement.lang = language
  heading.textContent = name || words.calendar
  const languages = pageLanguages.map(one =>
    button(one, () => void speak(one), { lang: one, 'aria-pressed': String(one === language) }),
  )
  request.draw(words)
  signIn.draw(words)
  plan?.draw(words)
  developer.draw(speech)
  toolbar.draw(words)
  toolbar.show(calendar.view, calendar.titleIn(speech))
  tools.replaceChildren(
    ...(plan ? [] : [element('a', { href: `/calendar.ics?lang_code=${language}` }, words.subscribe)]),
    ...(access === 'users' ? [signIn.part] : []),
    element('div', { class: 'languages', role: 'group', 'aria-label': words.language }, ...languages),
    toolbar.helpButton(words),
  )
  controls.draw(words, view)
}

/** The categories of each language: their looks are needed at once. */
const categories = new Map<string, Promise<Answer[]>>()

function categoriesIn(language: string): Promise<Answer[]> {
  const read = categories.get(language) ?? recordsFor(api, 'categories', language)
  categories.set(language, read)
  return read
}

async function choicesFor(name: FilterName): Promise<[id: string, label: string][]> {
  const { language, words } = speech
  if (name === 'status')
    return statusChoices.map(one => [one, one === 'publish' ? words.published : statusIn(language, one)])
  await firstView
  return choicesOf(await (name === 'categories' ? categoriesIn(language) : recordsFor(api, name, language)), language)
}

/** Shows a place of the page: the one in its address when it is opened, or when somebody goes back. */
function enter(place: Place): void {
  const { view: name = usualView(), date = clock.today, language = usualLanguage, search, event } = place
  const target = { view: name, date, language, search, filters: allowed(place.filters), event }
  openEvent = event
  if (event === undefined) card.close()
  if (view.from !== '' && queryOfPlace(target) === queryHere()) {
    showWanted()
    return
  }
  const isSpoken = language === speech.language && view.from !== ''
  speech = speechOf(language)
  view = { ...view, readsAll: signIn.session.readsAll, language, search, filters: target.filters }
  // Begins to read: the server answers while the page is drawn.
  calendar.goTo(date, name)
  if (!isSpoken) draw()
  controls.show(view)
  correct(wrongIn(location.search, target))
  setTimeout(drawFrame, longestBlank)
}

/** Says what was asked for and does not exist, and writes what is shown into the address. */
function correct(wrong: Wrong): void {
  if (wrong.length === 0) return
  corrected.add(wrong, speech.words)
  record('replaceState')
}

/** How long the frame of the calendar waits for the first answer, in ms: the other requests are under way while it is drawn. */
const longestBlank = 200

const drawFrame = (): void => calendar.draw(speech)

const queryHere = (): string =>
  queryOfPlace({ ...view, view: calendar.view, date: calendar.date, language: speech.language, event: openEvent })

/** Writes the place into the address; a step that can be gone back from, unless it replaces the last one. */
function record(how: 'pushState' | 'replaceState' = 'pushState'): void {
  const query = queryHere()
  if (query === location.search) return
  history[how]({ isCard: openEvent !== undefined && how === 'pushState' }, '', location.pathname + query)
}

function go(day: string, to: ViewName = calendar.view): void {
  calendar.goTo(day, to)
  record()
  // What is shown now begins below it.
  toolbar.part.scrollIntoView({ block: 'nearest' })
}

/** A smaller view of days with today shows today. */
function toView(to: ViewName): void {
  const { from, until } = calendar.days
  const { today } = clock
  const isNearer = isOfMonth(calendar.view) && !isOfMonth(to) && today >= from && today < until
  go(isNearer ? today : calendar.date, to)
}

async function speak(language: PageLanguage): Promise<void> {
  // IDs are those of records in one language; a category has its translation.
  const translated = view.filters.categories ? await translatedCategory(language).catch(() => '') : ''
  speech = speechOf(language)
  const { status = '' } = view.filters
  view = { ...view, language, filters: { status, categories: translated } }
  openEvent = undefined
  record()
  restart()
}

/** The chosen category in another language, in which it has the same slug; empty if there is none. */
async function translatedCategory(language: PageLanguage): Promise<string> {
  const [own, others] = await Promise.all([categoriesIn(view.language), categoriesIn(language)])
  const chosen = own.find(({ id }) => String(id) === view.filters.categories)
  return String(others.find(({ slug }) => slug === chosen?.slug)?.id ?? '')
}

function seek(sought: Sought, isCorrection = false): void {
  const gone = Object.entries(view.filters).filter(([name, value]) => value !== sought.filters[name as FilterName])
  const isTyping = view.search !== '' && sought.search !== '' && view.search !== sought.search
  view = { ...view, ...sought }
  controls.show(view)
  if (isCorrection) correct(gone)
  else record(isTyping ? 'replaceState' : 'pushState')
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
  void refresh()
  toolbar.show(calendar.view, calendar.titleIn(speech))
  document.title = `${calendar.titleIn(speech)} · ${town || name || speech.words.calendar}`
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
    const looks = categoriesIn(read.language).catch(() => categories.clear())
    const { records, first, text } = await api.list('events', queryOf(read), { signal, onFirst: drawFrame })
    const known = (await looks) ?? []
    await calendar.isDrawn
    if (signal.aborted) return
    notice.clear()
    if (text !== shownText || read !== shownView) showEvents(records as PageEvent[], known)
    shownText = text
    shownView = read
    if (shown.length === 0) void offer(read)
    const { user } = signIn.session
    request.show({ view: read, root, baseUrl, namespace, user, answer: first }, speech.words)
  } catch (error) {
    if (signal.aborted) return
    // Events of other days must not stand under the title of these.
    if (read !== shownView) calendar.show([], calendar.lookOf)
    notice.problem(problemOf(error, speech.words), speech.words)
  } finally {
    if (!signal.aborted) {
      calendar.part.removeAttribute('aria-busy')
      viewIsShown()
    }
  }
}

function showEvents(records: readonly PageEvent[], known: readonly Answer[]): void {
  const seen = records.filter(event => view.readsAll || isPublic(event))
  const all = plan?.over(seen, view) ?? seen.map(event => shownEvent(event)).filter(one => one !== undefined)
  shown = all.map(one => ledBy(view.filters.categories, one))
  calendar.show(shown, looksOf(known.map(({ id, name, slug }) => ({ id, name: String(name), slug: String(slug) }))))
  if (pointed !== undefined) calendar.point(`change-${pointed}`)
  pointed = undefined
  showWanted()
}

/** Opens the card that stands in the address. */
function showWanted(): void {
  const wanted = shown.find(({ event }) => String(event.id) === openEvent)
  if (wanted && !card.open) showCard(wanted, speech, calendar.elementOf(wanted.event.id))
  else if (openEvent !== undefined && !wanted) {
    corrected.add([['event', openEvent]], speech.words)
    leaveCard()
  }
}

/** What can be done where nothing is found. */
async function offer(read: CalendarView): Promise<void> {
  const { words, days } = speech
  const title = `${words.none} · ${calendar.titleIn(speech)}`
  notice.empty(title)
  const around = await startsAround(api, read).catch(() => [])
  if (read !== view || shown.length > 0) return
  const { asked } = controls
  const add = `calctl events create --title "…" --start-date "${calendar.date} 19:00" --base-url ${baseUrl} --namespace ${namespace}`
  const hints = [
    ...(asked.length > 0 ? [element('p', {}, asked.join(' · '))] : []),
    ...around.flatMap((start, index) => {
      const text = index === 0 ? words.previousEvents : words.nextEvents
      return start ? [button(`${text}: ${days.month(start.slice(0, 7))}`, () => go(start.slice(0, 10)))] : []
    }),
    ...(asked.length > 0 ? [button(words.clear, () => seek({ search: '', filters: {} }))] : []),
    ...(read.readsAll && !plan && asked.length === 0
      ? [element('p', {}, `${words.addOne} `, element('code', { tabindex: '0' }, add))]
      : []),
  ]
  notice.empty(title, ...hints)
}

/** Shows the day of a change, and its event there when it has been read. */
function showChange(day: string, change: number): void {
  pointed = change
  go(day)
}

/** The public part of the view, which alone is printed. */
function printed() {
  const events = shown
    .filter(({ event, planned }) => isPublic(event) && planned?.isBefore !== true)
    .map(({ day }) => day)
  const place = [heading.textContent, town].filter(Boolean).join(' · ')
  const { days, lookOf } = calendar
  return { ...days, isMonth: calendar.view === 'month', events, words: speech.days, lookOf, place, today: clock.today }
}

const whose = element('p', { class: 'town' }, [town, address].filter(Boolean).join(' · '))
const site = element('div', { class: 'site' }, heading, whose)
const header = element('header', {}, site, tools)
const area = element('div', { class: 'area' }, notice.part, calendar.part)
const above = [header, ...(plan ? [plan.part] : []), controls.part, corrected.part]
const main = element('main', {}, ...above, toolbar.part, area)
// A plan is shown to this browser alone: the panels say how other programs read a calendar.
if (!plan) main.append(...(isOpen ? [signIn.part] : []), developer.part)
main.append(card, toolbar.help)
document.body.append(main)
addEventListener('popstate', () => enter(placeIn(location.search)))
printSheets(printed)
if (plan) void showPlan(plan)
else {
  enter(opened)
  const onChange = () => {
    categories.clear()
    void refresh()
  }
  followChanges(Number(dataset.version), onChange, state => {
    clock.set(state)
    calendar.drawPresent()
  })
}

/** Shows the beginning of a plan. Its calendar does not change any more while the page is open. */
async function showPlan(preview: PlanPreview): Promise<void> {
  try {
    await preview.read()
    enter(opened)
    if (opened.date === undefined && preview.firstDay !== undefined) calendar.goTo(preview.firstDay)
  } catch (error) {
    notice.problem(problemOf(error, speech.words), speech.words)
  }
}
