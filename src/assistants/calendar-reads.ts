import { resourceNamed, resources } from '../contract/contract.ts'
import type { Request } from '../contract/exchange.ts'
import type { Field, ResourceName } from '../contract/field.ts'
import { paging } from '../contract/filter.ts'
import { isLanguage } from '../contract/languages.ts'

/** The filters of events that the page sends; it reads the other lists whole. */
const eventFilters = [
  ...['starts_after', 'starts_before', 'ends_after', 'strict_dates', 'search', 'status'],
  ...['categories', 'tags', 'venue', 'organizer'],
]

/**
 * A request of our own for what the page asks: a list, with the parameters that the page has, and values that the contract has. `path` is
 * below the namespace. Undefined for another list; `invalid` for any other parameter or value.
 */
export function calendarRead(namespace: string, path: string, query: string): Request | 'invalid' | undefined {
  const name = resources.find(one => path === `/${one.name}`)?.name
  if (name === undefined) return undefined
  const own = new URLSearchParams()
  for (const [key, text] of new URLSearchParams(query)) {
    const value = parameterOf(name, key, text)
    if (value === undefined || own.has(key)) return 'invalid'
    own.set(key, value)
  }
  return { method: 'GET', path: `/${namespace}/${name}`, query: own.toString() }
}

function parameterOf(name: ResourceName, key: string, text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return undefined
  if (key === 'context') return text === 'view' ? text : undefined
  if (key === 'lang_code') return isLanguage(text) ? text : undefined
  const { filters } = resourceNamed(name)
  const known: Readonly<Record<string, Field>> = name === 'events' && eventFilters.includes(key) ? filters : paging
  const field = Object.hasOwn(known, key) ? known[key] : undefined
  const value = field?.kind.read(text, field)
  return value === undefined || value === '' ? undefined : String(value)
}
