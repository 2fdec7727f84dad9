/**
 * The records that are created on a server while it is compared, so that they can be removed again, and no other record is written. Input:
 * the requests that are sent, and their answers. Output: whether a request may be sent, and what could not be removed.
 */

import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { resources } from '../../contract/contract.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { isWrite, obeyedMethod, obeyedRoute } from '../../contract/received-request.ts'
import { type Resource, titleOf } from '../../contract/resource.ts'

/** How a server is written to. */
interface Site {
  readonly send: Transport
  readonly namespace: string
  /** The headers of whoever may write. */
  readonly headers: Readonly<Record<string, string>>
}

/** A kind of record; images have a route only in WordPress's own API. */
type Collection = Pick<Resource, 'wordpress'> & { readonly resource?: Resource }

interface OwnRecord extends Collection {
  readonly id: number
}

const collections: readonly Collection[] = [
  ...resources.map(resource => ({ resource, wordpress: resource.wordpress })),
  { wordpress: 'media' },
]

/** Records that a request links by name: a server creates those that do not exist. */
interface Named {
  readonly resource: Resource
  readonly name: string
  /** The records that are linked by ID in the same field. */
  readonly ids: ReadonlySet<number>
  /** The records that a search for the name found before the request. */
  readonly known: ReadonlySet<number>
}

export class OwnRecords {
  readonly #site: Site
  readonly #records = new Map<string, OwnRecord>()
  /** The routes of records that remain in the trash, and of those that remain because they may have existed before. */
  readonly trashed: string[] = []
  readonly left: string[] = []
  #named: readonly Named[] = []

  constructor(site: Site) {
    this.#site = site
  }

  /** Whether a write only changes records that were created here: a new record, one of these, or one that does not exist. */
  async maySend(request: Request): Promise<boolean> {
    const place = placeOf(obeyedRoute(request) ?? request.path, this.#site.namespace)
    if (!place) return false
    this.#named = await this.#namedIn(place.collection, request)
    if (place.rest === '') return true
    if (this.#records.has(keyOf(place.collection, Number(place.rest)))) return true
    return this.#isNowhere(place)
  }

  /** Remembers what a request created; one that was refused may have created the records to which it links. */
  async note(request: Request, { status, body }: Response): Promise<void> {
    if (!isWrite(request)) return
    const place = placeOf(obeyedRoute(request) ?? request.path, this.#site.namespace)
    const record = status < 300 ? dataIn(body) : undefined
    for (const named of this.#named) await this.#noteNamed(named, record)
    this.#named = []
    if (obeyedMethod(request) === 'POST' && place?.rest === '' && typeof record?.id === 'number')
      this.#add({ ...place.collection, id: record.id })
  }

  /** Only a record that a search finds after the request, but not before, is certainly new. */
  async #noteNamed({ resource, name, known, ids }: Named, record: Body = {}): Promise<void> {
    const found = await this.#find(resource, name)
    const created = found.filter(one => hasName(resource, one, name)).map(idOf)
    for (const id of created) if (!known.has(id)) this.#add({ resource, wordpress: resource.wordpress, id })
    for (const id of objectsIn(record[linkedFields[resource.name] ?? '']).map(idOf)) {
      const isOwn = this.#records.has(keyOf(resource, id))
      const route = `/${resource.name}/${id}`
      if (!known.has(id) && !ids.has(id) && !isOwn && !this.left.includes(route)) this.left.push(route)
    }
  }

  /** Deletes the records permanently, the newest first. Those that could not be removed are then in `trashed` and `left`. */
  async remove(): Promise<void> {
    for (const record of [...this.#records.values()].toReversed()) {
      const end = await this.#removeOne(record).catch(() => 'left')
      if (end === 'trashed') this.trashed.push(routeOf(record))
      if (end === 'left') this.left.push(routeOf(record))
    }
    this.#records.clear()
  }

  async #removeOne({ resource, wordpress, id }: OwnRecord): Promise<'gone' | 'trashed' | 'left'> {
    const forGood = await this.#delete(`/wp/v2/${wordpress}/${id}`, 'force=true')
    if (isGone(forGood) || !resource) return isGone(forGood) ? 'gone' : 'left'
    const path = `/${this.#site.namespace}/${resource.name}/${id}`
    await this.#delete(path)
    const { status, body } = await this.#get(path)
    const isTrashed = dataIn(body)?.status === 'trash'
    if (status < 400 && !isTrashed) return 'left'
    return resource.trashable ? 'trashed' : 'gone'
  }

  async #get(path: string, query?: string): Promise<Response> {
    const { send, headers } = this.#site
    return send({ method: 'GET', path, headers, ...(query !== undefined && { query }) })
  }

  async #delete(path: string, query?: string): Promise<Response> {
    const { send, headers } = this.#site
    return send({ method: 'DELETE', path, headers, ...(query !== undefined && { query }) })
  }

  #add(record: OwnRecord): void {
    this.#records.set(keyOf(record, record.id), record)
  }

