/**
 * Sends a site the requests of a recording: every list, filter, order and mistake of the contract and, with `writes`, also writes to
 * records of its own, which it deletes again. Input: how to reach the site. Output: the exchanges, without secrets.
 */

import { isObject } from '../../base/text/json.ts'
import { resources } from '../../contract/contract.ts'
import type { Transport } from '../../contract/exchange.ts'
import { isDateFilter } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { type Exchange, pathBelowRoot, type Recording, recordedForm, withoutSecrets } from './recording.ts'

/** A site to record. */
export interface RecordedSite {
  readonly send: Transport
  readonly baseUrl: string
  readonly namespace: string
  /** The headers for visitors, and for a user: if there is one, reads are sent as both. */
  readonly headers: { readonly public: Headers; readonly user: Headers | undefined }
  readonly zone: string
  readonly now: Date
}

type Headers = Readonly<Record<string, string>>

type Body = Readonly<Record<string, unknown>>

/** Sends a request, and remembers the answer under a name. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Body>

/** Records the answers of a site; with `writes`, also to writes to records of its own. */
export async function recordSite(site: RecordedSite, { writes }: { readonly writes: boolean }): Promise<Recording> {
  const steps: Exchange[] = []
  for (const isUser of site.headers.user ? [false, true] : [false]) {
    const ask = askFor(site, steps, isUser)
    await ask('GET', '/wp-json/wp/v2/types')
    for (const resource of resources) await askForRecords(ask, resource)
  }
  if (writes) await writeOwnRecords(askFor(site, steps, site.headers.user !== undefined))
  return { group: new URL(site.baseUrl).host, start: 'site', zone: site.zone, clock: site.now.toISOString(), steps }
}

function askFor({ send, baseUrl, namespace, headers }: RecordedSite, steps: Exchange[], isUser: boolean): Ask {
  return async (method, path, body) => {
    const [route = '', query] = path.split('?')
    const json: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': 'application/json' }
    const request = {
      method,
      path: pathBelowRoot(route, namespace),
      ...(query !== undefined && { query }),
      headers: { ...json, ...(isUser ? headers.user : headers.public) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const answer = recordedForm(await send(request), baseUrl)
    steps.push({
      name: `${steps.length + 1} ${isUser ? 'user' : 'public'} ${method} ${path}`,
      request: {
        method,
        path,
        headers: { ...json, ...(isUser && { authorization: 'Basic <admin>' }) },
        ...(body !== undefined && { body: withoutSecrets(body) }),
      },
      response: { ...answer, body: withoutSecrets(answer.body) },
    })
    return isObject(answer.body) ? answer.body : {}
  }
}

const unknownId = 99_999_999

async function askForRecords(ask: Ask, resource: Resource): Promise<void> {
  const { name, keys, wordpress } = resource
  const everything = await ask('GET', `/${name}?per_page=5${name === 'events' ? '&starts_after=1000-01-01' : ''}`)
  const records = [everything[name]].flat().filter(isObject)
  for (const query of ['', ...listQueries(resource, records[0])]) await ask('GET', `/${name}${query}`)
  for (const { id } of records.slice(0, 3)) await ask('GET', `/${name}/${id}`)
  for (const id of [unknownId, 0, 'x']) await ask('GET', `/${name}/${id}`)
  if (keys.includes('slug')) {
    for (const { slug } of records.slice(0, 2)) await ask('GET', `/${name}/by-slug/${slug}`)
    await ask('GET', `/${name}/by-slug/there-is-no-such-thing`)
  }
  await ask('GET', `/wp-json/wp/v2/${wordpress}?per_page=2&_fields=id,slug`)
}

/** Queries for every filter of a resource, right and wrong, and for its pages. */
function listQueries({ filters }: Resource, example: Body = {}): string[] {
  const paging = ['?per_page=2', '?per_page=2&page=2', '?page=999', '?page=0', '?per_page=0', '?per_page=x']
  const filtered = Object.entries(filters).flatMap(([name, filter]) => {
    const { kind, choices, compare } = { choices: undefined, ...filter }
    if (isDateFilter(filter))
      return [String(example.start_date ?? '2030-01-01').slice(0, 10), 'x'].map(value => `?${name}=${value}`)
    if (compare === 'include') return [`?${name}=${example.id ?? 1}`, `?${name}=${unknownId}`]
    if (choices) return [...choices, 'x'].map(value => `?${name}=${value}`)
    if (kind.shape === 'flag') return ['true', 'false'].map(value => `?${name}=${value}`)
    if (kind.shape === 'links' || kind.shape === 'number') return [`?${name}=1`]
    return [`?${name}=${encodeURIComponent(String(example.title ?? example.name ?? 'a').slice(0, 4))}`]
  })
  return [...paging, ...filtered]
}

const event = { start_date: '2031-05-10 19:00:00', end_date: '2031-05-10 21:00:00' }

/** Creates, changes and removes a record of each kind, and makes the mistakes that a server has to refuse. */
async function writeOwnRecords(ask: Ask): Promise<void> {
  const terms = ['tags', 'categories'] as const
  const own: string[] = []
  const create = async (route: string, body: Body) => {
    const { id } = await ask('POST', route, body)
    if (typeof id === 'number') own.push(`${route}/${id}`)
    return id
  }
  try {
    const venue = await create('/venues', { venue: 'calctl verify hall', city: 'Girona', show_map: false })
    const organizer = await create('/organizers', { organizer: 'calctl verify club', email: 'verify@calendar.test' })
    for (const kind of terms) await create(`/${kind}`, { name: `calctl verify ${kind}` })
    const id = await create('/events', { ...event, title: 'calctl verify event' })
    await create('/events', { ...event, title: 'calctl verify draft', status: 'draft', all_day: true })
    await create('/events', { ...event, title: 'calctl verify links', venue, organizer, cost: '12,50', featured: true })
    await ask('GET', `/events/${id}`)
    await ask('POST', `/events/${id}`, { title: 'calctl verify changed', website: 'https://calendar.test/verify' })
    await ask('GET', `/events/${id}`)
    for (const mistake of [
      {},
      { title: 'x' },
      { ...event, title: 'x', start_date: 'soon' },
      { ...event, title: 'x', end_date: '2031-05-09 19:00:00' },
      { ...event, title: 'x', status: 'x' },
      { ...event, title: 'x', timezone: 'Nowhere/Town' },
    ])
      await create('/events', mistake)
    await ask('POST', `/events/${unknownId}`, { title: 'x' })
    await ask('DELETE', `/events/${unknownId}`)
  } finally {
    for (const route of own.toReversed()) await ask('DELETE', route)
  }
}
