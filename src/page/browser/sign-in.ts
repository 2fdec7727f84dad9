import { button, element, formOf } from './elements.ts'
import { type ApiReader, Refused } from './read-view.ts'
import type { PageWords } from './words.ts'

/**
 * Who reads the page: at first the public. In a form a user signs in; it forgets the password, which is kept for requests until the page
 * is closed. On a server without users, a press shows what the public does not see.
 */
export class SignIn {
  readonly part = element('details', { class: 'sign-in' })
  /** The reader of the page. */
  session: { readonly user: string | undefined; readonly readsAll: boolean }

  constructor(
    private readonly api: ApiReader,
    private readonly changed: () => void,
    /** Whether everybody may do everything: a server without users. */
    private readonly isOpen: boolean,
    readsAll: boolean,
  ) {
    this.session = { user: undefined, readsAll: readsAll || (isOpen && sessionStorage.getItem(kept) === 'true') }
  }

  draw(words: PageWords): void {
    const { user, readsAll } = this.session
    if (user === undefined && !this.isOpen) {
      this.#drawForm(words)
      return
    }
    const who = user === undefined ? words.editors : words.signedInAs.replace('{user}', user)
    const own = readsAll ? words.hideAll : words.showAll
    const leave = button(this.isOpen ? own : words.signOut, () => {
      this.api.signOut()
      this.#become({ user: undefined, readsAll: this.isOpen && !readsAll })
    })
    const rights = readsAll ? words.readsAll : words.readsPublic
    this.part.replaceChildren(element('summary', {}, who), element('p', {}, rights), leave)
  }

  #drawForm(words: PageWords): void {
    const name = element('input', { name: 'user', autocomplete: 'username', required: '' })
    const password = element('input', { name: 'password', type: 'password', autocomplete: 'off', required: '' })
    const problem = element('p', { class: 'problem', role: 'alert' })
    const form = formOf({ [words.user]: name, [words.password]: password }, words.signIn, async () => {
      problem.textContent = ''
      const outcome = await this.api.signIn(name.value, password.value).catch(error => error as Error)
      password.value = ''
      if (outcome === 'wrong') problem.textContent = words.wrongPassword
      else if (outcome instanceof Error) problem.textContent = problemOf(outcome, words)
      else this.#become({ user: name.value, readsAll: outcome === 'reads all' })
    })
    form.append(problem, element('p', { class: 'hint' }, words.inMemory))
    this.part.replaceChildren(element('summary', {}, words.signIn), form)
  }

  #become(session: SignIn['session']): void {
    this.session = session
    if (this.isOpen) sessionStorage.setItem(kept, String(session.readsAll))
    this.part.open = false
    this.changed()
  }
}

/** Under this name the browser remembers, until the page is closed, whether an editor reads it. */
const kept = 'readsAll'

/** Why nothing could be read, in a sentence. */
export const problemOf = (error: unknown, words: PageWords): string =>
  error instanceof Refused ? words.refused.replace('{status}', String(error.status)) : words.lost
