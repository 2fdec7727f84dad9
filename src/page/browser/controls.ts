import { button, element } from './elements.ts'
import { type CalendarView, type FilterName, filterNames } from './read-view.ts'
import type { PageWords } from './words.ts'

/** What the search and the filters ask for. */
export type Sought = Pick<CalendarView, 'search' | 'filters'>

/** The records from which one is chosen: their IDs and names. */
export type ReadChoices = (name: FilterName) => Promise<readonly (readonly [id: string, label: string])[]>

/** How long nothing must be typed before the calendar is searched, in ms. */
const typingPause = 150

/** The search and the filters above the calendar. On narrow screens, a button unfolds the filters. */
export class Controls {
  readonly part = element('form', { class: 'controls', role: 'search' })
  readonly #search = element('input', { type: 'search', name: 'search' })
  readonly #filters = element('div', { class: 'filters', id: 'filters' })
  readonly #fold = button('', () => this.#unfold(), { class: 'fold', 'aria-controls': 'filters' })
  readonly #clear = button('', () => this.change({ search: '', filters: {} }), { class: 'clear' })
  #selects: HTMLSelectElement[] = []
  #sought: Sought = { search: '', filters: {} }
  #words: PageWords | undefined

  constructor(
    private readonly readChoices: ReadChoices,
    /** `isCorrection` says that what was asked for does not exist. */
    private readonly change: (sought: Sought, isCorrection?: boolean) => void,
  ) {
    let pause: ReturnType<typeof setTimeout> | undefined
    this.#search.addEventListener('input', () => {
      clearTimeout(pause)
      const { value: search } = this.#search
      pause = setTimeout(() => this.change({ ...this.#sought, search }), typingPause)
    })
    this.part.addEventListener('submit', event => event.preventDefault())
    this.#unfold(false)
  }

  focusSearch = (): void => {
    if (!this.#search.checkVisibility()) this.#unfold()
    this.#search.focus()
  }

  /** Draws the controls in a language, with what is asked for; `readsAll` offers the statuses of events. */
  draw(words: PageWords, { readsAll, ...sought }: Sought & Pick<CalendarView, 'readsAll'>): void {
    this.#words = words
    this.#search.placeholder = words.search
    this.#selects = filterNames.filter(name => name !== 'status' || readsAll).map(name => this.#choice(name, words))
    this.#filters.replaceChildren(...this.#selects.map(one => labelled(words[one.name as FilterName], one)))
    this.#clear.title = words.clear
    this.part.replaceChildren(labelled(words.search, this.#search), this.#fold, this.#filters, this.#clear)
    this.show(sought)
  }

  /** Shows what is asked for. */
  show({ search, filters }: Sought): void {
    this.#sought = { search, filters }
    if (document.activeElement !== this.#search) this.#search.value = search
    for (const select of this.#selects) select.value = filters[select.name as FilterName] ?? ''
    const count = [search, ...Object.values(filters)].filter(Boolean).length
    const { filters: name = '', clearAll = '' } = this.#words ?? {}
    this.#fold.textContent = count === 0 ? name : `${name} (${count})`
    this.#clear.textContent = clearAll.replace('{count}', String(count))
    this.#clear.hidden = count === 0
  }

  /** What is asked for, in words. */
  get asked(): string[] {
    const chosen = this.#selects.map(one => [one.name, one.value && one.selectedOptions[0]?.text])
    const all = [['search', this.#sought.search], ...chosen].filter(([, text]) => text)
    return all.map(([name, text]) => `${this.#words?.[name as FilterName]}: ${text}`)
  }

  #unfold(isOpen = this.#filters.classList.toggle('open')): void {
    this.#fold.setAttribute('aria-expanded', String(isOpen))
  }

  /** A list from which one is chosen; a choice that is gone is given up. */
  #choice(name: FilterName, words: PageWords): HTMLSelectElement {
    const select = element('select', { name }, new Option(words[name], ''))
    select.addEventListener('change', () => this.#choose(name, select.value))
    const fill = async () => {
      for (const [id, label] of await this.readChoices(name)) select.add(new Option(label, id))
      const chosen = this.#sought.filters[name] ?? ''
      select.value = chosen
      if (this.#selects.includes(select) && select.value !== chosen) this.#choose(name, '', true)
    }
    // The view says what is wrong with the server.
    void fill().catch(() => {})
    return select
  }

  #choose(name: FilterName, value: string, isCorrection = false): void {
    this.change({ ...this.#sought, filters: { ...this.#sought.filters, [name]: value } }, isCorrection)
  }
}

const labelled = (name: string, control: HTMLElement): HTMLLabelElement =>
  element('label', {}, element('span', { class: 'unseen' }, name), control)