  /** Whether neither API has a record at this place. */
  async #isNowhere({ collection: { resource, wordpress }, rest }: Place): Promise<boolean> {
    const paths = [`/wp/v2/${wordpress}/${rest}`]
    if (resource) paths.push(`/${this.#site.namespace}/${resource.name}/${rest}`)
    for (const path of paths) if ((await this.#get(path)).status < 400) return false
    return true
  }

  async #namedIn({ resource }: Collection, { body }: Request): Promise<readonly Named[]> {
    const fields = resource?.name === 'events' ? dataIn(body) : undefined
    if (!fields) return []
    const names = resources.flatMap(other => namesOf(other, fields).map(named => ({ resource: other, ...named })))
    return Promise.all(
      names.map(async named => ({
        ...named,
        known: new Set((await this.#find(named.resource, named.name)).map(idOf)),
      })),
    )
  }

  async #find(resource: Resource, name: string): Promise<readonly Body[]> {
    const withEmpty = resource.trashable ? undefined : { hide_empty: 'false' }
    const query = new URLSearchParams({ per_page: '50', search: name, ...withEmpty })
    const { body } = await this.#get(`/${this.#site.namespace}/${resource.name}`, query.toString())
    return objectsIn(dataIn(body)?.[resource.name])
  }
}

type Body = Readonly<Record<string, unknown>>

/** The field by which an event links to records of a kind. */
const linkedFields: Readonly<Record<string, string>> = {
  venues: 'venue',
  organizers: 'organizer',
  categories: 'categories',
  tags: 'tags',
}

/** The names by which the fields of an event link to records of a kind, each with the IDs in the same field. */
function namesOf(resource: Resource, fields: Body): Pick<Named, 'name' | 'ids'>[] {
  const links = [fields[linkedFields[resource.name] ?? '']].flat()
  const texts = links.flatMap(link => {
    if (isObject(link)) return [String(link.id ?? titleOf(resource, link))]
    return String(link ?? '').split(',')
  })
  const names = texts.map(text => text.trim()).filter(text => /\D/.test(text))
  return names.map(name => ({ name, ids: new Set(texts.map(Number)) }))
}

const idOf = ({ id }: Body): number => Number(id)

const objectsIn = (value: unknown): Body[] => [value].flat().filter(isObject)

const hasName = (resource: Resource, record: Body, name: string): boolean =>
  decodeEntities(titleOf(resource, record)).trim() === name

interface Place {
  readonly collection: Collection
  /** What comes after the collection in a path: an ID, `by-slug/…`, or nothing. */
  readonly rest: string
}

function placeOf(path: string, namespace: string): Place | undefined {
  for (const collection of collections)
    for (const route of [`/wp/v2/${collection.wordpress}/`, `/${namespace}/${collection.resource?.name}/`])
      if (`${path}/`.toLowerCase().startsWith(route.toLowerCase()))
        return { collection, rest: path.slice(route.length).replace(/\/$/, '') }
  return undefined
}

const keyOf = ({ wordpress }: Collection, id: number): string => `${wordpress} ${id}`

const routeOf = ({ resource, wordpress, id }: OwnRecord): string => `/${resource?.name ?? wordpress}/${id}`

/** Whether a record is removed, or was before; a site without this route answers 404 as well. */
const isGone = ({ status, body }: Response): boolean =>
  status < 300 || status === 410 || (status === 404 && dataIn(body)?.code !== 'rest_no_route')

function dataIn(body: unknown): Body | undefined {
  try {
    const data: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString())
    return isObject(data) ? data : undefined
  } catch {
    return undefined
  }
}
