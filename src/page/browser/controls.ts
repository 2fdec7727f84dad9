import { statusIn } from '../../files/print/day-events.ts'
import { button, element } from './elements.ts'
import type { Speech } from './event-card.ts'
import { type CalendarView, type FilterName, filterResources, type RecordFilter, statuses } from './read-view.ts'

/** What the search and the filters ask for. */
export type Sought = Pick<CalendarView, 'search' | 'filters'>

/** The records from which one is chosen: their IDs and names. */
export type ReadChoices = (name: RecordFilter) => Promise<readonly (readonly [id: string, label: string])[]>

/** How long nothing must be typed before the calendar is searched, in ms. */
const typingPause = 150

/** The search and the filters above the calendar. On narrow screens, a button unfolds the filters. */
export class Controls {
  readonly part = element('form', { class: 'controls', role: 'search' })
  readonly #search = element('input', { type: 'search', name: 'search' })
  readonly #filters = element('div', { class: 'filters', id: 'filters' })
  readonly #fold = button('', () => this.#unfold(), { class: 'fold', 'aria-controls': 'filters' })
  #selects: HTMLSelectElement[] = []
  #sought: Sought = { search: '', filters: {} }
  #speech: Speech | undefined

  constructor(
    private readonly readChoices: ReadChoices,
    /** `isCorrection` says that what was asked for does not exist. */
    private readonly change: (sought: Sought, isCorrection?: boolean) => void,
  ) {
    let pause: ReturnType<typeof setTimeout> | undefined
    this.#search.addEventListener('input', () => {
      clearTimeout(pause)
      pause = setTimeout(() => this.change({ ...this.#sought, search: this.#search.value }), typingPause)
    })
    this.part.addEventListener('submit', event => event.preventDefault())
    this.#unfold(false)
  }

  focusSearch = (): void => this.#search.focus()

  /** Draws the controls in a language; `readsAll` offers the statuses of events. */
  draw(speech: Speech, readsAll: boolean): void {
    this.#speech = speech
    const { words } = speech
    this.#search.placeholder = words.search
    const records = Object.keys(filterResources) as RecordFilter[]
    this.#selects = [...records.map(name => this.#choiceOfRecord(name)), ...(readsAll ? [this.#choiceOfStatus()] : [])]
    const labels = this.#selects.map(one => labelled(words[one.name as FilterName], one))
    this.#filters.replaceChildren(...labels)
    this.part.replaceChildren(labelled(words.search, this.#search), this.#fold, this.#filters)
    this.show(this.#sought)
  }

  /** Shows what is asked for. */
  show(sought: Sought): void {
    this.#sought = sought
    if (document.activeElement !== this.#search) this.#search.value = sought.search
    for (const select of this.#selects) select.value = sought.filters[select.name as FilterName] ?? ''
    const count = Object.values(sought.filters).filter(Boolean).length
    const name = this.#speech?.words.filters ?? ''
    this.#fold.textContent = count === 0 ? name : `${name} (${count})`
  }

  #unfold(isOpen = this.#filters.classList.toggle('open')): void {
    this.#fold.setAttribute('aria-expanded', String(isOpen))
  }

  /** A list from which one record of a kind is chosen; a choice that is gone is given up. */
  #choiceOfRecord(name: RecordFilter): HTMLSelectElement {
    const select = this.#choice(name)
    void this.readChoices(name)
      .then(choices => {
        for (const [id, label] of choices) select.add(new Option(label, id))
        const chosen = this.#sought.filters[name] ?? ''
        select.value = chosen
        const isCurrent = this.#selects.includes(select)
        if (isCurrent && select.value !== chosen) this.#choose(name, '', true)
      })
      // The view says what is wrong with the server.
      .catch(() => {})
    return select
  }

  #choiceOfStatus(): HTMLSelectElement {
    const select = this.#choice('status')
    const { language = 'en', words } = this.#speech ?? {}
    for (const status of statuses)
      select.add(new Option((status === 'publish' && words?.published) || statusIn(language, status), status))
    return select
  }

  #choice(name: FilterName): HTMLSelectElement {
    const { words } = this.#speech ?? {}
    const select = element('select', { name }, new Option(`${words?.[name]}: ${words?.all}`, ''))
    select.addEventListener('change', () => this.#choose(name, select.value))
    return select
  }

  #choose(name: FilterName, value: string, isCorrection = false): void {
    this.change({ ...this.#sought, filters: { ...this.#sought.filters, [name]: value } }, isCorrection)
  }
}

const labelled = (name: string, control: HTMLElement): HTMLLabelElement =>
  element('label', {}, element('span', { class: 'unseen' }, name), control)
