/**
 * A year of sources: daily versions of their feeds with renames, moves, cancellations, events that disappear, new UIDs, empty and cut-off
 * days, and editors who correct and reject events on the site. Input: a seed. Output: what the sources say each day, what the editors do,
 * and a model of what the calendar must have afterwards, made from nothing but these.
 */

import { event, feed } from './feed-server.ts'

export interface YearSize {
  readonly sources: number
  readonly eventsPerSource: number
  readonly days: number
}

const fields = ['title', 'description', 'start_date'] as const

type Field = (typeof fields)[number]

type Texts = Record<Field, string>

/** An event as it is in the town, and as the calendar must have it. */
export interface TownEvent {
  readonly number: number
  readonly sources: readonly number[]
  uid: string
  /** What its sources say. */
  now: Texts
  isCancelled: boolean
  isGone: boolean
  /** What was taken last, and what the calendar has. */
  taken: Texts | undefined
  site: Texts | undefined
  /** Whether it is in the calendar, and who removed it. */
  state: 'new' | 'live' | 'cancelled' | 'rejected' | 'vanished'
  /** In how many runs in a row it was missing. */
  absent: number
  waiting: Partial<Texts>
}

/** What a day does to a source as a whole. */
type Weather = 'fine' | 'empty' | 'cut off' | 'new UIDs'

const first = Date.UTC(2026, 10, 21)

const dayText = (day: number): string => new Date(first + day * 86_400_000).toISOString().slice(0, 10)

export class Year {
  readonly events: TownEvent[] = []
  day = 0
  #weather: Weather[] = []

  constructor(
    readonly size: YearSize,
    readonly random: () => number,
  ) {
    for (let source = 0; source < size.sources; source++)
      for (let index = 0; index < size.eventsPerSource; index++) this.#add(source)
  }

  get now(): Date {
    return new Date(first + this.day * 86_400_000 + 7_200_000)
  }

