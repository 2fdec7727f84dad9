import type { Wrong } from './address.ts'
import type { CalendarClock } from './calendar-clock.ts'
import { button, closeButton, element } from './elements.ts'
import type { PageWords } from './words.ts'

/** In how many seconds a view that could not be read is requested again. */
const retrySeconds = 3

/** What stands over the calendar when it has nothing to show: that there are no events, or what is wrong. */
export class CalendarNotice {
  readonly part = element('div', { class: 'notice', role: 'status' })
  #since: string | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly clock: CalendarClock,
    private readonly retry: () => void,
  ) {}

  clear(): void {
    clearInterval(this.#timer)
    this.#since = undefined
    this.part.className = 'notice'
    this.part.replaceChildren()
  }

  /** Nothing is found; `hints` say what can be done. */
  empty(text: string, ...hints: readonly Node[]): void {
    this.clear()
    this.part.classList.add('empty')
    this.part.replaceChildren(element('p', {}, text), ...hints)
  }

  /** What happened, since when, and when it is tried again. */
  problem(text: string, words: PageWords): void {
    clearInterval(this.#timer)
    this.#since ??= this.clock.wall.slice(11, 16)
    let left = retrySeconds
    // The status is read out once, not each second.
    const countdown = element('span', { class: 'countdown', 'aria-hidden': 'true' })
    const count = () => {
      countdown.textContent = words.retryIn.replace('{seconds}', String(left))
      if (left === 0) this.retry()
      if (left === 0) clearInterval(this.#timer)
      left -= 1
    }
    count()
    this.#timer = setInterval(count, 1000)
    const said = element('p', {}, element('strong', {}, text), ' ', words.since.replace('{time}', this.#since))
    this.part.className = 'notice wrong'
    this.part.replaceChildren(said, element('p', {}, countdown, ' ', button(words.retryNow, this.retry)))
  }
}

/** A line that says what an address asks for that does not exist, until somebody closes it. */
export class AddressNotice {
  readonly part = element('div', { class: 'corrected', role: 'status' })
  #wrong: string[] = []

  add(wrong: Wrong, words: PageWords): void {
    // It was closed.
    if (!this.part.firstChild) this.#wrong = []
    this.#wrong.push(...wrong.map(([name, value]) => `${words[name as keyof PageWords]}: ${value}`))
    const text = words.corrected.replace('{what}', () => [...new Set(this.#wrong)].join(' · '))
    this.part.replaceChildren(
      element('p', {}, text),
      closeButton(words.close, () => this.part.replaceChildren()),
    )
  }
}
