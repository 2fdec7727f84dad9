import { element, foldedPart } from './elements.ts'
import type { Speech } from './event-card.ts'
import { problemOf } from './sign-in.ts'

/** The viewer, which the build bundles into a separate file. */
type Viewer = typeof import('./reference.ts')

/** The reference of the API, whose viewer is loaded when somebody opens it. */
export class ReferencePanel {
  readonly part = foldedPart({ class: 'panel' }, () => void this.#load())
  #speech: Speech | undefined
  #shown = ''

  constructor(private readonly root: string) {}

  draw(speech: Speech): void {
    this.#speech = speech
    const link = element('a', { href: this.#address(speech) }, speech.words.document)
    this.part.replaceChildren(element('summary', {}, speech.words.reference), element('p', {}, link))
    this.#shown = ''
    if (this.part.open) void this.#load()
  }

  async #load(): Promise<void> {
    const speech = this.#speech
    if (!speech || this.#shown === speech.language) return
    this.#shown = speech.language
    const place = element('div', { class: 'reference' })
    this.part.append(place)
    try {
      const address = '/__page/reference.js'
      const [{ showReference }] = await Promise.all([import(address) as Promise<Viewer>, stylesOfViewer()])
      showReference(place, this.#address(speech))
    } catch (error) {
      this.#shown = ''
      place.textContent = problemOf(error, speech.words)
    }
  }

  #address = ({ language }: Speech): string => `${this.root}/doc?lang_code=${language}`
}

let styles: Promise<void> | undefined

function stylesOfViewer(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const link = element('link', { rel: 'stylesheet', href: '/__page/reference.css' })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error('no styles')))
    document.head.append(link)
  })
  return styles
}