  #chance(share: number): boolean {
    return this.random() < share
  }

  #add(source: number): void {
    const number = this.events.length
    const other = this.#chance(0.15) && this.size.sources > 1 ? (source + 1) % this.size.sources : undefined
    const day = this.day + 3 + Math.floor(this.random() * (this.size.days + 20))
    this.events.push({
      number,
      sources: other === undefined ? [source] : [source, other].toSorted((one, two) => one - two),
      uid: `event-${number}`,
      now: {
        title: `Acte ${word(number)}`,
        description: `Text ${number}`,
        start_date: `${dayText(day)} ${hour(number)}:00:00`,
      },
      isCancelled: false,
      isGone: false,
      taken: undefined,
      site: undefined,
      state: 'new',
      absent: 0,
      waiting: {},
    })
  }

  /** Whether a source still shows an event. */
  #isShown = (one: TownEvent): boolean => !one.isGone && one.now.start_date > this.#wall()

  #wall = (): string => `${dayText(this.day)} 03:00:00`

  /** The next day in the town. */
  next(): void {
    this.day += 1
    this.#weather = Array.from({ length: this.size.sources }, () => {
      const dice = this.random()
      if (dice < 0.01) return 'empty'
      if (dice < 0.02) return 'cut off'
      return dice < 0.03 ? 'new UIDs' : 'fine'
    })
    if (this.#chance(0.3)) this.#add(Math.floor(this.random() * this.size.sources))
    for (const one of this.events) this.#change(one)
    this.#weather.forEach((weather, source) => {
      if (weather !== 'new UIDs') return
      for (const one of this.events) if (one.sources.length === 1 && one.sources[0] === source) one.uid = `${one.uid}x`
    })
  }

  #change(one: TownEvent): void {
    const isCalm = one.sources.every(source => this.#weather[source] === 'fine')
    if (!this.#isShown(one) || !isCalm || one.state === 'new') return
    if (this.#chance(0.02)) one.now.title = `${one.now.title.split(',')[0]}, dia ${this.day}`
    if (this.#chance(0.02)) one.now.description = `Text ${one.number} del dia ${this.day}`
    if (this.#chance(0.01)) one.now.start_date = one.now.start_date.replace(/ \d\d/, ` ${hour(one.number + this.day)}`)
    if (one.sources.length > 1) return
    if (this.#chance(0.004) || (one.isCancelled && this.#chance(0.1))) one.isCancelled = !one.isCancelled
    if (this.#chance(0.003)) one.isGone = true
  }

  /** The feed of a source today. */
  feedOf(source: number): string {
    if (this.#weather[source] === 'empty') return feed()
    const text = feed(
      ...this.#eventsOf(source).map(one =>
        event({
          uid: `${one.uid}@source-${source}.example`,
          title: one.now.title,
          start: one.now.start_date.replaceAll(/[-:]/g, '').replace(' ', 'T'),
          end: endOf(one.now.start_date).replaceAll(/[-:]/g, '').replace(' ', 'T'),
          place: `Sala ${one.number % 7}`,
          more: `DESCRIPTION:${one.now.description}${one.isCancelled ? '\nSTATUS:CANCELLED' : ''}`,
        }),
      ),
    )
    return this.#weather[source] === 'cut off' ? text.slice(0, text.lastIndexOf('SUMMARY')) : text
  }

  #eventsOf = (source: number): TownEvent[] =>
    this.events.filter(one => one.sources.includes(source) && this.#isShown(one))

  isReadable = (source: number): boolean => this.#weather[source] !== 'cut off' && this.#eventsOf(source).length > 0

  /** What a run makes of the calendar: the number of writes, and whether there are new conflicts. */
  run(): { writes: number; conflicts: number } {
    const outcome = { writes: 0, conflicts: 0 }
    for (const one of this.events) {
      const sources = one.sources.filter(source => this.isReadable(source) && this.#weather[source] !== 'empty')
      if (sources.length === 0) continue
      if (this.#isShown(one)) this.#hear(one, outcome)
      else if (one.isGone) this.#miss(one, sources, outcome)
    }
    return outcome
  }

  #hear(one: TownEvent, outcome: { writes: number; conflicts: number }): void {
    one.absent = 0
    if (one.state === 'rejected') return
    if (one.state === 'new') {
      if (one.isCancelled) return
      outcome.writes += 1
      Object.assign(one, { state: 'live', taken: { ...one.now }, site: { ...one.now } })
      return
    }
    if (one.isCancelled) {
      if (one.state === 'live') outcome.writes += 1
      one.state = 'cancelled'
      one.waiting = {}
      return
    }
    const wasCancelled = one.state === 'cancelled'
    one.state = 'live'
    if (this.#merge(one, outcome) || wasCancelled) outcome.writes += 1
  }

  /** Takes what the source changed where no editor did; true if something is written. */
  #merge(one: TownEvent, outcome: { conflicts: number }): boolean {
    const { now, taken, site } = one
    if (!taken || !site) return false
    const waiting: Partial<Texts> = {}
    let isWritten = false
    for (const name of fields) {
      if (now[name] === taken[name]) continue
      const isEdited = site[name] !== taken[name] && site[name] !== now[name]
      if (isEdited) {
        if (one.waiting[name] !== now[name]) outcome.conflicts += 1
        waiting[name] = now[name]
        continue
      }
      if (site[name] !== now[name]) isWritten = true
      taken[name] = now[name]
      site[name] = now[name]
    }
    one.waiting = waiting
    return isWritten
  }

  #miss(one: TownEvent, sources: readonly number[], outcome: { writes: number }): void {
    if (one.state === 'new' || one.state === 'vanished' || one.state === 'cancelled' || !one.taken) return
    const starts = this.#eventsOf(sources[0] ?? 0).map(({ now }) => now.start_date)
    const isInside =
      starts.some(start => start <= String(one.taken?.start_date)) &&
      starts.some(start => start >= String(one.taken?.start_date))
    if (!isInside || one.taken.start_date <= this.#wall()) return
    one.absent += 1
    if (one.absent < 2 || one.state === 'rejected') return
    outcome.writes += 1
    one.state = 'vanished'
  }

  /** What editors do on the site: corrections and rejections. */
  edits(): { one: TownEvent; texts?: Partial<Texts> }[] {
    return this.events.flatMap(one => {
      if (one.state !== 'live' || !one.site || one.now.start_date <= this.#wall()) return []
      if (this.#chance(0.01 / 30)) {
        one.state = 'rejected'
        return [{ one }]
      }
      if (!this.#chance(0.05 / 30)) return []
      const name = this.#chance(0.5) ? 'title' : 'description'
      const texts = { [name]: `Corregit ${name} ${one.number} ${this.day}` }
      Object.assign(one.site, texts)
      return [{ one, texts }]
    })
  }
}

const hour = (number: number): string => String(10 + (number % 9)).padStart(2, '0')

const endOf = (start: string): string => start.replace(/ (\d\d)/, (_, text) => ` ${Number(text) + 2}`)

const syllables = ['bar', 'cel', 'dol', 'fum', 'gat', 'llum', 'mar', 'nit', 'pont', 'riu', 'sol', 'vent']

/** A word of its own for each number: titles that resemble one another are a question for people. */
function word(number: number): string {
  const digits = [...number.toString(12)].map(digit => syllables[Number.parseInt(digit, 12)] ?? '')
  return digits.join('') + digits.toReversed().join('')
}
