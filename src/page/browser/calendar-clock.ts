import { wallAt } from '../../base/time/zone.ts'

/** The clock of the calendar, in its zone: a browser may have another clock, and be in another zone. */
export class CalendarClock {
  /** How far it is ahead of that of the browser, in ms; a clock that stands has a moment of its own. */
  #ahead = 0
  #stoodAt: number | undefined

  constructor(private readonly zone: string) {}

  /** Takes over what the server says. */
  set({ now, stands }: { readonly now: string; readonly stands: boolean }): void {
    const moment = Date.parse(now)
    this.#ahead = moment - Date.now()
    this.#stoodAt = stands ? moment : undefined
  }

  /** The wall time, `YYYY-MM-DD HH:MM:SS`. */
  get wall(): string {
    return wallAt(this.#stoodAt ?? Date.now() + this.#ahead, this.zone)
  }

  get today(): string {
    return this.wall.slice(0, 10)
  }
}
