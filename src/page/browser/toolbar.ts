import type { ViewName } from './calendar-days.ts'
import { viewNames } from './calendar-days.ts'
import { button, element } from './elements.ts'
import type { PageWords } from './words.ts'

/** What the buttons and keys of the toolbar do. */
export interface Moves {
  turn(by: 1 | -1): void
  toToday(): void
  toView(view: ViewName): void
  search(): void
}

/** The key of each view. */
const viewKeys: Readonly<Record<ViewName, string>> = { month: 'm', week: 'w', agenda: 'a', list: 'l' }

/** The buttons above the calendar, the keys that do the same, and the list of these keys. */
export class Toolbar {
  readonly part = element('div', { class: 'toolbar' })
  readonly help = element('dialog', { class: 'help', 'aria-labelledby': 'help-title' })
  readonly #title = element('h2', { class: 'title', 'aria-live': 'polite' })
  #views = new Map<ViewName, HTMLButtonElement>()

  constructor(private readonly moves: Moves) {
    addEventListener('keydown', event => this.#onKey(event))
    this.help.addEventListener('click', ({ target }) => target === this.help && this.help.close())
  }

  draw(words: PageWords): void {
    const { turn, toToday, toView } = this.moves
    this.#views = new Map(
      viewNames.map(name => [name, keyButton(words[name], viewKeys[name], () => toView(name))] as const),
    )
    const arrow = (label: string, key: string, by: 1 | -1) =>
      keyButton(by < 0 ? '‹' : '›', key, () => turn(by), { class: 'arrow', 'aria-label': label })
    this.part.replaceChildren(
      element(
        'div',
        { class: 'turn' },
        arrow(words.previous, 'ArrowLeft', -1),
        arrow(words.next, 'ArrowRight', 1),
        keyButton(words.today, 't', toToday),
      ),
      this.#title,
      element('div', { class: 'views', role: 'group', 'aria-label': words.view }, ...this.#views.values()),
    )
    this.#drawHelp(words)
  }

  show(view: ViewName, title: string): void {
    this.#title.textContent = title
    for (const [name, one] of this.#views) one.setAttribute('aria-pressed', String(name === view))
  }

  /** The button that opens the list of keys. */
  helpButton = (words: PageWords): HTMLButtonElement =>
    keyButton('?', '?', () => this.help.showModal(), { class: 'quiet', 'aria-label': words.keys })

  #drawHelp(words: PageWords): void {
    const rows = [
      ['←', words.previous],
      ['→', words.next],
      ['t', words.today],
      ...viewNames.map(name => [viewKeys[name], words[name]]),
      ['/', words.search],
      ['?', words.keys],
      ['Esc', words.close],
    ].map(([key = '', text = '']) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)])
    const close = button('✕', () => this.help.close(), { class: 'close', 'aria-label': words.close })
    const title = element('h2', { id: 'help-title' }, words.keys)
    this.help.replaceChildren(element('header', {}, title, close), element('dl', {}, ...rows.flat()))
  }

  #onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isElsewhere =
      target instanceof Element && target.closest('input, select, textarea, pre, .log, dialog') !== null
    if (ctrlKey || metaKey || altKey || isElsewhere) return
    const act = this.#actionOf(key)
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  #actionOf(key: string): (() => void) | undefined {
    const { turn, toToday, toView, search } = this.moves
    const view = viewNames.find(name => viewKeys[name] === key)
    if (view !== undefined) return () => toView(view)
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      t: toToday,
      '/': search,
      '?': () => this.help.showModal(),
    }
    return Object.hasOwn(actions, key) ? actions[key] : undefined
  }
}

/** A button that says which key does the same. */
const keyButton = (text: string, key: string, press: () => void, attributes: Readonly<Record<string, string>> = {}) => {
  const shown = key.replace('ArrowLeft', '←').replace('ArrowRight', '→')
  const title = `${attributes['aria-label'] ?? text} (${shown})`
  return button(text, press, { 'aria-keyshortcuts': key, title, ...attributes })
}
