import { setImmediate } from 'node:timers/promises'
import { ignoreErrors } from '../base/attempt.ts'
import { grouped } from '../base/groups.ts'
import { plainText } from '../base/text/escaping.ts'
import { isObject, objectsIn } from '../base/text/json.ts'
import { isListed, isPublicRecord, withPublicLinks } from '../client/adapters/secret-values.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'

/** The source of pages: only the API. */
export interface PageSource {
  readonly service: Transport
  readonly namespace: string
  /** The address of the API, which pages show and link to. */
  readonly baseUrl: string
  /** Who sees what is not public: everybody, users who sign in, or nobody. */
  readonly access: 'everybody' | 'users' | 'nobody'
  readonly site: {
    /** The name of the calendar; by default its host. */
    readonly name?: string | undefined
    readonly language: Language
    readonly timezone: string
  }
  /** Whether it answers as a site of The Events Calendar, with its addresses of files. */
  readonly quirks?: boolean
  /** Differs after each change: what the page reads is of this version, or of a later one that it will be told of. */
  version?(): number
  /** A plan that the page shows together with the calendar: its `changes`, and whether the page `asks` about it. */
  readonly plan?: object
  now(): Date
  /** Whether the clock was stopped at that time. */
  clockStands?(): boolean
}

type Query = Readonly<Record<string, string>>

/** The API refused a request of a page; `response` is how. */
export class RefusedByApi extends Error {
  constructor(readonly response: Response) {
    super(`the API answered ${response.status}`)
  }
}

/** A public record by ID, or by slug in its stored form; otherwise the status of the refusal. */
export async function publicRecord(
  source: PageSource,
  resource: Resource,
  key: { readonly id: string } | { readonly slug: string },
  query: Query = {},
): Promise<Answer | number> {
  const { name, keys } = resource
  if ('slug' in key && !keys.includes('slug')) return (await termWith(source, name, key.slug, query)) ?? 404
  const place = 'slug' in key ? `by-slug/${encodeURIComponent(key.slug)}` : key.id
  const { status, body } = await source.service(readOf(`/${source.namespace}/${name}/${place}`, query))
  if (status !== 200) return status
  const record = JSON.parse(String(body)) as Answer
  // A service without users shows everything to everybody.
  return isPublicRecord(resource, record) ? withPublicLinks(resource, record) : 404
}

/** The API has no slugs in the routes of categories and tags. */
async function termWith(source: PageSource, name: string, slug: string, query: Query): Promise<Answer | undefined> {
  for await (const term of listed(source, name, { ...query, hide_empty: 'false', slug }))
    if (term.slug === slug) return term
  return undefined
}

/** The events that anybody can find in a list, oldest first. */
export async function* publicEvents(source: PageSource, query: Query): AsyncGenerator<Answer> {
  const events = resourceNamed('events')
  for await (const event of listed(source, 'events', { ...query, status: 'publish' }))
    if (isListed(events, event)) yield withPublicLinks(events, event)
}

/** The records of all pages of a list; throws `RefusedByApi`. */
async function* listed({ service, namespace }: PageSource, name: string, query: Query): AsyncGenerator<Answer> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await service(readOf(`/${namespace}/${name}`, { ...query, per_page: '50', page: String(page) }))
    // A page after the last one: a record was removed in the meantime.
    if (response.status === 404 && page > 1) return
    const list: unknown = response.status === 200 ? JSON.parse(String(response.body)) : undefined
    const records = isObject(list) ? list[name] : undefined
    if (!isObject(list) || !Array.isArray(records)) throw new RefusedByApi(response)
    pages = Number(list.total_pages)
    yield* records
    // The service answers without waiting, so others get their turn between two pages.
    await setImmediate()
  }
}

/** The town in which most of the first venues are; empty if none says it, or if the calendar has its name. */
export async function townIn({ service, namespace, site }: PageSource): Promise<string> {
  const { body } = await service(readOf(`/${namespace}/venues`, { per_page: '50' }))
  const [list] = objectsIn(ignoreErrors((): unknown => JSON.parse(String(body))))
  const cities = objectsIn(list?.venues).flatMap(({ city }) => plainText(city) || [])
  const [[town] = ['']] = [...grouped(cities, city => city)].toSorted(([, one], [, other]) => other.length - one.length)
  return town.toLowerCase() === site.name?.toLowerCase() ? '' : town
}

/** As visitors see them: an editor would get protected events whole. */
const readOf = (path: string, query: Query): Request => ({
  method: 'GET',
  path,
  query: new URLSearchParams({ context: 'view', ...query }).toString(),
  headers: { accept: 'application/json' },
})

export const calendarTitle = ({ site, baseUrl }: PageSource): string => site.name ?? new URL(baseUrl).host
