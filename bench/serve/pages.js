// Pages that vary: each begins on another day, so that nothing of an earlier answer can be used as it is.

const day = 86_400_000
/** The calendars of `calendar.js` begin two years before today; the last half a year is left out, so that no page is past the end. */
const days = 1278

/** The query of the page with this number, of a calendar of `size` events. `requests.lua` makes the same ones. */
export function pageQuery(number, size) {
  const first = Math.floor(Date.now() / day) - 730
  const pages = Math.max(1, Math.min(5, Math.floor(size / 400)))
  const start = new Date((first + ((number * 7919) % days)) * day).toISOString().slice(0, 10)
  return `?per_page=50&start_date=${start}&page=${1 + (number % pages)}`
}
