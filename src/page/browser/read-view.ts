/** An event of the API, as far as the page shows it. */
export interface PageEvent {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly slug: string
  readonly status: string
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean | null
  readonly cost: string
  readonly description: string
  readonly event_status?: string
  readonly image: { readonly url: string; readonly alt?: string } | false
  readonly venue: Place | readonly Place[]
  readonly categories: readonly { readonly id: number; readonly name: string }[]
}

interface Place {
  readonly venue?: string
  readonly address?: string
  readonly city?: string
}

/** The filters of the API that the page offers, with the resources that they name. */
export const filterResources = {
  categories: 'categories',
  tags: 'tags',
  venue: 'venues',
  organizer: 'organizers',
} as const
export type FilterName = keyof typeof filterResources

/** What a view asks for. */
export interface CalendarView {
  /** Days, the last one not included. */
  readonly from: string
  readonly until: string
  readonly search: string
  /** IDs, by the filters of the API. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
  readonly language: string
}

/** The query of a view: whatever is on in its days, also what began before. */
export function queryOf({ from, until, search, filters, language }: CalendarView): URLSearchParams {
  const query = new URLSearchParams({ ends_after: dayBefore(from), starts_before: dayBefore(until), per_page: '50' })
  if (search !== '') query.set('search', search)
  for (const [name, id] of Object.entries(filters)) if (id !== '') query.set(name, id)
  query.set('lang_code', language)
  return query
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

interface Answer {
  readonly events: readonly PageEvent[]
  readonly total_pages: number
}

/** All pages of a view, read one after another; throws if the server refuses or does not answer. */
export async function readView(api: string, view: CalendarView): Promise<readonly PageEvent[]> {
  const events: PageEvent[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = queryOf(view)
    if (page > 1) query.set('page', String(page))
    const response = await fetch(`${api}/events?${query}`, { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(String(response.status))
    const answer = (await response.json()) as Answer
    events.push(...answer.events)
    pages = answer.total_pages
  }
  return events
}

/** An event in another language, which has its slug and its day there; undefined if there is none. */
export async function translationOf(
  api: string,
  { slug, start_date }: PageEvent,
  language: string,
): Promise<PageEvent | undefined> {
  const from = start_date.slice(0, 10)
  const until = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10)
  const events = await readView(api, { from, until, search: '', filters: {}, language })
  return events.find(event => event.slug === slug)
}

/** The records of a kind, by name: those of the first page. */
export async function readChoices(
  api: string,
  filter: FilterName,
  language: string,
): Promise<[id: string, name: string][]> {
  const resource = filterResources[filter]
  const response = await fetch(`${api}/${resource}?per_page=50&lang_code=${language}`)
  if (!response.ok) return []
  const answer = (await response.json()) as Record<string, Choice[] | undefined>
  return (answer[resource] ?? [])
    .map((one): [string, string] => [String(one.id), textOfHtml(one.name ?? one.venue ?? one.organizer ?? '')])
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
}

interface Choice {
  readonly id: number
  readonly name?: string
  readonly venue?: string
  readonly organizer?: string
}

/** A text of the API without its markup and entities. A text area reads entities, and no markup. */
export function textOfHtml(html: string): string {
  const area = document.createElement('textarea')
  area.innerHTML = html.replaceAll(/<\/p>|<br\s*\/?>/gi, '\n').replaceAll(/<\/?[a-z][^>]*>/gi, '')
  return area.value.trim()
}

/** The place of an event in a line. */
export function eventPlace({ venue }: PageEvent): string {
  const place = Array.isArray(venue) ? venue[0] : (venue as Place | undefined)
  return [place?.venue, place?.address, place?.city]
    .filter(Boolean)
    .map(text => textOfHtml(String(text)))
    .join(', ')
}
