import pMap from 'p-map'
import type { Calendar } from '../client/calendar.ts'
import type { Client, Ref } from '../client/client.ts'
import { isInTrash } from '../client/trash.ts'
import { isPasswordCode, isTrashCode } from '../client/unavailable.ts'
import { type ListScope, wholeListQuery } from '../client/whole-list.ts'
import { canHide, hiddenInTrash, idsOfSlugs } from '../client/wordpress/hidden-records.ts'
import { withRawValues } from '../client/wordpress/raw-values.ts'
import { largestPage } from '../contract/filter.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { createRecordIndex, type RecordIndex } from './record-index.ts'
import { revisionOf, trimRecord } from './record-state.ts'

/** Reads records of a site with few requests, and each list at most once. */
export interface SiteReader {
  readonly calendar: Calendar
  /** The record with this slug, or all records with this name. */
  findByName(resource: Resource, language: Language | undefined, name: string): Promise<readonly Answer[]>
  /** The records whose names would give this slug, whatever slug they have. */
  findBySlugOfName(resource: Resource, language: Language | undefined, slug: string): Promise<readonly Answer[]>
  hasId(resource: Resource, language: Language | undefined, id: number): Promise<boolean>
  /** All names, for suggestions. */
  allNames(resource: Resource, language: Language | undefined): Promise<readonly string[]>
  readList(scope: ListScope): Promise<RecordIndex>
  /** Records by ID; IDs that do not exist are left out. */
  readByIds(scope: ListScope, ids: readonly number[]): Promise<Map<number, Answer>>
  /**
   * Records by slug. They are read one by one if that takes fewer requests than the list; `total` is the number of slugs that
   * will be looked up in all batches together. `hidden` are those that lists are expected to leave out.
   */
  readBySlugs(
    scope: ListScope,
    slugs: readonly string[],
    total: number,
    hidden?: readonly string[],
  ): Promise<(slug: string) => Answer | undefined>
  /**
   * The records with the stored forms of these fields, where the site shows them and they are not what is shown anyway. Those that
   * were read in `wp/v2` have the `revision` that it showed.
   */
  withRawValues(scope: ListScope, records: readonly Answer[], names: readonly string[]): Promise<Answer[]>
  /** Whether the site says that a record which it shows nowhere is in the trash. */
  isInTrash(scope: ListScope, id: number): Promise<boolean>
  /** The number of records of a resource in the language of the client, in these, and in those whose lists were read. */
  count(resource: Resource, languages?: Iterable<Language>): Promise<number>
}

const concurrency = 4

/** Up to so many IDs are read one by one: lists of venues and organizers cannot be filtered by ID, and may be long. */
const maxSingleReads = 3

