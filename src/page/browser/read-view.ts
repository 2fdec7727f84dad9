import { plainText } from '../../base/text/escaping.ts'
import { dayAfter } from '../../base/time/dates.ts'
import type { Answer } from '../../contract/resource.ts'

/** An event of the API, as far as the page shows it. */
export interface PageEvent extends Answer {
  readonly title: string
  readonly url: string
  readonly slug: string
  readonly status: string
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean | null
  readonly description: string
  readonly hide_from_listings?: boolean
  readonly website?: string
  readonly image: { readonly url: string; readonly alt?: string } | false
  readonly organizer?: readonly { readonly organizer: string }[]
}

/** The filters of the API that the page offers, with the resources that they name. */
const filterResources = {
  categories: 'categories',
  tags: 'tags',
  venue: 'venues',
  organizer: 'organizers',
} as const
export type RecordFilter = keyof typeof filterResources
export type FilterName = RecordFilter | 'status'
export const filterNames = [...(Object.keys(filterResources) as RecordFilter[]), 'status'] as const

/** The statuses by which events can be chosen. */
export const statusChoices = ['publish', 'draft', 'pending', 'private', 'future']

/** The request of a view. */
export interface CalendarView {
  /** A span of days without the last one. */
  readonly from: string
  readonly until: string
  readonly search: string
  /** IDs, or a status, by the filters of the API. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
  readonly language: string
  /** Whether the reader sees more than the public. */
  readonly readsAll: boolean
}

/**
 * Whether the public sees an event in a list; for others, who see more, it is marked. An event with a password has no flags for readers who do not know the
 * password.
 */
export const isPublic = ({ status, all_day, hide_from_listings }: PageEvent): boolean =>
  status === 'publish' && all_day !== null && hide_from_listings !== true

/** The query of a view: everything that takes place on its days, including events that began before. */
export function queryOf({ from, until, search, filters, language, readsAll }: CalendarView): URLSearchParams {
  const query = new URLSearchParams({
    ends_after: dayAfter(from, -1),
    starts_before: dayAfter(until, -1),
    per_page: largestPage,
  })
  if (search !== '') query.set('search', search)
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value)
  query.set('lang_code', language)
  // With this, events with a password can be told from others.
  query.set('context', 'view')
  // A server without users answers everything to everybody.
  if (!readsAll) query.set('status', 'publish')
  return query
}

/** How many records the API gives at once. */
const largestPage = '50'

/** A refusal in an answer. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(String(status))
  }
}

/** A page of a list. */
export interface ListAnswer {
  readonly total: number
  readonly total_pages: number
  readonly [name: string]: unknown
}

interface ListOptions {
  readonly signal?: AbortSignal
  readonly most?: number
  onFirst?(): void
}

/** Reads from the API, as the public or as the user who signed in. The password is kept only here. */
export class ApiReader {
  #authorization: string | undefined

  constructor(
    readonly root: string,
    /** The preview of a plan knows its page by a cookie; elsewhere only the user who signed in counts. */
    private readonly credentials: 'omit' | 'same-origin' = 'omit',
  ) {}

  /** Whether the API accepts this user, and then whether it shows what the public does not see; throws if it does not answer. */
  async signIn(user: string, password: string): Promise<'wrong' | 'reads all' | 'reads public'> {
    const bytes = new TextEncoder().encode(`${user}:${password}`)
    const authorization = `Basic ${btoa(String.fromCodePoint(...bytes))}`
    const drafts = new URLSearchParams({ per_page: '1', status: 'draft' })
    const { status } = await this.#fetch('events', drafts, authorization)
    if (status >= 500 || status === 429) throw new Refused(status)
    if (status === 401) return 'wrong'
    this.#authorization = authorization
    return status === 200 ? 'reads all' : 'reads public'
  }

  signOut(): void {
    this.#authorization = undefined
  }

  /**
   * All pages of a list, or `most` of them: the first one, then the others at the same time, while `onFirst` is called; `text` tells
   * whether it differs from an earlier list. Throws if the server refuses or does not answer.
   */
  async list(name: string, query: URLSearchParams, { signal, most, onFirst }: ListOptions = {}) {
    const pageAt = async (page: number): Promise<{ text: string; answer: ListAnswer }> => {
      const paged = new URLSearchParams(query)
      if (page > 1) paged.set('page', String(page))
      const response = await this.#fetch(name, paged, this.#authorization, signal)
      if (!response.ok) throw new Refused(response.status)
      const text = await response.text()
      return { text, answer: JSON.parse(text) as ListAnswer }
    }
    const first = await pageAt(1)
    const others = Array.from(
      { length: Math.max(0, Math.min(most ?? first.answer.total_pages, first.answer.total_pages) - 1) },
      (_, index) => pageAt(index + 2),
    )
    onFirst?.()
    const pages = [first, ...(await Promise.all(others))]
    return {
      records: pages.flatMap(({ answer }) => answer[name] as Answer[]),
      first: first.answer,
      text: pages.map(({ text }) => text).join('\n'),
    }
  }

  #fetch(name: string, query: URLSearchParams, authorization?: string, signal?: AbortSignal): Promise<Response> {
    const headers = { accept: 'application/json', ...(authorization && { authorization }) }
    const { root, credentials } = this
    return fetch(`${root}/${name}?${query}`, { headers, signal: signal ?? null, credentials, cache: 'no-store' })
  }
}

/** An event in another language, with the same slug and start; undefined if there is none. */
export async function translationOf(
  api: ApiReader,
  { slug, start_date }: PageEvent,
  language: string,
): Promise<PageEvent | undefined> {
  const query = new URLSearchParams({
    starts_after: secondsLater(start_date, -1),
    starts_before: secondsLater(start_date, 1),
    strict_dates: 'true',
    per_page: largestPage,
    lang_code: language,
  })
  const { records } = await api.list('events', query)
  return (records as PageEvent[]).find(event => event.slug === slug)
}

const secondsLater = (moment: string, seconds: number): string =>
  new Date(Date.parse(`${moment.replace(' ', 'T')}Z`) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The records of a kind that can be chosen. */
export async function recordsFor(api: ApiReader, filter: RecordFilter, language: string): Promise<Answer[]> {
  const query = new URLSearchParams({ per_page: largestPage, lang_code: language })
  return (await api.list(filterResources[filter], query)).records
}

/** Records by their IDs, in the order of their names. */
export const choicesOf = (records: readonly Answer[], language: string): [id: string, label: string][] =>
  records
    .map((one): [string, string] => [String(one.id), textOfHtml(one.name ?? one.venue ?? one.organizer)])
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))

/** The starts of the last event before the days of a view, and of the first one after them; undefined where there is none. */
export async function startsAround(api: ApiReader, view: CalendarView): Promise<(string | undefined)[]> {
  const read = async (limits: Readonly<Record<string, string>>) => {
    const { starts_before: _, ...rest } = Object.fromEntries(queryOf(view))
    const query = new URLSearchParams({ ...rest, ends_after: '1000-01-01', per_page: '1', ...limits })
    const { records, first } = await api.list('events', query, { most: 1 })
    return { start: (records as PageEvent[])[0]?.start_date, pages: first.total_pages }
  }
  const before = { starts_before: dayAfter(view.from, -1) }
  const [first, next] = await Promise.all([read(before), read({ starts_after: dayAfter(view.until, -1) })])
  const last = first.pages > 1 ? await read({ ...before, page: String(first.pages) }) : first
  return [last.start, next.start]
}

/** A text of the API without its markup and entities. */
export const textOfHtml = (html: unknown): string => plainText(html) ?? ''
