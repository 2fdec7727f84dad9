/** Small helpers for the elements of the page. Texts are always text: nothing here reads markup. */

type Children = readonly (Node | string)[]

/** An element with its attributes and what is in it. */
export function element<T extends keyof HTMLElementTagNameMap>(
  name: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Children
): HTMLElementTagNameMap[T] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

/** A button that does something when it is pressed. */
export function button(text: string, press: () => void, attributes: Readonly<Record<string, string>> = {}) {
  const node = element('button', { type: 'button', ...attributes }, text)
  node.addEventListener('click', press)
  return node
}

/** A button that closes something. */
export const closeButton = (name: string, close: () => void): HTMLButtonElement =>
  button('✕', close, { class: 'close', 'aria-label': name, title: name })

/** A form of named fields that acts when it is submitted; the browser itself sends nothing. */
export function formOf(fields: Readonly<Record<string, Element>>, submit: string, send: () => Promise<void>) {
  const labels = Object.entries(fields).map(([name, control]) => element('label', {}, name, control))
  const form = element('form', {}, ...labels, element('button', {}, submit))
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send()
  })
  return form
}

/** A dialog with a title, which a button in it and a click beside it close. */
export function dialog(name: string) {
  const part = element('dialog', { class: name, 'aria-labelledby': `${name}-title` })
  part.addEventListener('click', ({ target }) => target === part && part.close())
  const head = (title: string, close: string) =>
    element(
      'header',
      {},
      // The title gets the focus: the key that opens a dialog would press a button in it.
      element('h2', { id: `${name}-title`, tabindex: '0', autofocus: '' }, title),
      closeButton(close, () => part.close()),
    )
  return { part, head }
}

/** A part of the page that is closed at first; its contents are drawn when it is opened. */
export function foldedPart(attributes: Readonly<Record<string, string>>, draw: (part: HTMLDetailsElement) => void) {
  const part = element('details', attributes)
  part.addEventListener('toggle', () => part.open && draw(part))
  return part
}

/** Sets styles on elements of our own texts, whose style attributes the policy of the page would ignore. */
export function fillStyled(place: HTMLElement, html: string): void {
  place.innerHTML = html.replaceAll(' style="', ' data-style="')
  for (const one of place.querySelectorAll<HTMLElement>('[data-style]')) one.style.cssText = one.dataset.style ?? ''
}
