import { eventsOf } from '../../base/text/received-events.ts'
import { button, element, foldedPart, formOf } from './elements.ts'
import type { Speech } from './event-card.ts'
import type { PageWords } from './words.ts'

/** Faults and delays that the server causes on purpose. */
interface Conditions {
  readonly faults: readonly Fault[]
  readonly latency: string
  readonly now: string | null
}

interface Fault {
  readonly route?: string
  readonly status?: number
  readonly fault?: string
  readonly times?: number
}

/** A request as the server remembers it. */
interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly status?: number
  readonly at: string
  readonly ms?: number
}

const faultNames = ['500', '503', '429', '404', 'reset', 'timeout', 'notice', 'comment', 'html', 'empty', 'accepted']

/** How many requests the log shows. */
const longestLog = 200

/** After how long a lost log is resumed, in ms. */
const pause = 3000

/** For developers: the OpenAPI document, the requests that the server gets, and the faults that it causes on purpose. */
export class DeveloperPanel {
  readonly part: HTMLDetailsElement
  readonly #path: string
  readonly #summary = element('summary')
  readonly #document = element('a')
  readonly #problem = element('p', { class: 'problem', role: 'alert' })
  readonly #place = element('div')
  readonly #rows = element('tbody')
  readonly #faultsInForce = element('div')
  readonly #latencyInForce = element('input', { name: 'latency', placeholder: '50ms-200ms' })
  readonly #clockInForce = element('div')
  /** Of the server: the routes below `/__calctl/` need it. */
  #token: string | undefined
  #words: PageWords | undefined
  #log = new AbortController()

