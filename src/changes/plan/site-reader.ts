import pMap from 'p-map'
import { Failure } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { canHide, hiddenInTrash, idsOfSlugs } from '../../client/adapters/hidden-records.ts'
import { isInTrash } from '../../client/adapters/reconcile.ts'
import { withRawValues } from '../../client/adapters/stored-records.ts'
import type { Calendar, Client, Ref } from '../../client/client.ts'
import { type ListScope, wholeListQuery } from '../../client/find/whole-lists.ts'
import { isPasswordCode, isTrashCode } from '../../client/http/problems/unavailable.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, type Resource, recordKey } from '../../contract/resource.ts'
import type { Step } from './plan.ts'
import { createRecordIndex, type RecordIndex } from './record-index.ts'
import { revisionOf, trimRecord } from './record-state.ts'
import { batches } from './spool.ts'

/** Where a record should be found: its ID, and its list. */
export interface RecordLocation extends Omit<ListScope, 'resource'> {
  readonly resource: ResourceName
  readonly id: number
}

/** Where the record of a step is, or was, under an ID. */
export function locationOf({ resource, lang_code: language }: Step, id: number): RecordLocation {
  return { resource, id, language }
}

const concurrency = 4

/** At most this many IDs are read one by one: lists of venues and organizers cannot be filtered by ID, and may be long. */
const maxSingleReads = 3

/** Reads records of a site with few requests, and each list at most once. Use it only while one plan is built. */
export class SiteReader {
  readonly calendar: Calendar
  readonly #client: Client
  readonly #lists = new Map<string, Promise<RecordIndex>>()
  /** The sizes of whole lists, by resource and language. */
  readonly #sizes = new Map<Resource, Map<Language | undefined, number>>()
  /** Whether reading a list takes more requests than reading slugs one by one. */
  readonly #longLists = new Map<string, Promise<boolean>>()
  readonly #idChecks = new Map<string, Map<number, Promise<boolean>>>()

  constructor(client: Client) {
    this.#client = client
    this.calendar = client.calendar
  }

  readList(scope: ListScope): Promise<RecordIndex> {
    const whole = this.#lists.get(listKey({ ...scope, days: undefined }))
    const list = whole ?? this.#lists.get(listKey(scope)) ?? this.#readAllPages(scope)
    this.#lists.set(listKey(scope), list)
    return list
  }

  async #readAllPages(scope: ListScope): Promise<RecordIndex> {
    const { resource, trashed, days, language } = scope
    const index = createRecordIndex(resource)
    for await (const { records } of this.#client.pages(resource, wholeListQuery(scope)))
      for (const record of records) index.add(record)
    if (!trashed && !days) this.#sizes.set(resource, new Map(this.#sizes.get(resource)).set(language, index.size))
    return index
  }

  hasId(resource: Resource, language: Language | undefined, id: number): Promise<boolean> {
    const scope = { resource, language }
    const checks = this.#idChecks.get(listKey(scope)) ?? new Map<number, Promise<boolean>>()
    this.#idChecks.set(listKey(scope), checks)
    const check = checks.get(id) ?? this.#checkId(scope, id, checks.size)
    checks.set(id, check)
    return check
  }

