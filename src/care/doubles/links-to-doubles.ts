import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { linkedIds, linkField, linkingEvents } from '../../changes/plan/back-references.ts'
import { trimRecord } from '../../changes/plan/record-state.ts'
import type { SiteReader } from '../../changes/plan/site-reader.ts'
import { linkedRecords } from '../../client/adapters/hidden-records.ts'
import { showsStored } from '../../client/adapters/shown-stored-records.ts'
import type { Client } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { languagesToRead } from '../../client/languages/known-languages.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { theRecord } from '../../contract/resource-words.ts'

const events = resourceNamed('events')

/** An event that links to a duplicate. */
interface LinkingEvent {
  readonly record: Answer
  readonly language: Language | undefined
  readonly isTrashed: boolean
}

/** The links to duplicates, and notes about links that cannot be moved. */
export interface Links {
  readonly events: readonly LinkingEvent[]
  /** All categories, because each may be below another one. */
  readonly categories: readonly Answer[]
  readonly notes: readonly string[]
}

/**
 * Reads the links to duplicates: from events of any status, date and language, including those that lists leave out and those in the trash,
 * as far as the site shows them.
 */
export async function readLinks(client: Client, reader: SiteReader, duplicates: DuplicateIds): Promise<Links> {
  const { resource, language, ids } = duplicates
  const { name } = resource
  if (name === 'events') return { events: [], categories: [], notes: [] }
  const eventsById = new Map<number, LinkingEvent>()
  const add = (record: Answer, own: Language | undefined, isTrashed = false) => {
    if (!eventsById.has(record.id))
      eventsById.set(record.id, { record: trimRecord(events, record), language: own, isTrashed })
  }
  const others = (await languagesToRead(client)).filter(other => other !== (language ?? client.languages().own))
  for (const own of [language, ...others])
    await unlessUnknown(own !== language, async () => {
      for await (const record of linkingEvents(client, name, ids, { language: own })) add(record, own)
    })
  for (const record of await readUnlisted(client, reader, duplicates, eventsById)) add(record, language)
  const trashed: Answer[] = []
  await unlessUnknown(true, async () => {
    for await (const record of linkingEvents(client, name, ids, { language, trashed: true })) trashed.push(record)
  })
  const movesTrashed = trashed.length > 0 && (await showsStored(client, { resource: events, language }))
  if (movesTrashed) for (const record of trashed) add(record, language, true)
  const categories: Answer[] = []
  if (name === 'categories')
    for await (const { records } of client.pages(resource, wholeListQuery({ resource, language })))
      categories.push(...records.map(record => trimRecord(resource, record)))
  const notes = trashed.length > 0 && !movesTrashed ? [trashedNote(trashed.length, resource)] : []
  return { events: [...eventsById.values()], categories, notes }
}

/** An update through the events API would take an event out of the trash. */
function trashedNote(count: number, { name, trashable }: Resource): string {
  const places = { count, record: theRecord(name) }
  return trashable
    ? phrase(
        '{count, plural, one {# event in the trash uses} other {# events in the trash use}} {record} that is removed: they can only be changed through wp/v2',
        places,
      )
    : phrase(
        '{count, plural, one {# event in the trash uses} other {# events in the trash use}} {record} that is removed, and {count, plural, one {loses} other {lose}} it: they can only be changed through wp/v2',
        places,
      )
}

/** In another language, or for users who cannot see the trash, a site may refuse the filter: then nothing links from there. */
async function unlessUnknown(isOther: boolean, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    const isRefusal = error instanceof Failure && ['refused', 'missing', 'denied', 'usage'].includes(error.kind)
    if (!isOther || !isRefusal) throw error
  }
}

/** Records of one resource and language, and the IDs of those to remove. */
interface DuplicateIds {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly ids: readonly number[]
}

/** The events that lists leave out but `wp/v2` shows. */
async function readUnlisted(
  client: Client,
  reader: SiteReader,
  { resource, language, ids }: DuplicateIds,
  listed: ReadonlyMap<number, unknown>,
): Promise<Iterable<Answer>> {
  const field = linkField(resource.name)
  const linking = await linkedRecords(client, events, { field, ids, language })
  const unlisted = linking.filter(
    record => !listed.has(record.id) && linkedIds(record, field).some(id => ids.includes(id)),
  )
  const wanted = unlisted.map(({ id }) => id)
  return (await reader.readByIds({ resource: events, language }, wanted)).values()
}