  constructor(
    baseUrl: string,
    private readonly root: string,
    request: HTMLElement,
  ) {
    this.#path = `${new URL(baseUrl, location.href).pathname.replace(/\/$/, '')}/__calctl/`
    this.part = foldedPart({ class: 'panel developer' }, () => void this.#open())
    this.part.addEventListener('toggle', () => this.part.open || this.#log.abort())
    this.part.append(this.#summary, element('p', {}, this.#document), request, this.#problem, this.#place)
    // `calctl open` adds the token of the server that it starts after a `#`, so that it is not sent anywhere.
    this.#token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
    if (this.#token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  }

  draw({ language, words }: Speech): void {
    this.#words = words
    this.#summary.textContent = words.developer
    this.#document.textContent = words.document
    this.#document.href = `${this.root}/doc?lang_code=${language}`
    if (this.part.open) void this.#open()
    else this.#place.replaceChildren()
  }

  async #open(): Promise<void> {
    const words = this.#words
    if (!words) return
    if (this.#token === undefined) return this.#place.replaceChildren(this.#tokenForm(words))
    await this.#attempt(async () => {
      await this.#showConditions(words)
      this.#place.replaceChildren(this.#switches(words), this.#logTable(words))
      void this.#follow()
    })
  }

  #tokenForm(words: PageWords): HTMLFormElement {
    const token = element('input', { name: 'token', required: '', autocomplete: 'off' })
    const form = formOf({ [words.token]: token }, words.connect, async () => {
      this.#token = token.value
      await this.#open()
      if (this.#problem.textContent !== '') this.#token = undefined
    })
    form.append(element('p', { class: 'hint' }, words.tokenHint))
    return form
  }

  /** Shows the current conditions, but does not change what somebody is typing. */
  async #showConditions(words: PageWords): Promise<void> {
    const { faults, latency, now } = (await (await this.#send('conditions')).json()) as Conditions
    const heal = button(words.heal, () => void this.#change('heal', {}))
    const list = element('ul', {}, ...faults.map(fault => element('li', {}, faultText(fault, words))))
    const none = element('p', { class: 'hint' }, words.noFaults)
    this.#faultsInForce.replaceChildren(...(faults.length > 0 ? [list, heal] : [none]))
    if (document.activeElement !== this.#latencyInForce) this.#latencyInForce.value = latency
    const state = element('p', { class: 'hint' }, now === null ? words.clockRuns : words.clockStands)
    const run = button(words.realTime, () => void this.#change('clock', { now: null }))
    this.#clockInForce.replaceChildren(state, ...(now === null ? [] : [run]))
  }

  #switches(words: PageWords): HTMLDivElement {
    const latency = formOf({ [words.delay]: this.#latencyInForce }, words.set, () =>
      this.#change('latency', { latency: this.#latencyInForce.value }),
    )
    const now = element('input', { name: 'now', type: 'datetime-local' })
    const clock = formOf({ [words.stopAt]: now }, words.set, () =>
      this.#change('clock', { now: now.value === '' ? null : `${now.value}:00Z` }),
    )
    return element(
      'div',
      { class: 'switches' },
      group(words.faults, this.#faultsInForce, this.#faultForm(words)),
      group(words.latency, latency),
      group(words.clock, this.#clockInForce, clock),
    )
  }

  #faultForm(words: PageWords): HTMLFormElement {
    const route = element('input', { name: 'route', placeholder: 'POST /events' })
    const kind = element('select', { name: 'fault' }, ...faultNames.map(name => new Option(name)))
    const times = element('input', { name: 'times', type: 'number', min: '1' })
    return formOf({ [words.route]: route, [words.fault]: kind, [words.times]: times }, words.add, () =>
      this.#change('fail', {
        ...(route.value && { route: route.value }),
        ...(/^\d/.test(kind.value) ? { status: Number(kind.value) } : { fault: kind.value }),
        ...(times.value && { times: Number(times.value) }),
      }),
    )
  }

  #logTable(words: PageWords): HTMLElement {
    const heads = [words.time, words.method, words.path, words.answerStatus, 'ms']
    const head = element('thead', {}, element('tr', {}, ...heads.map(name => element('th', { scope: 'col' }, name))))
    const table = element('table', {}, element('caption', {}, words.log), head, this.#rows)
    return element('div', { class: 'log', tabindex: '0', role: 'region', 'aria-label': words.log }, table)
  }

  async #change(action: string, body: object): Promise<void> {
    await this.#attempt(async () => {
      await this.#send(action, body)
      if (this.#words) await this.#showConditions(this.#words)
    })
  }

  /** Sends a request; throws the sentence with which the server refuses it. */
  async #send(action: string, body?: object, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.#path + action, {
      ...init,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'x-calctl-token': this.#token ?? '', 'content-type': 'application/json', ...init.headers },
    })
    if (response.ok) return response
    const { message } = (await response.json().catch(() => ({}))) as { message?: string }
    throw new Error(message ?? String(response.status))
  }

  /** Sends a control request, and shows the refusal of the server if there is one. */
  async #attempt(act: () => Promise<unknown>): Promise<void> {
    this.#problem.textContent = ''
    try {
      await act()
    } catch (error) {
      const isLost = error instanceof TypeError
      this.#problem.textContent = isLost ? (this.#words?.lost ?? '') : (error as Error).message
      if (!this.#place.querySelector('form')) this.#place.replaceChildren()
    }
  }

  /** Shows the requests that the server remembers and later ones, until the panel is closed. */
  async #follow(): Promise<void> {
    this.#log.abort()
    this.#log = new AbortController()
    const { signal } = this.#log
    while (!signal.aborted) {
      this.#rows.replaceChildren()
      try {
        const response = await this.#send('requests', undefined, { headers: { accept: 'text/event-stream' }, signal })
        this.#problem.textContent = ''
        for await (const request of eventsOf(response)) this.#addRow(request as LoggedRequest)
      } catch {
        // Said below.
      }
      if (signal.aborted) return
      this.#problem.textContent = this.#words?.lost ?? ''
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }

  #addRow({ at, method, path, query, status, ms }: LoggedRequest): void {
    const search = new URLSearchParams(query).toString()
    const time = new Date(at).toISOString().slice(11, 19)
    const whole = search === '' ? path : `${path}?${decodeURIComponent(search)}`
    const cells = [time, method, whole, String(status ?? '–'), ms === undefined ? '' : String(Math.round(ms))]
    const row = element('tr', {}, ...cells.map(text => element('td', {}, text)))
    if (status === undefined || status >= 400) row.className = 'failed'
    this.#rows.prepend(row)
    if (this.#rows.children.length > longestLog) this.#rows.lastElementChild?.remove()
  }
}

const faultText = ({ route, status, fault, times }: Fault, words: PageWords): string =>
  [route ?? words.allRoutes, '→', status ?? fault, ...(times === undefined ? [] : [`× ${times}`])].join(' ')

const group = (name: string, ...children: readonly Node[]): HTMLElement =>
  element('fieldset', {}, element('legend', {}, name), ...children)