  /** Checks an ID. The first few are requested one by one; after that the list is read, which may lack hidden events. */
  async #checkId(scope: ListScope, id: number, checkedBefore: number): Promise<boolean> {
    const isListRead = checkedBefore > maxSingleReads || this.#lists.has(listKey(scope))
    if (isListRead && (await this.readList(scope)).byId(id) !== undefined) return true
    return (await readOne(this.#client, scope, { id })).length > 0
  }

  /** Records by ID, without those that do not exist. */
  async readByIds(scope: ListScope, ids: readonly number[]): Promise<Map<number, Answer>> {
    const records = new Map<number, Answer>()
    const missing = new Set(ids)
    const collect = (answers: Iterable<Answer>) => {
      for (const record of answers)
        if (missing.delete(record.id)) records.set(record.id, trimRecord(scope.resource, record))
    }
    if (missing.size > maxSingleReads || scope.trashed || this.#lists.has(listKey(scope)))
      await pMap([...batches(missing, largestPage)], async page => collect(await this.#readPage(scope, page)), {
        concurrency,
      })
    // Production leaves hidden events out of lists.
    if (scope.trashed) collect(await readHiddenInTrash(this.#client, scope, [...missing]))
    else await pMap([...missing], async id => collect(await readOne(this.#client, scope, { id })), { concurrency })
    return records
  }

  /**
   * Reads the records with these IDs. Reads the whole list if it cannot be filtered by ID, or if the service refuses an ID that no longer
   * exists.
   */
  async #readPage(scope: ListScope, ids: readonly number[]): Promise<Iterable<Answer>> {
    if ('include' in scope.resource.filters && !this.#lists.has(listKey(scope)))
      try {
        return (await this.#client.list(scope.resource, wholeListQuery(scope, { include: ids.join(',') }))).records
      } catch (error) {
        if (!(error instanceof Failure) || error.details.status !== 400) throw error
      }
    const index = await this.readList(scope)
    return ids.flatMap(id => index.byId(id) ?? [])
  }

  /** The current records, by `recordKey`, without those that are not where they should be. */
  async readCurrent(locations: Iterable<RecordLocation>): Promise<Map<string, Answer>> {
    const records = new Map<string, Answer>()
    for (const [scope, expected] of byList(locations)) {
      const ids = expected.map(({ id }) => id)
      for (const [id, record] of await this.readByIds(scope, ids))
        records.set(recordKey(scope.resource.name, id), record)
    }
    return records
  }

  /** Adds the stored forms of these fields to records, with one request for each hundred where the shown form does not tell. */
  async addStoredForms(
    wanted: Iterable<RecordLocation & { readonly names: readonly string[] }>,
    records: Map<string, Answer>,
  ): Promise<void> {
    const unread = [...wanted].filter(({ names }) => names.length > 0)
    for (const [scope, expected] of byList(unread)) {
      const found = expected.flatMap(({ resource, id }) => records.get(recordKey(resource, id)) ?? [])
      const names = new Set(expected.flatMap(one => one.names))
      for (const record of await this.withRawValues(scope, found, [...names]))
        records.set(recordKey(scope.resource.name, record.id), record)
    }
  }

  /**
   * The records with the stored forms of these fields, where the site shows them and they differ from the shown form. Records whose stored
   * form was read get the `revision` of it.
   */
  withRawValues({ resource, language }: ListScope, records: readonly Answer[], names: readonly string[]) {
    const withRevision = (record: Answer, row: Answer) => ({ ...record, revision: revisionOf(resource, row) })
    return withRawValues(this.#client, resource, records, { names, language, complete: withRevision })
  }

  /**
   * Records by slug. They are read one by one if that takes fewer requests than the list; `total` is the number of slugs in all batches
   * together. `hidden` are those that lists are expected to lack.
   */
  async readBySlugs(
    scope: ListScope,
    slugs: readonly string[],
    total: number,
    hidden: readonly string[] = [],
  ): Promise<(slug: string | undefined) => Answer | undefined> {
    if (await this.#isListLonger(scope, total)) {
      const records = await readEachSlug(this.#client, scope, slugs)
      return slug => records.get(slug ?? '')
    }
    const index = await this.readList(scope)
    const unlisted = slugs.filter(slug => !index.hasSlug(slug))
    const records = await this.#readUnlisted(scope, unlisted, index)
    const others = hidden.filter(slug => !index.hasSlug(slug) && !records.has(slug))
    const expected = scope.trashed ? [] : await readEachSlug(this.#client, scope, others)
    for (const [slug, record] of expected) records.set(slug, record)
    return slug => index.bySlug(slug) ?? records.get(slug ?? '')
  }

  /** Whether reading this number of slugs one by one takes fewer requests than reading the list. */
  #isListLonger(scope: ListScope, slugs: number): Promise<boolean> {
    const key = listKey(scope)
    if (scope.trashed || this.#lists.has(key) || !scope.resource.keys.includes('slug')) return Promise.resolve(false)
    const decision = this.#longLists.get(key) ?? this.#readTotal(scope).then(total => total / largestPage > slugs)
    this.#longLists.set(key, decision)
    return decision
  }

  /** The records with slugs that are not in a list because their records are hidden. */
  async #readUnlisted(scope: ListScope, slugs: readonly string[], index: RecordIndex): Promise<Map<string, Answer>> {
    const { resource, trashed } = scope
    const found = await idsOfSlugs(this.#client, resource, slugs, scope)
    const records = new Map<string, Answer>()
    const read = async ([slug, id]: [string, number]) => {
      const hidden = trashed ? readHiddenInTrash(this.#client, scope, [id]) : readOne(this.#client, scope, { id })
      for (const record of await hidden) records.set(slug, trimRecord(resource, record))
    }
    const ids = [...found].filter(([, id]) => !index.byId(id))
    await pMap(ids, read, { concurrency })
    return records
  }

  /** Whether the site says that a record which it does not show anywhere is in the trash. */
  async isInTrash({ resource, language }: ListScope, id: number): Promise<boolean> {
    return canHide(resource) && isInTrash(this.#client, resource, id, language)
  }

  /** The number of records of a resource, in the language of the client, in these languages, and in those whose lists were read. */
  async count(resource: Resource, languages: Iterable<Language> = []): Promise<number> {
    const known = new Map(this.#sizes.get(resource))
    if (known.size === 0) known.set(undefined, await this.#readTotal({ resource }))
    for (const language of languages)
      if (!known.has(language)) known.set(language, await this.#readTotal({ resource, language }))
    return [...known.values()].reduce((sum, size) => sum + size, 0)
  }

  async #readTotal(scope: ListScope): Promise<number> {
    return (await this.#client.list(scope.resource, { ...wholeListQuery(scope), per_page: 1 })).total
  }
}

/** A key for a list, for maps. */
const listKey = ({ resource, language, trashed = false, days }: ListScope): string =>
  [resource.name, language ?? '', trashed, ...(days ?? [])].join(' ')

/** The locations, grouped by list. */
function* byList<T extends RecordLocation>(locations: Iterable<T>): Generator<[ListScope, T[]]> {
  const scopeOf = (location: T): ListScope => ({ ...location, resource: resourceNamed(location.resource) })
  for (const group of grouped(locations, location => listKey(scopeOf(location))).values()) {
    const [first] = group
    if (first) yield [scopeOf(first), group]
  }
}

async function readEachSlug(client: Client, scope: ListScope, slugs: readonly string[]): Promise<Map<string, Answer>> {
  const records = new Map<string, Answer>()
  const read = async (slug: string) => {
    for (const record of await readOne(client, scope, { slug })) records.set(slug, trimRecord(scope.resource, record))
  }
  await pMap(slugs, read, { concurrency })
  return records
}

const readHiddenInTrash = async (client: Client, { resource, language }: ListScope, ids: readonly number[]) =>
  ids.length === 0 ? [] : hiddenInTrash(client, resource, { include: ids.join(','), lang_code: language })

/** One record, or none if it does not exist or is in the trash. */
async function readOne(client: Client, scope: ListScope, ref: Ref): Promise<Answer[]> {
  const { resource, language } = scope
  try {
    const record = await client.get(resource, ref, language ? { lang_code: language } : {})
    return record.status === 'trash' ? [] : [record]
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'missing' || isTrashCode(error.details.code))) return []
    // Lists show that the record exists; an update explains better why it cannot be read.
    if (error instanceof Failure && isPasswordCode(error.details.code) && 'id' in ref)
      return (await client.list(resource, wholeListQuery(scope, { include: ref.id }))).records
    throw error
  }
}
