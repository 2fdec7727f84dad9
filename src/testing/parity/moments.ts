/** Times in answers that come from the clock of the server, not from an event. A text is compared as it is, and then with these renamed. */
export interface Moments {
  recorded(text: string): string
  played(text: string): string
}

/** How many years ahead The Events Calendar lists events by default. */
const yearsListed = 2

const times = /(\d{4}-\d\d-\d\d)(?:[ T+]|%20)(\d\d(?:(?::|%3A)\d\d){2})/gi

const minute = 60_000

/** The largest distance of a zone from UTC, in hours, plus one. */
const farthest = 15

/**
 * Replaces times near a clock by their distance from it in hours, in any zone. A request may come 55 minutes after `start`, or 25 in a zone
 * with half an hour.
 */
export const besideClock = (start: Date) => (text: string) =>
  text.replaceAll(times, (time: string, day: string, ofDay: string) => {
    const moment = Date.parse(`${day}T${ofDay.replaceAll(/%3A/gi, ':')}Z`)
    for (const years of [0, yearsListed]) {
      const clock = new Date(start).setUTCFullYear(start.getUTCFullYear() + years)
      const hours = Math.floor((moment - clock + 5 * minute) / (60 * minute))
      if (Math.abs(hours) <= farthest) return `now ${years} ${hours}`
    }
    return time
  })
