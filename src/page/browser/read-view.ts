/** An event of the API, as far as the page shows it. */
export interface PageEvent {
  readonly id: number
  readonly title: string
  readonly url: string
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

/** What a view asks for. */
export interface CalendarView {
  /** Days, the last one not included. */
  readonly from: string
  readonly until: string
  readonly search: string
  readonly category: string
  readonly language: string
}

/** The query of a view: whatever is on in its days, also what began before. */
export function queryOf({ from, until, search, category, language }: CalendarView): URLSearchParams {
  const query = new URLSearchParams({ ends_after: dayBefore(from), starts_before: dayBefore(until), per_page: '50' })
  if (search !== '') query.set('search', search)
  if (category !== '') query.set('categories', category)
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
