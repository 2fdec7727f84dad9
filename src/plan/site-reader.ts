import pMap from 'p-map'
import type { Client, Ref } from '../client/client.ts'
import { isTrashCode } from '../client/unavailable.ts'
import { type ListScope, wholeListQuery } from '../client/whole-list.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { largestPage } from '../contract/filter.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import { Failure } from '../failure.ts'
import { createRecordIndex, type RecordIndex } from './record-index.ts'
import { trimRecord } from './record-state.ts'

/** What is there: by slug or name, and what all of it is called. */
export interface RecordFinder {
  readonly site: string
  findByName(resource: Resource, language: Language | undefined, name: string): Promise<readonly Answer[]>
  /** Those whose names make this slug. */
  findBySlugOfName(resource: Resource, language: Language | undefined, slug: string): Promise<readonly Answer[]>
  /** Whether there is a record with this ID. */
  has(resource: Resource, language: Language | undefined, id: number): Promise<boolean>
  names(resource: Resource, language: Language | undefined): Promise<readonly string[]>
}

/** Reads a site by pages, whole lists each once. */
export interface SiteReader extends RecordFinder {
  readList(place: ListScope): Promise<RecordIndex>
  /** The records with these IDs, by ID; those that are not there are left out. */
  readByIds(place: ListScope, ids: readonly number[]): Promise<Map<number, Answer>>
  /**
   * The records with these slugs, by slug; one by one where the list is longer than there are slugs, `all` of which there may
   * be asked for in several goes.
   */
  readBySlugs(place: ListScope, slugs: readonly string[], all: number): Promise<(slug: string) => Answer | undefined>
  /** How many records there are of a resource. */
  count(resource: Resource): Promise<number>
}

const concurrency = 4

/** So many are read one by one: lists of venues and organizers cannot be narrowed, and may be long. */
const few = 3

