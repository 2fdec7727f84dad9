// Pages that vary: each begins on another day, so that nothing of an earlier answer can be used as it is.

const day = 86_400_000
/** The calendars of `calendar.js` begin two years before today; the last half a year is left out, so that no page is past the end. */
const days = 1278

/** The query of the page with this number. `requests.lua` makes the same ones. */
export function pageQuery(number, now = Date.now()) {
  const first = Math.floor(now / day) - 730
  const start = new Date((first + ((number * 7919) % days)) * day).toISOString().slice(0, 10)
  return `?per_page=50&start_date=${start}&page=${1 + (number % 5)}`
}
