import { grouped } from '../../base/groups.ts'
import { button, element } from './elements.ts'
import { PlanApproval } from './plan-approval.ts'
import type { CalendarView, PageEvent } from './read-view.ts'
import { type ShownChange, type ShownEvent, shownEvent } from './shown-event.ts'
import type { PageWords } from './words.ts'

interface PlanAnswer {
  readonly changes: readonly Omit<ShownChange, 'number'>[]
  /** Whether the page asks about the plan. */
  readonly asks: boolean
  readonly notes: readonly string[]
}

const doubtful: readonly ShownChange['kind'][] = ['removed', 'moved', 'changed', 'restored', 'new']

/** A saved plan shown over the events of a calendar: what it would change. */
export class PlanPreview {
  readonly part = element('section', { class: 'plan' })
  #changes: readonly ShownChange[] = []
  #notes: readonly string[] = []
  #approval: PlanApproval | undefined

  constructor(
    private readonly address: string,
    /** Called when the reader wants to see the day of a change, given by its number. */
    private readonly show: (day: string, change: number) => void,
  ) {}

  async read(): Promise<void> {
    const response = await fetch(this.address, { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(String(response.status))
    const { changes, asks, notes } = (await response.json()) as PlanAnswer
    this.#changes = changes.map((change, number) => ({ ...change, number })).filter(({ kind }) => kind !== 'same')
    this.#notes = notes
    if (!asks) return
    // What is hardest to take back comes first.
    this.#changes = this.#changes.toSorted((one, other) => doubtful.indexOf(one.kind) - doubtful.indexOf(other.kind))
    this.#approval = new PlanApproval(this.address.replace(/plan$/, ''))
    await this.#approval.open()
  }

  /** The first day on which the plan changes something. */
  get firstDay(): string | undefined {
    return this.#changes.map(dayOfChange).filter(Boolean).toSorted()[0]
  }

  /** The events of a view as the plan would leave them, and those that it would remove from their days. */
  over(events: readonly PageEvent[], view: CalendarView): ShownEvent[] {
    const ofEvents = this.#changes.filter(({ resource }) => resource === 'events')
    const changed = new Set(ofEvents.map(({ id }) => id))
    const planned = ofEvents.flatMap(change => {
      const { kind, before, after } = change
      return [
        after && kind !== 'removed' && shownEvent(eventOf(after), { change, isBefore: false }),
        before && (kind === 'removed' || kind === 'moved') && shownEvent(eventOf(before), { change, isBefore: true }),
      ]
    })
    return [
      ...events.filter(({ id }) => !changed.has(id)).map(event => shownEvent(event)),
      ...planned.filter(one => one && isIn(one, view)),
    ].filter(one => !!one)
  }

  /** The number of changes of each kind, and each change. */
  draw(words: PageWords): void {
    const kinds = grouped(this.#changes, ({ kind }) => kind)
    const summary = [...kinds].map(([kind, all]) => `${words[kind]}: ${all.length}`).join(' · ')
    const items = this.#changes.map(change => {
      const day = dayOfChange(change)
      const name = { 'aria-label': `${words.show}: ${change.title}` }
      const link = day === '' ? [] : [button(words.show, () => this.show(day, change.number), name)]
      const box = this.#approval ? [this.#approval.boxFor(change, words)] : []
      const sentence = element('span', { class: 'sentence' }, change.sentence)
      return element('li', {}, ...box, kindMark(change.kind, words), sentence, ...link)
    })
    this.part.replaceChildren(
      element('h2', {}, words.preview),
      element('p', { class: 'undecided' }, this.#approval ? words.approvalHint : words.previewHint),
      ...this.#notes.map(note => element('p', {}, note)),
      ...(items.length === 0
        ? [element('p', {}, words.noChanges)]
        : [element('details', { open: '' }, element('summary', {}, summary), element('ul', {}, ...items))]),
      ...(this.#approval ? [this.#approval.draw(words)] : []),
    )
  }
}

/** The kind of a change as a word, next to its colour. */
export const kindMark = (kind: ShownChange['kind'], words: PageWords): HTMLElement =>
  element('span', { class: `kind ${kind}` }, words[kind])

const dayOfChange = ({ resource, before, after }: ShownChange): string =>
  resource === 'events' ? ((after ?? before)?.start_date?.slice(0, 10) ?? '') : ''

/** A plan does not contain what it does not know. */
const eventOf = (record: Partial<PageEvent>): PageEvent =>
  ({ id: 0, ...blank, end_date: record.start_date ?? '', ...record }) as PageEvent

const blank = { title: '', description: '', status: 'publish', all_day: false, image: false, start_date: '' }

/** Whether an event of the plan belongs to the view. */
function isIn({ event, day }: ShownEvent, { from, until, language, search, filters }: CalendarView): boolean {
  const isOnDays = day.firstDay < until && day.lastDay >= from
  const isSought = `${event.title} ${event.description}`.toLowerCase().includes(search.toLowerCase())
  const hasAll = Object.entries(filters).every(([name, value]) => {
    if (value === '' || name === 'status') return value === '' || event.status === value
    return [event[name] ?? []].flat().some(one => String((one as { id?: number }).id) === value)
  })
  return isOnDays && isSought && hasAll && (event.lang_code ?? language) === language
}
