import { isObject } from '../base/text/json.ts'
import type { Request, Transport } from '../contract/exchange.ts'
import type { Answer, Resource } from '../contract/resource.ts'

/** Where pages read from: the API alone. */
export interface PageSource {
  readonly service: Transport
  readonly namespace: string
  /** The address of the API, which pages name and link to. */
  readonly baseUrl: string
  /** Who reads what the public does not see: everybody, users who sign in, or nobody. */
  readonly access: 'everybody' | 'users' | 'nobody'
  now(): Date
}

type Query = Readonly<Record<string, string>>

/** A record that the public may read, by its slug; the status of the refusal otherwise. */
export async function publicRecord(
  source: PageSource,
  { name, keys }: Resource,
  slug: string,
  query: Query = {},
): Promise<Answer | number> {
  if (!keys.includes('slug')) return (await termWith(source, name, slug, query)) ?? 404
  const { status, body } = await source.service(readOf(`/${source.namespace}/${name}/by-slug/${slug}`, query))
  if (status !== 200) return status
  const record = JSON.parse(String(body)) as Answer
  // A service without users shows everything to everybody.
  return isPublic(record) ? record : 404
}

/** The API has no slugs in the routes of categories and tags. */
async function termWith(source: PageSource, name: string, slug: string, query: Query): Promise<Answer | undefined> {
  for await (const term of listed(source, name, { ...query, hide_empty: 'false' })) if (term.slug === slug) return term
  return undefined
}

/** The events that the public sees, oldest first. */
export async function* publicEvents(source: PageSource, query: Query): AsyncGenerator<Answer> {
  for await (const event of listed(source, 'events', { ...query, status: 'publish' })) if (isPublic(event)) yield event
}

/** The records of all pages of a list. */
async function* listed({ service, namespace }: PageSource, name: string, query: Query): AsyncGenerator<Answer> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const paged = { ...query, per_page: '50', page: String(page) }
    const { status, body } = await service(readOf(`/${namespace}/${name}`, paged))
    const list: unknown = status === 200 ? JSON.parse(String(body)) : {}
    const records = isObject(list) ? list[name] : undefined
    if (!isObject(list) || !Array.isArray(records)) return
    pages = Number(list.total_pages)
    yield* records
  }
}

const readOf = (path: string, query: Query): Request => ({
  method: 'GET',
  path,
  query: new URLSearchParams(query).toString(),
  headers: { accept: 'application/json' },
})

/** A protected event has no flags for those who do not know its password. */
const isPublic = ({ status, all_day }: Answer): boolean => (status ?? 'publish') === 'publish' && all_day !== null
