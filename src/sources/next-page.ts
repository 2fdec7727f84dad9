import { ignoreErrors } from '../base/attempt.ts'
import { isObject } from '../base/text/json.ts'

/** How many events Socrata gives without a `$limit`. */
const socrataPage = 1000

/** The address of the next page of open data, as Socrata (`$offset`) and OpenAgenda (`after`) have them; undefined after the last one. */
export function nextPage(address: URL, bytes: Uint8Array): URL | undefined {
  const isSocrata = /^\/resource\/[\w-]+\.json$/.test(address.pathname)
  const isAgenda = /\/agendas\/[\w-]+\/events(\.json)?$/.test(address.pathname)
  if (!isSocrata && !isAgenda) return undefined
  const answer: unknown = ignoreErrors(() => JSON.parse(Buffer.from(bytes).toString()))
  if (isSocrata) return Array.isArray(answer) ? nextOffset(address, answer.length) : undefined
  if (!isObject(answer) || !Array.isArray(answer.after) || !Array.isArray(answer.events)) return undefined
  const { after, events } = answer
  if (events.length === 0 || after.length === 0 || after.some(value => value === null)) return undefined
  return withParameters(
    address,
    /^after(\[\]|%5B%5D)?=/i,
    after.map(value => `after[]=${encodeURIComponent(String(value))}`),
  )
}

function nextOffset(address: URL, count: number): URL | undefined {
  const { searchParams } = address
  const limit = Number(searchParams.get('$limit') ?? socrataPage)
  if (count === 0 || count < limit) return undefined
  const offset = Number(searchParams.get('$offset') ?? 0) + count
  return withParameters(address, /^(\$|%24)offset=/, [`$offset=${offset}`])
}

/** An address with other values of a parameter; the others stay as they were written. */
function withParameters(address: URL, name: RegExp, values: readonly string[]): URL {
  const next = new URL(address)
  const others = next.search.replace(/^\?/, '').split('&')
  next.search = [...others.filter(pair => pair !== '' && !name.test(pair)), ...values].join('&')
  return next
}