/** Keeps what was read as long as a plan is made. */
export function createSiteReader(client: Client): SiteReader {
  const lists = new Map<string, Promise<RecordIndex>>()
  const sizes = new Map<Resource, number>()
  const longer = new Map<string, Promise<boolean>>()
  const named = new Map<string, Map<number, Promise<boolean>>>()
  const readWhole = async (place: ListScope): Promise<RecordIndex> => {
    const { resource, trashed } = place
    const there = createRecordIndex(resource)
    for await (const { records } of client.pages(resource, wholeListQuery(place)))
      for (const one of records) there.add(one)
    if (!trashed && !place.days) sizes.set(resource, (sizes.get(resource) ?? 0) + there.size)
    return there
  }
  const readList = (place: ListScope): Promise<RecordIndex> => {
    const list = lists.get(keyOf({ ...place, days: undefined })) ?? lists.get(keyOf(place)) ?? readWhole(place)
    lists.set(keyOf(place), list)
    return list
  }

  /** Some records; all there are where a list cannot be narrowed to some, or refuses an ID that is not there any more. */
  const readSome = async (place: ListScope, ids: readonly number[]): Promise<Iterable<Answer>> => {
    const isNarrowed = 'include' in place.resource.filters && !lists.has(keyOf(place))
    if (isNarrowed)
      try {
        return (await client.list(place.resource, wholeListQuery(place, { include: ids.join(',') }))).records
      } catch (error) {
        if (!(error instanceof Failure) || error.details.status !== 400) throw error
      }
    const there = await readList(place)
    return ids.flatMap(id => there.byId(id) ?? [])
  }

  /** A few are asked for one by one; where more are named, the list is read, which may leave out what is hidden. */
  const isThere = async (place: ListScope, id: number, asked: number): Promise<boolean> => {
    const there = asked > few || lists.has(keyOf(place)) ? await readList(place) : undefined
    return there?.byId(id) !== undefined || (await readOne(client, place, { id })).length > 0
  }

  const total = async (place: ListScope) =>
    (await client.list(place.resource, { ...wholeListQuery(place), per_page: 1 })).total
  /** Whether fewer requests read so many slugs one by one than the whole list. */
  const isLonger = (place: ListScope, slugs: number): Promise<boolean> => {
    if (place.trashed || lists.has(keyOf(place)) || !place.resource.keys.includes('slug')) return Promise.resolve(false)
    const decision = longer.get(keyOf(place)) ?? total(place).then(count => count / largestPage > slugs)
    longer.set(keyOf(place), decision)
    return decision
  }

  return {
    site: client.site,
    readList,
    async readByIds(place, ids) {
      const found = new Map<number, Answer>()
      const missing = new Set(ids)
      const keep = (records: Iterable<Answer>) => {
        for (const record of records)
          if (missing.delete(record.id)) found.set(record.id, trimRecord(place.resource, record))
      }
      if (missing.size > few || place.trashed || lists.has(keyOf(place)))
        await pMap(pagesOf([...missing]), async page => keep(await readSome(place, page)), { concurrency })
      // Production keeps what is hidden out of its lists.
      if (!place.trashed)
        await pMap([...missing], async id => keep(await readOne(client, place, { id })), { concurrency })
      return found
    },
    async readBySlugs(place, slugs, all) {
      if (!(await isLonger(place, all))) return (await readList(place)).bySlug
      const found = new Map<string, Answer>()
      const read = async (slug: string) => {
        for (const record of await readOne(client, place, { slug })) found.set(slug, trimRecord(place.resource, record))
      }
      await pMap(slugs, read, { concurrency })
      return slug => found.get(slug)
    },
    count: async resource => sizes.get(resource) ?? total({ resource }),
    async findByName(resource, language, name) {
      const { bySlug, byName } = await readList({ resource, language })
      const found = bySlug(name)
      return found ? [found] : byName(name)
    },
    findBySlugOfName: async (resource, language, slug) => (await readList({ resource, language })).bySlugOfName(slug),
    has(resource, language, id) {
      const place = { resource, language }
      const asked = named.get(keyOf(place)) ?? new Map<number, Promise<boolean>>()
      named.set(keyOf(place), asked)
      const known = asked.get(id) ?? isThere(place, id, asked.size)
      asked.set(id, known)
      return known
    },
    async names(resource, language) {
      const there = await readList({ resource, language })
      return Array.from(there.all(), record => String(record[resource.title]))
    },
  }
}

const keyOf = ({ resource, language, trashed = false, days }: ListScope): string =>
  [resource.name, language ?? '', trashed, ...(days ?? [])].join(' ')

const pagesOf = (ids: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / largestPage) }, (_, page) =>
    ids.slice(page * largestPage, (page + 1) * largestPage),
  )

/** One record, or none where it is gone or in the trash. */
async function readOne(client: Client, { resource, language }: ListScope, ref: Ref): Promise<Answer[]> {
  try {
    const record = await client.get(resource, ref, language ? { lang_code: language } : {})
    return record.status === 'trash' ? [] : [record]
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'missing' || isTrashCode(error.details.code))) return []
    throw error
  }
}

/** A record to be read. */
export interface RecordLocation extends Omit<ListScope, 'resource'> {
  readonly resource: ResourceName
  readonly id: number
}

/** What a record is filed under. */
export const recordKey = (resource: ResourceName, id: number): string => `${resource} ${id}`

/** Records as they are now, by `recordKey`; what is not where it was expected is left out. */
export async function readCurrentRecords(
  reader: SiteReader,
  wanted: readonly RecordLocation[],
): Promise<Map<string, Answer>> {
  const places = new Map<string, { place: ListScope; ids: number[] }>()
  for (const { id, resource, ...where } of wanted) {
    const place = { ...where, resource: resourceNamed(resource) }
    const group = places.get(keyOf(place)) ?? { place, ids: [] }
    places.set(keyOf(place), group)
    group.ids.push(id)
  }
  const found = new Map<string, Answer>()
  for (const { place, ids } of places.values())
    for (const [id, record] of await reader.readByIds(place, ids)) found.set(recordKey(place.resource.name, id), record)
  return found
}