/** Creates a reader for the time in which one plan is built: it caches every list that it read. */
export function createSiteReader(client: Client): SiteReader {
  const lists = new Map<string, Promise<RecordIndex>>()
  /** Of whole lists, by resource and language. */
  const sizes = new Map<Resource, Map<Language | undefined, number>>()
  const slugDecisions = new Map<string, Promise<boolean>>()
  const idChecks = new Map<string, Map<number, Promise<boolean>>>()

  const readAllPages = async (scope: ListScope): Promise<RecordIndex> => {
    const { resource, trashed } = scope
    const index = createRecordIndex(resource)
    for await (const { records } of client.pages(resource, wholeListQuery(scope)))
      for (const record of records) index.add(record)
    if (!trashed && !scope.days) sizes.set(resource, new Map(sizes.get(resource)).set(scope.language, index.size))
    return index
  }

  const readList = (scope: ListScope): Promise<RecordIndex> => {
    const list = lists.get(listKey({ ...scope, days: undefined })) ?? lists.get(listKey(scope)) ?? readAllPages(scope)
    lists.set(listKey(scope), list)
    return list
  }

  /** Reads the whole list if it cannot be filtered by ID, or if the service refuses an ID that does not exist any more. */
  const readPageOfIds = async (scope: ListScope, ids: readonly number[]): Promise<Iterable<Answer>> => {
    if ('include' in scope.resource.filters && !lists.has(listKey(scope)))
      try {
        return (await client.list(scope.resource, wholeListQuery(scope, { include: ids.join(',') }))).records
      } catch (error) {
        if (!(error instanceof Failure) || error.details.status !== 400) throw error
      }
    const index = await readList(scope)
    return ids.flatMap(id => index.byId(id) ?? [])
  }

  /** The first few IDs are requested one by one; after that the list is read, which may not contain hidden events. */
  const checkId = async (scope: ListScope, id: number, checkedBefore: number): Promise<boolean> => {
    const isListRead = checkedBefore > maxSingleReads || lists.has(listKey(scope))
    if (isListRead && (await readList(scope)).byId(id) !== undefined) return true
    return (await readOne(client, scope, { id })).length > 0
  }

  /** The records with those of the slugs that a list does not have because its records are hidden. */
  const readHidden = async (
    scope: ListScope,
    slugs: readonly string[],
    index: RecordIndex,
    expected: readonly string[],
  ) => {
    const { resource } = scope
    const unlisted = slugs.filter(slug => !index.hasSlug(slug))
    const ids = [...(await idsOfSlugs(client, resource, unlisted, scope))].filter(([, id]) => !index.byId(id))
    const records = new Map<string, Answer>()
    const read = async ([slug, id]: [string, number]) => {
      for (const record of scope.trashed ? await readHiddenInTrash(scope, [id]) : await readOne(client, scope, { id }))
        records.set(slug, trimRecord(resource, record))
    }
    await pMap(ids, read, { concurrency })
    const others = expected.filter(slug => !index.hasSlug(slug) && !records.has(slug))
    const readExpected = async (slug: string) => {
      for (const record of scope.trashed ? [] : await readOne(client, scope, { slug }))
        records.set(slug, trimRecord(resource, record))
    }
    await pMap(others, readExpected, { concurrency })
    return records
  }

  const readHiddenInTrash = async ({ resource, language }: ListScope, ids: readonly number[]): Promise<Answer[]> =>
    ids.length === 0 ? [] : hiddenInTrash(client, resource, { include: ids.join(','), lang_code: language })

  const readTotal = async (scope: ListScope) =>
    (await client.list(scope.resource, { ...wholeListQuery(scope), per_page: 1 })).total

  /** Whether it takes fewer requests to read so many slugs one by one than to read the list. */
  const isListLonger = (scope: ListScope, slugs: number): Promise<boolean> => {
    const key = listKey(scope)
    if (scope.trashed || lists.has(key) || !scope.resource.keys.includes('slug')) return Promise.resolve(false)
    const decision = slugDecisions.get(key) ?? readTotal(scope).then(total => total / largestPage > slugs)
    slugDecisions.set(key, decision)
    return decision
  }

  return {
    calendar: client.calendar,
    readList,
    async readByIds(scope, ids) {
      const records = new Map<number, Answer>()
      const missing = new Set(ids)
      const collect = (answers: Iterable<Answer>) => {
        for (const record of answers)
          if (missing.delete(record.id)) records.set(record.id, trimRecord(scope.resource, record))
      }
      if (missing.size > maxSingleReads || scope.trashed || lists.has(listKey(scope)))
        await pMap(pagesOf([...missing]), async page => collect(await readPageOfIds(scope, page)), { concurrency })
      // Production leaves hidden events out of its lists.
      if (scope.trashed) collect(await readHiddenInTrash(scope, [...missing]))
      else await pMap([...missing], async id => collect(await readOne(client, scope, { id })), { concurrency })
      return records
    },
    async readBySlugs(scope, slugs, total, hidden = []) {
      if (!(await isListLonger(scope, total))) {
        const index = await readList(scope)
        const unlisted = await readHidden(scope, slugs, index, hidden)
        return slug => index.bySlug(slug) ?? unlisted.get(slug)
      }
      const records = new Map<string, Answer>()
      const read = async (slug: string) => {
        for (const record of await readOne(client, scope, { slug }))
          records.set(slug, trimRecord(scope.resource, record))
      }
      await pMap(slugs, read, { concurrency })
      return slug => records.get(slug)
    },
    withRawValues: ({ resource, language }, records, names) =>
      withRawValues(client, resource, records, names, language, (record, row) => ({
        ...record,
        revision: revisionOf(resource, row),
      })),
    isInTrash: async ({ resource, language }, id) => canHide(resource) && isInTrash(client, resource, id, language),
    async count(resource, languages = []) {
      const known = new Map(sizes.get(resource))
      if (known.size === 0) known.set(undefined, await readTotal({ resource }))
      for (const language of languages)
        if (!known.has(language)) known.set(language, await readTotal({ resource, language }))
      return [...known.values()].reduce((sum, size) => sum + size, 0)
    },
    async findByName(resource, language, name) {
      const index = await readList({ resource, language })
      const record = index.bySlug(name)
      return record ? [record] : index.byName(name)
    },
    findBySlugOfName: async (resource, language, slug) => (await readList({ resource, language })).bySlugOfName(slug),
    hasId(resource, language, id) {
      const scope = { resource, language }
      const checks = idChecks.get(listKey(scope)) ?? new Map<number, Promise<boolean>>()
      idChecks.set(listKey(scope), checks)
      const check = checks.get(id) ?? checkId(scope, id, checks.size)
      checks.set(id, check)
      return check
    },
    async allNames(resource, language) {
      const index = await readList({ resource, language })
      return Array.from(index.all(), record => String(record[resource.title]))
    },
  }
}

/** Identifies a list in maps of several. */
export const listKey = ({ resource, language, trashed = false, days }: ListScope): string =>
  [resource.name, language ?? '', trashed, ...(days ?? [])].join(' ')

const pagesOf = (ids: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / largestPage) }, (_, page) =>
    ids.slice(page * largestPage, (page + 1) * largestPage),
  )

/** One record, or none if it does not exist or is in the trash. */
async function readOne(client: Client, scope: ListScope, ref: Ref): Promise<Answer[]> {
  const { resource, language } = scope
  try {
    const record = await client.get(resource, ref, language ? { lang_code: language } : {})
    return record.status === 'trash' ? [] : [record]
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'missing' || isTrashCode(error.details.code))) return []
    // Lists show that it is there, and an update refuses it by its name.
    if (error instanceof Failure && isPasswordCode(error.details.code) && 'id' in ref)
      return (await client.list(resource, wholeListQuery(scope, { include: ref.id }))).records
    throw error
  }
}
