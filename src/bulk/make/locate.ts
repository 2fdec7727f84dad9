import type { Client } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/record.ts'
import { readByIds } from '../known.ts'
import { essence } from '../record.ts'
import { type Reader, type There, thereOf } from './there.ts'

/** How the records of a file are recognised at a site. */
export interface Recognition {
  readonly client: Client
  readonly reader: Reader
  /** The fields that say which record one without an ID and slug is. */
  readonly match?: readonly string[] | undefined
}

/** Finds the record that one of a file is about; throws `usage` where it can be several. */
export type Locate = (record: FileRecord) => Answer | undefined

/**
 * Reads what records of a resource in a language need to be found, and finds them: by ID, else by slug, else by the fields
 * that say which it is. One that is to be restored is looked for in the trash. An ID that is not there any more says nothing of
 * a record that an export has; of any other, it says that there is none.
 */
export async function locator(
  { client, reader, match }: Recognition,
  resource: Resource,
  language: Language | undefined,
  records: readonly FileRecord[],
): Promise<Locate> {
  const live = records.filter(record => !isTrashed(record))
  const trash = live.length < records.length ? await reader.trash(resource, language) : none(resource)
  let there = live.some(({ id }) => id === undefined) ? await reader.there(resource, language) : none(resource)
  const ids = live.flatMap(({ id }) => id ?? []).filter(id => !there.records.has(id))
  const others = ids.length > 0 ? await readByIds(client, { resource, ids, language }) : new Map<number, Answer>()
  const withId = (id: number) => there.records.get(id) ?? slim(resource, others.get(id))
  const isTold = ({ id, origin }: FileRecord) => id !== undefined && (origin === undefined || withId(id) !== undefined)
  if (!live.every(isTold)) there = await reader.there(resource, language)
  const namesakes = new Set<number>()
  return record => {
    if (isTrashed(record)) return inTrash(trash, record)
    if (record.id !== undefined && isTold(record)) return withId(record.id)
    const called = there.withSlug(slugOf(record))
    if (called) return called
    const fields = match ?? record.match
    const isMatched = fields?.every(name => record.values[name] !== undefined)
    return fields && isMatched
      ? onlyOne(resource, fields, there.like(fields, record.values))
      : namesake(resource, there, record, namesakes)
  }
}

const none = (resource: Resource) => thereOf(resource, [])

const isTrashed = ({ action }: FileRecord) => action === 'restore'

/** The slug that names a record, or nothing that any record is called. */
const slugOf = ({ slug, values }: FileRecord): string => slug ?? (typeof values.slug === 'string' ? values.slug : '\0')

const slim = (resource: Resource, record: Answer | undefined) => record && essence(resource, record)

/** Slugs change in the trash. */
function inTrash(trash: There, record: FileRecord): Answer | undefined {
  if (record.id !== undefined) return trash.records.get(record.id)
  return trash.withSlug(slugOf(record)) ?? trash.withSlug(`${slugOf(record)}__trashed`)
}

/** Events often share a name; of other records with one name, one is rarely meant beside another. */
function namesake(resource: Resource, there: There, record: FileRecord, taken: Set<number>): Answer | undefined {
  if (resource.name === 'events') return undefined
  const called = there.called(String(record.values[resource.title] ?? ''))
  const [found, ...others] = called.filter(({ id }) => !taken.has(id))
  if (!found || others.length > 0) return undefined
  taken.add(found.id)
  return found
}

function onlyOne(resource: Resource, fields: readonly string[], found: readonly Answer[]): Answer | undefined {
  if (found.length < 2) return found[0]
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} ${resource.name} have this ${fields.join(' and ')}: ${ids}`, {
    hint: 'say which by its ID, or match more fields: --match title+start_date+end_date',
  })
}
