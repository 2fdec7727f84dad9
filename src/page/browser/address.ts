import { isDrawable, type ViewName, viewNames } from './calendar-days.ts'
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
  const date = asked.get('date') ?? `${asked.get('month')}-01`
  const filters = filterNames.map(name => [name, asked.get(name) ?? ''] as const)
  return {
    view: viewNames.find(name => name === asked.get('view')),
    date: isDrawable(date) ? date : undefined,
    language: pageLanguages.find(name => name === asked.get('lang')),
    search: asked.get('search') ?? '',
    filters: Object.fromEntries(filters.filter(([name, value]) => isValue(name, value))),
    event: /^\d+$/.exec(asked.get('event') ?? '')?.[0],
  }
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
