import { button, element } from './elements.ts'
import type { ShownChange } from './shown-event.ts'
import type { PageWords } from './words.ts'

/** What calctl asks about the plan without what is left out of it. */
interface Question {
  readonly question: string
  readonly leftOut: readonly number[]
  readonly checksum: string
}

/** How often a run is asked how far it is, in ms. */
const progressPause = 500

/** The question about a plan, a box for each change, and the two buttons that settle it. */
export class PlanApproval {
  readonly #part = element('div', { class: 'approval' })
  readonly #question = element('p', { class: 'question', role: 'status' })
  readonly #boxes = new Map<number, HTMLInputElement>()
  readonly #apply = button('', () => void this.#press(), { class: 'apply' })
  readonly #refuse = button('', () => void this.#decline())
  #words: PageWords | undefined
  #token = ''
  #asked: Question = { question: '', leftOut: [], checksum: '' }
  #asking = 0

  /** `root` is the address below which it sends what is decided. */
  constructor(private readonly root: string) {
    this.#part.append(this.#question, this.#apply, ' ', this.#refuse)
  }

  async open(): Promise<void> {
    const { token, ...asked } = await this.#send<Question & { token: string }>('opened', {})
    this.#token = token
    this.#asked = asked
    this.#show()
  }

  boxFor({ number, title }: ShownChange, words: PageWords): HTMLInputElement {
    const box = this.#boxes.get(number) ?? element('input', { type: 'checkbox' })
    if (!this.#boxes.has(number)) {
      box.checked = true
      box.addEventListener('change', () => void this.#ask())
      this.#boxes.set(number, box)
    }
    box.setAttribute('aria-label', `${words.keep}: ${title}`)
    return box
  }

  draw(words: PageWords): HTMLElement {
    this.#words = words
    this.#apply.textContent = words.apply
    this.#refuse.textContent = words.notThis
    return this.#part
  }

  /** Asks for the sentence of what is left; nothing can be pressed before it is there. */
  async #ask(): Promise<void> {
    this.#asking += 1
    const turn = this.#asking
    this.#apply.disabled = true
    const leftOut = [...this.#boxes].filter(([, box]) => !box.checked).map(([number]) => number)
    await this.#try(async () => {
      const asked = await this.#send<Question>('question', { leftOut })
      if (turn !== this.#asking) return
      this.#asked = asked
      this.#show()
    })
  }

  #show(): void {
    const { question, leftOut } = this.#asked
    this.#question.textContent = question === '' ? (this.#words?.noChanges ?? '') : `${question}?`
    this.#apply.disabled = question === ''
    for (const [number, box] of this.#boxes) box.checked = !leftOut.includes(number)
  }

  async #press(): Promise<void> {
    this.#end()
    const watch = setInterval(() => void this.#watch(), progressPause)
    await this.#try(async () => {
      const { leftOut, checksum } = this.#asked
      const approved = { token: this.#token, checksum, leftOut }
      const { said, isWhole } = await this.#send<{ said: string; isWhole: boolean }>('approve', approved)
      this.#say(said, isWhole ? 'done' : 'wrong')
    })
    clearInterval(watch)
  }

  async #watch(): Promise<void> {
    const response = await fetch(`${this.root}progress`).catch(() => undefined)
    if (!response?.ok || this.#part.dataset.state) return
    const { done, total } = (await response.json()) as { done: number; total: number }
    const text = this.#words?.applying.replace('{done}', String(done)).replace('{total}', String(total))
    if (!this.#part.dataset.state) this.#question.textContent = text ?? ''
  }

  async #decline(): Promise<void> {
    this.#end()
    await this.#try(async () => {
      await this.#send('refuse', { token: this.#token })
      this.#say(this.#words?.planRefused ?? '', 'done')
    })
  }

  /** Nothing can be decided any more. */
  #end(): void {
    for (const control of [this.#apply, this.#refuse, ...this.#boxes.values()]) control.disabled = true
  }

  #say(text: string, state: 'done' | 'wrong'): void {
    this.#end()
    this.#part.dataset.state = state
    this.#question.textContent = text
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#say(error instanceof Refusal ? error.message : (this.#words?.closed ?? ''), 'wrong')
    }
  }

  async #send<T>(path: string, body: object): Promise<T> {
    const response = await fetch(this.root + path, { method: 'POST', body: JSON.stringify(body) })
    const answer = (await response.json()) as T & { message?: string }
    if (!response.ok) throw new Refusal(answer.message)
    return answer
  }
}

/** calctl said why it does not do that. */
class Refusal extends Error {}
