import { type ViewName, viewNames } from '../../files/print/view-days.ts'
import { button, dialog, element } from './elements.ts'
import type { PageWords } from './words.ts'

/** What a key does, and the button with the same word. */
export interface Shortcut {
  readonly key: string
  readonly word: 'previous' | 'next' | 'today' | 'search' | ViewName
  act(): void
}

const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }
const signs: Readonly<Record<string, string>> = { previous: '‹', next: '›' }

/** The buttons above the calendar, the keys that do the same, and the list of these keys. */
export class Toolbar {
  readonly part = element('div', { class: 'toolbar' })
  readonly #dialog = dialog('help')
  readonly help = this.#dialog.part
  readonly #title = element('h2', { class: 'title', 'aria-live': 'polite' })
  #views: HTMLButtonElement[] = []

  constructor(private readonly shortcuts: readonly Shortcut[]) {
    addEventListener('keydown', event => this.#onKey(event))
  }

  draw(words: PageWords): void {
    const buttons = this.shortcuts.map(({ key, word, act }) => {
      const title = `${words[word]} (${arrows[key] ?? key})`
      const name: Record<string, string> = word in signs ? { class: 'arrow', 'aria-label': words[word] } : {}
      return button(signs[word] ?? words[word], act, { value: word, 'aria-keyshortcuts': key, title, ...name })
    })
    this.#views = buttons.filter(({ value }) => viewNames.includes(value as ViewName))
    const turn = buttons.filter(({ value }) => ['previous', 'next', 'today'].includes(value))
    const views = element('div', { class: 'views', role: 'group', 'aria-label': words.view }, ...this.#views)
    this.part.replaceChildren(element('div', { class: 'turn' }, ...turn), this.#title, views)
    const keys = [...this.shortcuts.map(({ key, word }) => [arrows[key] ?? key, words[word]]), ['?', words.keys]]
    const rows = [...keys, ['Esc', words.close]].flatMap(([key = '', text = '']) => [
      element('dt', {}, element('kbd', {}, key)),
      element('dd', {}, text),
    ])
    this.help.replaceChildren(this.#dialog.head(words.keys, words.close), element('dl', {}, ...rows))
  }

  show(view: ViewName, title: string): void {
    this.#title.textContent = title
    for (const one of this.#views) one.setAttribute('aria-pressed', String(one.value === view))
  }

  /** The button that opens the list of keys. */
  helpButton(words: PageWords): HTMLButtonElement {
    const name = { 'aria-label': words.keys, title: `${words.keys} (?)` }
    return button('?', () => this.help.showModal(), { class: 'quiet', 'aria-keyshortcuts': '?', ...name })
  }

  #onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isElsewhere =
      target instanceof Element && target.closest('input, select, textarea, pre, .log, dialog') !== null
    if (ctrlKey || metaKey || altKey || isElsewhere) return
    const shortcut = this.shortcuts.find(one => one.key === key)
    if (!shortcut && key !== '?') return
    event.preventDefault()
    if (shortcut) shortcut.act()
    else this.help.showModal()
  }
}
