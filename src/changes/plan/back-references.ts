import { grouped } from '../../base/groups.ts'
import { linkedRecords, storedRecords } from '../../client/adapters/hidden-records.ts'
import type { Client } from '../../client/client.ts'
import { type ListScope, wholeListQuery } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import { type Answer, type Resource, recordKey } from '../../contract/resource.ts'
import { type Signs, signsOf } from './identity.ts'
import type { RemovalStep, Step } from './plan.ts'
import { batches } from './spool.ts'

const [events, categories] = [resourceNamed('events'), resourceNamed('categories')]

/** A link from an event or a category to a record that a step is going to remove. */
interface BackReference {
  /** The step that removes the linked record. */
  readonly step: Step
  /** The record that has the link. */
  readonly resource: 'events' | 'categories'
  readonly record: Answer
  readonly field: string
}

/**
 * The links to the records that steps remove. Reads lists page by page. The `count` of a term saves no request: it counts only published
 * events, but drafts and private events can have terms, too.
 */
export async function* findBackReferences(client: Client, removals: readonly Step[]): AsyncGenerator<BackReference> {
  for (const steps of grouped(removals, ({ resource, lang_code: language }) => `${resource} ${language}`).values()) {
    const [{ resource, lang_code: language } = {}] = steps
    if (!resource) continue
    const stepById = new Map(steps.map(step => [step.id, step]))
    const field = linkField(resource)
    const ids = steps.flatMap(({ id }) => id ?? [])
    for await (const record of linkingEvents(client, resource, ids, { language }))
      for (const step of linkedIds(record, field).flatMap(link => stepById.get(link) ?? []))
        yield { step, resource: 'events', record, field }
    if (resource === 'categories') yield* childrenOf(client, steps, stepById)
  }
}

/** The categories below those that steps of one list remove. */
async function* childrenOf(
  client: Client,
  steps: readonly Step[],
  stepById: ReadonlyMap<number | undefined, Step>,
): AsyncGenerator<BackReference> {
  const [{ id: parent, lang_code: language } = {}] = steps
  const query = wholeListQuery({ resource: categories, language }, steps.length === 1 ? { parent } : {})
  for await (const { records } of client.pages(categories, query))
    for (const record of records) {
      const step = stepById.get(Number(record.parent))
      if (step) yield { step, resource: 'categories', record, field: 'parent' }
    }
}

/** The events of one language that link to any of these records, as lists show them. */
export async function* linkingEvents(
  client: Client,
  resource: ResourceName,
  ids: readonly number[],
  list: Pick<ListScope, 'language' | 'trashed'>,
): AsyncGenerator<Answer> {
  const field = linkField(resource)
  for (const batch of batches(ids, largestPage)) {
    const filters = wholeListQuery({ resource: events, ...list }, { [field]: batch.join(',') })
    // A category includes those below it.
    for await (const { records } of client.pages(events, filters))
      yield* records.filter(record => linkedIds(record, field).some(id => batch.includes(id)))
  }
}

/** An event that loses a link when its venue or organizer is moved to the trash, with all its links of this kind. */
export interface LostLinks {
  readonly id: number
  readonly links: readonly number[]
  readonly signs?: Signs
}

/** The Events Calendar reads one page of the events that have the record, and deletes all their links of this kind. */
const pageOfPlugin = 10

/** All events with what tells whether a site takes a venue or organizer from them; undefined if the site does not show hidden ones. */
export const eventsWithLinks = (client: Client, language: unknown): Promise<Answer[] | undefined> =>
  storedRecords(client, events, ['title', 'slug', 'status', 'venue', 'organizer'], language)

/**
 * The public and private events that have a venue or organizer, with their links of this kind. When it is moved to the trash, the site takes
 * it from the first of them; without `stored`, only as many are read.
 */
export async function findLostLinks(
  client: Client,
  { resource, id, lang_code: language }: Pick<RemovalStep, 'resource' | 'id' | 'lang_code'>,
  stored: readonly Answer[] | undefined,
): Promise<LostLinks[]> {
  const field = linkField(resource)
  const having: Answer[] = []
  for await (const event of stored ?? linkingEvents(client, resource, [id], { language })) {
    const isShown = event.status === 'publish' || event.status === 'private'
    if (isShown && linkedIds(event, field).includes(id)) having.push(event)
    if (!stored && having.length === pageOfPlugin) break
  }
  return having.map(event => ({ id: event.id, links: linkedIds(event, field), signs: signsOf('events', event) }))
}

/** The field by which events link to records of a resource; the filter has the same name. */
export function linkField(resource: ResourceName): string {
  const [name = resource] = Object.entries(events.fields).find(([, { of }]) => of === resource) ?? []
  return name
}

/** The IDs that an event has in a field that links to other records. */
export const linkedIds = (event: Answer, name: string): number[] => {
  const field = events.fields[name]
  return field ? ([field.kind.canonical(event[name], field)].flat() as number[]) : []
}

/** How many events use any of these records, as the site counts them: one request. Undefined for events, and if the site cannot tell. */
export async function countUses(
  client: Client,
  { name }: Resource,
  records: readonly Pick<Step, 'id'>[],
): Promise<number | undefined> {
  const field = linkField(name)
  if (!(field in events.filters) || records.length > largestPage) return undefined
  const filters = { [field]: records.map(({ id }) => id).join(','), per_page: 1 }
  const query = wholeListQuery({ resource: events }, filters)
  return client.list(events, query).then(
    ({ total }) => total,
    () => undefined,
  )
}

/** The IDs of the records that lose a link when a term is deleted: events that have the term, and children of a category. */
export interface Referrers {
  readonly events?: readonly number[]
  readonly categories?: readonly number[]
  /** By `recordKey`. */
  readonly signs?: Readonly<Record<string, Signs>>
}

/** The records that link to what a step removes. If that is a term, they lose the link. */
export async function findReferrers(client: Client, step: RemovalStep): Promise<Referrers> {
  const events: number[] = []
  const categories: number[] = []
  const signs: Record<string, Signs> = {}
  const add = (resource: 'events' | 'categories', record: Answer) => {
    ;(resource === 'events' ? events : categories).push(record.id)
    signs[recordKey(resource, record.id)] = signsOf(resource, record)
  }
  for await (const { resource, record } of findBackReferences(client, [step])) add(resource, record)
  const { id, resource, lang_code: language } = step
  const field = linkField(resource)
  // Only the links to terms can be looked up there; for a venue, all events would have to be read.
  const isTerm = !resourceNamed(resource).trashable
  for (const record of isTerm
    ? await linkedRecords(client, resourceNamed('events'), { field, ids: [id], language })
    : [])
    if (linkedIds(record, field).includes(id) && !events.includes(record.id)) add('events', record)
  if (events.length + categories.length === 0) return {}
  return { ...(events.length > 0 && { events }), ...(categories.length > 0 && { categories }), signs }
}
