import { nearestDay, type ViewName, viewNames } from '../../files/print/view-days.ts'
import { type FilterName, filterNames, statusChoices } from './read-view.ts'
import { type PageLanguage, pageLanguages } from './words.ts'

/** Where somebody is on the page; it stands in its address. */
export interface Place {
  /** What is undefined is as it is on a page that was opened without it. */
  readonly view: ViewName | undefined
  readonly date: string | undefined
  readonly language: PageLanguage | undefined
  readonly search: string
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
  /** The ID of the event whose card is open. */
  readonly event: string | undefined
}

/** The place in a query; `month=2026-12` is its first day. What does not exist is left out. */
export function placeIn(query: string): Place {
  const asked = new URLSearchParams(query)
  const filters = filterNames.map(name => [name, asked.get(name) ?? ''] as const)
  return {
    view: viewNames.find(name => name === asked.get('view')),
    date: nearestDay(asked.get('date') ?? `${asked.get('month')}-01`),
    language: pageLanguages.find(name => name === asked.get('lang')),
    search: asked.get('search') ?? '',
    filters: Object.fromEntries(filters.filter(([name, value]) => isValue(name, value))),
    event: /^\d+$/.exec(asked.get('event') ?? '')?.[0],
  }
}

/** What was asked for and does not exist, by its names. */
export type Wrong = readonly (readonly [name: string, value: string])[]

/** What a query asks for that is not at a place; a name that the page does not know is nobody's mistake. */
export function wrongIn(query: string, place: Place): Wrong {
  const kept = new URLSearchParams(queryOfPlace(place))
  kept.set('month', kept.get('date')?.slice(0, 7) ?? '')
  const names = ['view', 'date', 'month', 'lang', 'event', ...filterNames]
  return [...new URLSearchParams(query)].filter(
    ([name, value]) => names.includes(name) && value !== '' && kept.get(name) !== value,
  )
}

const isValue = (name: FilterName, value: string): boolean =>
  name === 'status' ? statusChoices.includes(value) : /^\d+$/.test(value)

/** The query of a place. */
export function queryOfPlace({ view, date, language, search, filters, event }: Place): string {
  const chosen = Object.fromEntries(filterNames.map(name => [name, filters[name]]))
  const given = Object.entries({ view, date, lang: language, search, ...chosen, event }).filter(
    (pair): pair is [string, string] => !!pair[1],
  )
  return `?${new URLSearchParams(given)}`
}
