/** Times in answers that come from a server's clock, and not from an event. A text is compared as it is, and then with these renamed. */
export interface Moments {
  recorded(text: string): string
  played(text: string): string
}

/** How many years ahead of now The Events Calendar lists events, unless it is asked for a date. */
const yearsListed = 2

const times = /(\d{4}-\d\d-\d\d)(?:[ T+]|%20)(\d\d(?:(?::|%3A)\d\d){2})/gi

const minute = 60_000

/** The widest distance of a zone from UTC, in hours, and one more. */
const farthest = 15

/**
 * Names times near a clock by how many hours they are from it, in any zone. A request may come 55 minutes after `start`, or 25 where the
 * zone is half an hour off.
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
