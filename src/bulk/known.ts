import pMap from 'p-map'
import { isTrashedCode } from '../client/absent.ts'
import type { Client, Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { allDates, largestPage } from '../contract/filter.ts'
import { type Answer, emptyToo, type Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import { Failure } from '../failure.ts'
import { essence } from './record.ts'

/** A record to be read again. */
export interface Wanted {
  readonly resource: ResourceName
  readonly id: number
  readonly language?: Language | undefined
  /** Whether it is in the trash. */
  readonly trashed?: boolean
}

/** What a record is filed under. */
export const recordKey = (resource: ResourceName, id: number): string => `${resource} ${id}`

const concurrency = 4

/** So many are read one by one: lists of venues and organizers cannot be narrowed, and may be long. */
const few = 3

/** Records as they are now, by `recordKey`, read by pages; what is not where it was expected is left out. */
export async function readRecords(client: Client, wanted: readonly Wanted[]): Promise<Map<string, Answer>> {
  const found = new Map<string, Answer>()
  for (const group of groupsOf(wanted))
    for (const [id, record] of await readByIds(client, group)) found.set(recordKey(group.resource.name, id), record)
  return found
}

/** Records that one list can hold. */
export interface Group {
  readonly resource: Resource
  readonly ids: readonly number[]
  readonly language?: Language | undefined
  readonly trashed?: boolean
}

function groupsOf(wanted: readonly Wanted[]): Iterable<Group> {
  const groups = new Map<string, Group & { ids: number[] }>()
  for (const { resource, id, language, trashed = false } of wanted) {
    const name = `${resource} ${language} ${trashed}`
    const group = groups.get(name) ?? { resource: resourceNamed(resource), language, trashed, ids: [] }
    groups.set(name, group)
    group.ids.push(id)
  }
  return groups.values()
}

/** The records of one resource with these IDs, by ID. */
export async function readByIds(client: Client, group: Group): Promise<Map<number, Answer>> {
  const { trashed = false } = group
  const missing = new Set(group.ids)
  const found = new Map<number, Answer>()
  const keep = (records: readonly Answer[]) => {
    for (const record of records) if (missing.delete(record.id)) found.set(record.id, essence(group.resource, record))
  }
  if (missing.size > few || trashed)
    await pMap(pagesOf(group.resource, [...missing]), async ids => keep(await readPage(client, group, ids)), {
      concurrency,
    })
  // Production keeps what is hidden out of its lists.
  if (!trashed) await pMap([...missing], async id => keep(await readOne(client, group, id)), { concurrency })
  return found
}

/** So many IDs as fit on a page; all of them where a list cannot be narrowed to some. */
function pagesOf({ filters }: Resource, ids: readonly number[]): (readonly number[])[] {
  const size = 'include' in filters ? largestPage : ids.length
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, page) => ids.slice(page * size, (page + 1) * size))
}

/** A page of those IDs; where a list cannot be narrowed to them, or refuses an ID that is not there any more, all there is. */
async function readPage(client: Client, group: Group, ids: readonly number[]): Promise<Answer[]> {
  const { resource } = group
  if ('include' in resource.filters)
    try {
      return (await client.list(resource, { ...everywhere(group), include: ids.join(',') })).records
    } catch (error) {
      if (!(error instanceof Failure) || error.details.status !== 400) throw error
    }
  const records: Answer[] = []
  for await (const page of client.pages(resource, everywhere(group))) records.push(...page.records)
  return records
}

/** What lifts every restriction that a list has by itself. */
function everywhere({ resource, language, trashed }: Group): Values {
  return {
    per_page: largestPage,
    ...('starts_after' in resource.filters && allDates),
    ...emptyToo(resource),
    ...(trashed && { status: 'trash' }),
    ...(language && { lang_code: language }),
  }
}

/** One record, or none where it is gone or in the trash. */
async function readOne(client: Client, { resource, language }: Group, id: number): Promise<Answer[]> {
  try {
    const record = await client.get(resource, { id }, language ? { lang_code: language } : {})
    return record.status === 'trash' ? [] : [record]
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'missing' || isTrashedCode(error.details.code))) return []
    throw error
  }
}
