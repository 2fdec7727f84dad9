/**
 * A year of sources: daily versions of their feeds with renames, moves, cancellations, events that disappear, series that move or lose a
 * date, new UIDs, empty and cut-off days, and editors who correct and reject events on the site. Input: a seed. Output: what the sources say each day, what the editors do,
 * and a model of what the calendar must have afterwards, made from nothing but these.
 */

import { event, feed } from './feed-server.ts'

export interface YearSize {
  readonly sources: number
  readonly eventsPerSource: number
  readonly days: number
}

export const fields = ['title', 'description', 'start_date'] as const

type Field = (typeof fields)[number]

type Texts = Record<Field, string>

/** A series of weekly dates, whose texts and hour are the same. */
interface Series {
  readonly dates: TownEvent[]
}

/** What a source says of a field, and since when. */
interface Heard {
  readonly said: string
  readonly when: string
}

/** An event as it is in the town, and as the calendar must have it. */
export interface TownEvent {
  readonly number: number
  readonly sources: readonly number[]
  readonly series?: Series
  /** By source, what it says by field. */
  readonly heard: Map<number, Record<Field, Heard>>
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
      for (let index = 0; index < size.eventsPerSource; index++)
        if (index === 0) this.#addSeries(source)
        else this.#add(source)
  }

  get now(): Date {
    return new Date(first + this.day * 86_400_000 + 7_200_000)
  }

  #chance(share: number): boolean {
    return this.random() < share
  }

  #someDay = (): number => this.day + 3 + Math.floor(this.random() * (this.size.days + 20))

  #add(source: number): void {
    const other = this.#chance(0.15) && this.size.sources > 1 ? (source + 1) % this.size.sources : undefined
    const sources = other === undefined ? [source] : [source, other].toSorted((one, two) => one - two)
    this.#push(this.events.length, { sources, day: this.#someDay() })
  }

  #addSeries(source: number): void {
    const number = this.events.length
    const series: Series = { dates: [] }
    // Of a series, the dates of the coming year are read.
    const day = Math.min(this.#someDay(), 300)
    for (let week = 0; week < 6; week++)
      series.dates.push(this.#push(number, { sources: [source], day: day + 7 * week, series }))
  }

  #push(number: number, { day, ...others }: Pick<TownEvent, 'sources' | 'series'> & { day: number }): TownEvent {
    const one: TownEvent = {
      ...others,
      number,
      heard: new Map(),
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
    }
    this.events.push(one)
    return one
  }

  /** Whether a source still shows an event: feeds drop what is past, but not from a series. */
  #isShown = (one: TownEvent): boolean => !one.isGone && (one.series !== undefined || this.#isToCome(one))

  #isToCome = ({ now }: TownEvent): boolean => now.start_date > this.#wall()

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
    for (const one of this.events)
      if (!one.series) this.#change(one)
      else if (one === one.series.dates[0]) this.#changeSeries(one.series.dates)
    this.#weather.forEach((weather, source) => {
      if (weather !== 'new UIDs') return
      for (const one of this.events) if (one.sources.length === 1 && one.sources[0] === source) one.uid = `${one.uid}x`
    })
  }

  #change(one: TownEvent): void {
    const isCalm = one.sources.every(source => this.#weather[source] === 'fine')
    if (!this.#isShown(one) || !isCalm || one.state === 'new') return
    const { now, isCancelled: wasCancelled } = one
    one.now = { ...now }
    if (this.#chance(0.02)) one.now.title = `${one.now.title.split(',')[0]}, dia ${this.day}`
    if (this.#chance(0.02)) one.now.description = `Text ${one.number} del dia ${this.day}`
    if (this.#chance(0.01)) one.now.start_date = one.now.start_date.replace(/ \d\d/, ` ${hour(one.number + this.day)}`)
    if (one.sources.length > 1) return
    if (this.#chance(0.004) || (one.isCancelled && this.#chance(0.1))) one.isCancelled = !one.isCancelled
    // One that is called off says nothing else: nobody could recognize it under a new UID by what was never heard.
    if (one.isCancelled || wasCancelled) one.now = now
    if (this.#chance(0.003)) one.isGone = true
  }

  #changeSeries(dates: readonly TownEvent[]): void {
    const [first] = dates
    const later = dates.filter(one => !one.isGone && this.#isToCome(one))
    if (!first || later.length === 0 || this.#weather[first.sources[0] ?? 0] !== 'fine' || first.state === 'new') return
    const dice = this.random()
    if (dice < 0.02) for (const one of dates) one.now.title = `${one.now.title.split(',')[0]}, dia ${this.day}`
    else if (dice < 0.03)
      for (const one of dates)
        one.now.start_date = one.now.start_date.replace(/ \d\d/, ` ${hour(one.number + this.day)}`)
    else if (dice < 0.045) {
      const days = 1 + Math.floor(this.random() * 3)
      for (const one of dates) one.now.start_date = daysLater(one.now.start_date, days)
    } else if (dice < 0.055 && later.length > 1) {
      const [one] = later
      if (one) one.isGone = true
    }
  }

  /** The feed of a source today. */
  feedOf(source: number): string {
    if (this.#weather[source] === 'empty') return feed()
    const own = this.events.filter(one => one.sources.includes(source))
    const shown = own.filter(one => (one.series ? one === one.series.dates[0] : this.#isShown(one)))
    const text = feed(
      ...shown.map(one =>
        event({
          uid: `${one.uid}@source-${source}.example`,
          title: one.now.title,
          start: inFeed(one.now.start_date),
          end: inFeed(endOf(one.now.start_date)),
          place: `Sala ${one.number % 7}`,
          more: [
            `DESCRIPTION:${one.now.description}`,
            ...repetition(one),
            ...(one.isCancelled ? ['STATUS:CANCELLED'] : []),
          ].join('\n'),
        }),
      ),
    )
    return this.#weather[source] === 'cut off' ? text.slice(0, text.lastIndexOf('SUMMARY')) : text
  }

  #eventsOf = (source: number): TownEvent[] =>
    this.events.filter(one => one.sources.includes(source) && this.#isShown(one))

  isReadable = (source: number): boolean =>
    this.#weather[source] !== 'cut off' && this.#weather[source] !== 'empty' && this.#eventsOf(source).length > 0

  /** What a run makes of the calendar: the number of writes, and whether there are new conflicts. */
  run(): { writes: number; conflicts: number } {
    const outcome = { writes: 0, conflicts: 0 }
    for (const one of this.events) {
      const sources = one.sources.filter(source => this.isReadable(source) && this.#weather[source] !== 'empty')
      if (sources.length === 0) continue
      if (this.#isShown(one)) {
        this.#hear(one, outcome)
        for (const source of sources) this.#note(one, source)
      } else if (one.isGone) this.#miss(one, sources, outcome)
    }
    return outcome
  }

  /** Since when a source says what it says; one that calls an event off says nothing else. */
  #note(one: TownEvent, source: number): void {
    if (one.isCancelled) return
    const before = one.heard.get(source)
    const heard = fields.map(name => {
      const said = one.now[name]
      return [name, before?.[name].said === said ? before[name] : { said, when: this.now.toISOString() }]
    })
    one.heard.set(source, Object.fromEntries(heard))
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
      // What waits ends with the event: a source that takes the cancellation back says it anew.
      for (const heard of one.heard.values())
        for (const name of fields) if (name in one.waiting) heard[name] = { said: '', when: '' }
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
    if (one.series) {
      this.#lose(one, outcome)
      return
    }
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

  /** A date that its series no longer has goes at once. */
  #lose(one: TownEvent, outcome: { writes: number }): void {
    if (one.state === 'rejected' || String(one.taken?.start_date) <= this.#wall()) return
    outcome.writes += 1
    one.state = 'vanished'
  }

  /** What editors do on the site: corrections and rejections. */
  edits(): { one: TownEvent; before: Texts; texts?: Partial<Texts> }[] {
    return this.events.flatMap(one => {
      if (one.state !== 'live' || !one.site || one.now.start_date <= this.#wall()) return []
      if (this.#chance(0.01 / 30)) {
        one.state = 'rejected'
        return [{ one, before: one.site }]
      }
      if (!this.#chance(0.05 / 30)) return []
      const name = this.#chance(0.5) ? 'title' : 'description'
      const texts = { [name]: `Corregit ${name} ${one.number} ${this.day}` }
      const before = { ...one.site }
      Object.assign(one.site, texts)
      return [{ one, texts, before }]
    })
  }
}

const inFeed = (wall: string): string => wall.replaceAll(/[-:]/g, '').replace(' ', 'T')

const daysLater = (wall: string, days: number): string =>
  new Date(Date.parse(wall.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10) + wall.slice(10)

/** The lines by which a series repeats. */
function repetition({ series }: TownEvent): string[] {
  if (!series) return []
  const gone = series.dates.filter(({ isGone }) => isGone)
  return [
    `RRULE:FREQ=WEEKLY;COUNT=${series.dates.length}`,
    ...gone.map(({ now }) => `EXDATE;TZID=Europe/Madrid:${inFeed(now.start_date)}`),
  ]
}

const hour = (number: number): string => String(10 + (number % 9)).padStart(2, '0')

const endOf = (start: string): string => start.replace(/ (\d\d)/, (_, text) => ` ${Number(text) + 2}`)

const syllables = ['bar', 'cel', 'dol', 'fum', 'gat', 'llum', 'mar', 'nit', 'pont', 'riu', 'sol', 'vent']

/** A word of its own for each number: titles that resemble one another are a question for people. */
export function word(number: number): string {
  const digits = [...number.toString(12)].map(digit => syllables[Number.parseInt(digit, 12)] ?? '')
  return digits.join('') + digits.toReversed().join('')
}
