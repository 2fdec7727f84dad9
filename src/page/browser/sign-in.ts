import { button, element, formOf } from './elements.ts'
import { type ApiReader, Refused } from './read-view.ts'
import type { PageWords } from './words.ts'

/** The form with which a user signs in; it forgets the password, which is kept for requests until the page is closed. */
export class SignIn {
  readonly part = element('details', { class: 'sign-in' })
  /** The reader of the page. */
  session: { readonly user: string | undefined; readonly readsAll: boolean }

  constructor(
    private readonly api: ApiReader,
    private readonly changed: () => void,
    /** Whether everybody sees what is not public: a server without users. */
    private readonly isOpen: boolean,
  ) {
    this.session = { user: undefined, readsAll: isOpen }
  }

  draw(words: PageWords): void {
    const { user, readsAll } = this.session
    if (user === undefined) {
      this.#drawForm(words)
      return
    }
    const who = words.signedInAs.replace('{user}', user)
    const out = button(words.signOut, () => {
      this.api.signOut()
      this.#become({ user: undefined, readsAll: this.isOpen })
    })
    const rights = readsAll ? words.readsAll : words.readsPublic
    this.part.replaceChildren(element('summary', {}, who), element('p', {}, rights), out)
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
    this.part.open = false
    this.changed()
  }
}

/** Why nothing could be read, in a sentence. */
export const problemOf = (error: unknown, words: PageWords): string =>
  error instanceof Refused ? words.refused.replace('{status}', String(error.status)) : words.lost
